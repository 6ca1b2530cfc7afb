// How the page reaches the lab. There are two ways: HTTP and a socket, or a worker in the browser (worker-backend.ts), which
// takes the same requests and commands and gives the same answers.

import { SocketBackend } from "./socket-backend";

/** What a session's line to the page calls. */
export interface LineHandlers {
  onOpen(): void;
  onMessage(data: string | ArrayBuffer): void;
  /** Called with the reason, which may be empty. */
  onClose(reason: string): void;
}

/** The line between the page and one session: commands out, messages and ticks in. */
export interface Line {
  readonly isOpen: boolean;
  send(text: string): void;
  close(): void;
}

export interface Backend {
  /** Whether the lab runs in the browser, so that no file leaves it. */
  readonly isLocal: boolean;
  /** What the header says of an open session. */
  readonly openText: string;
  /** Why requests fail if nothing answers them. */
  readonly silence: string;
  /** Why no session can be opened; null if one can. */
  readonly refusal: string | null;
  request(path: string, options?: { method: "POST"; body: File | null }): Promise<Response>;
  connect(query: Record<string, string>, handlers: LineHandlers): Line;
}

let backend: Backend = new SocketBackend();

/** The way that this page uses. */
export const lab = (): Backend => backend;

/** Sets the way before the page starts. */
export function useBackend(other: Backend): void {
  backend = other;
}
