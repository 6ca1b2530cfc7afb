// One session with the server: text and ticks in, commands out.

import { token } from "./api";
import { readTick, type ServerText, type Tick } from "./protocol";

type Of<T extends ServerText["type"]> = Extract<ServerText, { type: T }>;
type Handlers = { [T in ServerText["type"]]?: (message: Of<T>) => void };

export class Session {
  private socket: WebSocket | null = null;
  private number = 0;
  private closed = false;
  private retry = 0;
  private readonly asked = new Map<number, (message: ServerText) => void>();

  constructor(
    private readonly query: Record<string, string>,
    private readonly handlers: Handlers,
    private readonly onTick: (tick: Tick) => void,
    private readonly onLink: (state: "up" | "wait" | "down", words: string) => void,
  ) {
    if (token()) this.connect();
    else onLink("down", "no token: open the address that `acmotion lab` printed");
  }

  private connect(): void {
    const query = new URLSearchParams({ token: token(), ...this.query });
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live?${query}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    let opened = false;
    let words = "";
    this.onLink("wait", "connecting");
    socket.onopen = () => {
      opened = true;
      this.retry = 0;
      this.onLink("up", "connected");
    };
    socket.onmessage = (event) => {
      if (event.data instanceof ArrayBuffer) {
        const tick = readTick(event.data);
        if (tick) this.onTick(tick);
        return;
      }
      const message = JSON.parse(event.data as string) as ServerText & { n?: number };
      if (message.type === "end") words = message.words;
      this.dispatch(message);
    };
    socket.onclose = (event) => {
      if (this.closed) return;
      for (const answer of this.asked.values()) answer({ type: "error", error: "the connection is gone" });
      this.asked.clear();
      this.again(opened, words || event.reason);
    };
  }

  /** The connection went, or never came: tries anew, more and more seldom. */
  private again(opened: boolean, words: string): void {
    this.retry += 1;
    const refused = !opened && this.retry > 2;
    const told = words || (refused ? "the lab ended or was started anew: open the address it prints" : "connection lost");
    this.onLink(this.retry > 2 ? "down" : "wait", told);
    if (this.retry < 40) setTimeout(() => !this.closed && this.connect(), Math.min(500 * this.retry, 5000));
  }

  private dispatch(message: ServerText & { n?: number }): void {
    const answer = message.n === undefined ? undefined : this.asked.get(message.n);
    if (answer) {
      this.asked.delete(message.n!);
      answer(message);
      return;
    }
    const handler = this.handlers[message.type] as ((message: ServerText) => void) | undefined;
    handler?.(message);
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(what: string, fields: Record<string, unknown> = {}): void {
    if (this.isOpen) this.socket!.send(JSON.stringify({ do: what, ...fields }));
  }

  /** Sends and waits for the answer; null if it is an error. */
  ask<T extends ServerText["type"]>(type: T, what: string, fields: Record<string, unknown>): Promise<Of<T> | null> {
    if (!this.isOpen) return Promise.resolve(null);
    const n = ++this.number;
    return new Promise((resolve) => {
      this.asked.set(n, (message) => resolve(message.type === type ? (message as Of<T>) : null));
      this.send(what, { ...fields, n });
    });
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}
