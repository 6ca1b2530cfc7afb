// What the page and its worker send each other.

export type ToWorker =
  /** A request, as over HTTP; `file` is the body of a POST. The answer has the same id. */
  | { type: "request"; id: number; path: string; isPost: boolean; file: File | null }
  | { type: "connect"; session: number; query: string }
  | { type: "command"; session: number; text: string }
  /** The page has taken the last frames and wants more. */
  | { type: "next"; session: number }
  | { type: "close"; session: number };

export type FromWorker =
  | { type: "answer"; id: number; status: number; contentType: string; body: ArrayBuffer }
  /** The session is open. */
  | { type: "open"; session: number }
  | { type: "frames"; session: number; frames: (string | ArrayBuffer)[] }
  /** The session could not be opened. */
  | { type: "closed"; session: number; reason: string };
