// The entry point of the page without a server: the same page, with the lab in a worker.

import "./backend/use-worker";
import "./main";
