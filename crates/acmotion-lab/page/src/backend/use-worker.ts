// Imported before the page itself, which then uses the worker.

import { useBackend } from "./backend";
import { WorkerBackend } from "./worker-backend";

useBackend(new WorkerBackend());
