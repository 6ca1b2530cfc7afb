// The lab in a worker of the browser: requests and sessions without a server. The script `engine.js` has the worker's source
// as a text, from which it is started, because a page that is opened as a file may not start one in any other way.

import type { Backend, Line, LineHandlers } from "./backend";
import type { FromWorker, ToWorker } from "./worker-messages";

declare global {
  /** The source of the worker. */
  var acmotionWorker: string | undefined;
}

interface Session {
  handlers: LineHandlers;
  isOpen: boolean;
}

interface Pending {
  resolve(response: Response): void;
  reject(error: Error): void;
}

export class WorkerBackend implements Backend {
  readonly isLocal = true;
  readonly openText = "runs in this browser";
  readonly refusal = null;
  /** Why the worker has stopped. */
  silence = "The lab's worker does not answer.";
  private worker: Worker | null = null;
  private lastId = 0;
  private readonly pending = new Map<number, Pending>();
  private readonly sessions = new Map<number, Session>();

  request(path: string, options?: { method: "POST"; body: File | null }): Promise<Response> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.post({ type: "request", id, path, isPost: options !== undefined, file: options?.body ?? null });
    });
  }

  connect(query: Record<string, string>, handlers: LineHandlers): Line {
    const id = ++this.lastId;
    const session: Session = { handlers, isOpen: false };
    this.sessions.set(id, session);
    this.post({ type: "connect", session: id, query: new URLSearchParams(query).toString() });
    return {
      get isOpen() {
        return session.isOpen;
      },
      send: (text) => this.post({ type: "command", session: id, text }),
      close: () => {
        session.isOpen = false;
        if (this.sessions.delete(id)) this.post({ type: "close", session: id });
      },
    };
  }

  private post(message: ToWorker): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const source = URL.createObjectURL(new Blob([globalThis.acmotionWorker ?? "throw Error('engine.js is missing')"], { type: "text/javascript" }));
    const worker = new Worker(source);
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop(event.message);
    };
    return worker;
  }

  /** Gives up a worker that has failed. The next request starts another one, in which nothing is open. */
  private stop(reason: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.silence = `The lab has stopped: ${reason || "its worker failed"}.`;
    const [pending, sessions] = [[...this.pending.values()], [...this.sessions.values()]];
    this.pending.clear();
    this.sessions.clear();
    for (const { reject } of pending) reject(new Error(this.silence));
    for (const session of sessions) {
      session.isOpen = false;
      session.handlers.onClose(this.silence);
    }
  }

  private receive(message: FromWorker): void {
    if (message.type === "answer") {
      const { id, status, contentType, body } = message;
      const headers = { "content-type": contentType };
      this.pending.get(id)?.resolve(new Response(body, { status, headers }));
      this.pending.delete(id);
      return;
    }
    const session = this.sessions.get(message.session);
    if (!session) return;
    if (message.type === "open") {
      session.isOpen = true;
      session.handlers.onOpen();
    } else if (message.type === "frames") {
      // Asked for before they are shown: the worker works meanwhile.
      this.post({ type: "next", session: message.session });
      for (const frame of message.frames) session.handlers.onMessage(frame);
    } else {
      session.isOpen = false;
      this.sessions.delete(message.session);
      session.handlers.onClose(message.reason);
    }
  }
}
