// The connection to one session of the lab: messages and ticks in, commands out.

import { lab, type Line } from "../backend/backend";
import type { Command, Request, ServerMessage } from "../protocol";
import { TickReader, type Tick } from "../tick";

type MessageOf<T extends ServerMessage["type"]> = Extract<ServerMessage, { type: T }>;
type Handlers = { [T in ServerMessage["type"]]?: (message: MessageOf<T>) => void };

/** `refused` means that the lab answers, but opens no session. */
export type LinkState = "up" | "wait" | "down" | "refused";

/** The maximum number of attempts to reconnect. */
const MAX_RETRIES = 40;
/** The number of failed attempts after which the connection counts as down. */
const RETRIES_UNTIL_DOWN = 2;

export class Connection {
  private line: Line | null = null;
  private lastRequest = 0;
  private isClosed = false;
  private retries = 0;
  /** The timer of the next attempt. */
  private timer = 0;
  /** Receives the answer to each request; null if there will be none. */
  private readonly pending = new Map<number, (message: ServerMessage | null) => void>();

  constructor(
    private readonly query: Record<string, string>,
    private readonly handlers: Handlers,
    private readonly onTick: (tick: Tick) => void,
    private readonly onLink: (state: LinkState, text: string) => void,
  ) {
    const { refusal } = lab();
    if (refusal === null) this.connect();
    else onLink("down", refusal);
  }

  private connect(): void {
    const reader = new TickReader();
    let wasOpen = false;
    let hasBegun = false;
    let reason = "";
    if (this.retries === 0) this.onLink("wait", "connecting");
    const onMessage = (data: string | ArrayBuffer) => {
      if (line !== this.line) return;
      if (data instanceof ArrayBuffer) {
        const tick = reader.read(data);
        if (tick) this.onTick(tick);
        return;
      }
      const message = JSON.parse(data) as ServerMessage;
      if (message.type === "end") reason = message.reason;
      else this.retries = 0;
      if (message.type === "hello") this.onLink("up", lab().openText);
      hasBegun ||= message.type === "hello";
      this.dispatch(message);
    };
    const onClose = (given: string) => {
      // One that was given up for another attempt says nothing about the lab.
      if (this.isClosed || line !== this.line) return;
      for (const answer of this.pending.values()) answer(null);
      this.pending.clear();
      this.reconnect(wasOpen, reason || given, reason !== "" && !hasBegun);
    };
    const line = lab().connect(this.query, { onOpen: () => (wasOpen = true), onMessage, onClose });
    this.line = line;
  }

  /** Tries again after a delay that grows with each attempt. */
  private reconnect(wasOpen: boolean, reason: string, isRefused: boolean): void {
    this.retries += 1;
    const isDown = this.retries > RETRIES_UNTIL_DOWN;
    const fallback = !wasOpen && isDown ? "the lab was stopped or restarted: open the address that it prints" : "connection lost";
    this.onLink(isRefused ? "refused" : isDown ? "down" : "wait", reason || fallback);
    if (this.retries < MAX_RETRIES) this.timer = window.setTimeout(() => !this.isClosed && this.connect(), Math.min(500 * this.retries, 5000));
  }

  /** Tries again at once, after all attempts have failed or while the next one is waited for. */
  retry(): void {
    if (this.isClosed || this.isOpen) return;
    clearTimeout(this.timer);
    // An attempt under way would open a second session.
    this.line?.close();
    this.retries = 0;
    this.connect();
  }

  private dispatch(message: ServerMessage): void {
    // A state repeats the id of the last command, but does not answer it.
    const id = message.type !== "state" && "request_id" in message ? message.request_id : null;
    const answer = id === null ? undefined : this.pending.get(id);
    if (id !== null && answer) {
      this.pending.delete(id);
      answer(message);
      return;
    }
    const handler = this.handlers[message.type] as ((message: ServerMessage) => void) | undefined;
    handler?.(message);
  }

  get isOpen(): boolean {
    return this.line?.isOpen ?? false;
  }

  send(request: Request): void {
    if (this.isOpen) this.line!.send(JSON.stringify(request));
  }

  /** Sends a command and resolves to its answer, or to null if it fails. */
  ask<T extends ServerMessage["type"]>(type: T, command: Command): Promise<MessageOf<T> | null> {
    if (!this.isOpen) return Promise.resolve(null);
    const id = ++this.lastRequest;
    return new Promise((resolve) => {
      this.pending.set(id, (message) => resolve(message?.type === type ? (message as MessageOf<T>) : null));
      this.send({ ...command, request_id: id });
    });
  }

  close(): void {
    this.isClosed = true;
    this.line?.close();
  }
}
