// Captures and single messages.

import { bool, finite, message, options, text, wrong, type ByteSource, type Era } from "./check.js";
import { give, memory } from "./engine.js";
import type { JsonObject } from "./json.js";
import * as native from "./wasm/acmotion_wasm.js";

/** `S2C` for a message from the server, `C2S` for one from the client. */
export type Direction = "S2C" | "C2S";

/** A line of `acmotion decode --json`. */
interface Line {
  time: number | null;
  direction: Direction;
  opcode?: string | null;
  sub_opcode?: string | null;
  name: string;
  guid?: string | null;
  decoded?: JsonObject | null;
  error?: JsonObject | null;
  raw_hex: string;
}

/** A message of a capture. */
export class Message {
  readonly #line: Line;

  /** @internal */
  constructor(json: string) {
    this.#line = JSON.parse(json) as Line;
  }

  /** The time of the capture in seconds; NaN if it has none. */
  get time(): number {
    return this.#line.time ?? NaN;
  }

  get direction(): Direction {
    return this.#line.direction;
  }

  /** The opcode; `null` if the message is too short to have one. */
  get opcode(): number | null {
    return idOrNull(this.#line.opcode);
  }

  /** The opcode of the event or action that the message contains; `null` if it contains none. */
  get subOpcode(): number | null {
    return idOrNull(this.#line.sub_opcode);
  }

  /** The name of the message, or of the event or action that it contains. */
  get name(): string {
    return this.#line.name;
  }

  /** The object that the message is about; `null` if it names none. */
  get guid(): number | null {
    return idOrNull(this.#line.guid);
  }

  /** The fields, by their names in `acmotion decode --json`; `null` if it cannot be decoded, or is of an unknown type. */
  get decoded(): JsonObject | null {
    return this.#line.decoded ?? null;
  }

  /** What is wrong with the message; `null` if it can be decoded. */
  get error(): JsonObject | null {
    return this.#line.error ?? null;
  }

  /** The bytes, from the opcode on. */
  get bytes(): Uint8Array {
    const digits = this.#line.raw_hex;
    return Uint8Array.from({ length: digits.length / 2 }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16));
  }

  /** Returns the line of `acmotion decode --json`. */
  toJSON(): JsonObject {
    return { ...this.#line } as unknown as JsonObject;
  }
}

function idOrNull(id: string | null | undefined): number | null {
  return typeof id === "string" ? Number(id) : null;
}

/** How a capture is read. */
export interface DecodeOptions {
  era?: Era;
  /** Whether all messages are returned, not only those about movement. */
  all?: boolean;
  /** Whether a damaged record is an error. By default such records are skipped and listed in `errors`. */
  strict?: boolean;
}

/** The counters of a capture, as far as it has been read. Times are in seconds. */
export interface CaptureSummary {
  readonly records: number;
  readonly packets: number;
  readonly damaged: number;
  readonly notUdp: number;
  readonly ipFragments: number;
  readonly notOurs: number;
  readonly undecided: number;
  readonly retransmissions: number;
  readonly messagesS2C: number;
  readonly messagesC2S: number;
  readonly fragments: number;
  readonly repeatedFragments: number;
  readonly refusedFragments: number;
  readonly incompleteMessages: number;
  readonly missingFragments: number;
  readonly errors: number;
  readonly truncated: boolean;
  readonly firstTime: number | null;
  readonly lastTime: number | null;
}

/** A capture that is being read: iterate over it to get its messages. Its memory is freed at the end. */
export class Decoder implements IterableIterator<Message> {
  #native: native.Decoder | undefined;
  #ready: string[] = [];
  #errors: readonly string[] = [];
  #summary: CaptureSummary;

  /** @internal */
  constructor(file: ByteSource, how?: DecodeOptions) {
    const { era = "retail", all = false, strict = false } = options(how);
    const [numbering, everything, refusing] = [text(era, "era"), bool(all, "all"), bool(strict, "strict")];
    this.#native = new native.Decoder(give(file, "file"), numbering, everything, refusing);
    this.#summary = JSON.parse(this.#native.summary()) as CaptureSummary;
  }

  [Symbol.iterator](): this {
    return this;
  }

  /** Returns the next message. Throws a `CaptureError` if the file is no capture. */
  next(): IteratorResult<Message, undefined> {
    if (this.#ready.length === 0 && this.#native !== undefined) this.#read(this.#native);
    const line = this.#ready.pop();
    return line === undefined ? { done: true, value: undefined } : { done: false, value: new Message(line) };
  }

  #read(decoder: native.Decoder): void {
    let lines = "";
    try {
      lines = decoder.next_lines();
      this.#ready = lines.split("\n").reverse();
      this.#ready.shift();
      this.#errors = decoder.errors();
      this.#summary = JSON.parse(decoder.summary()) as CaptureSummary;
    } finally {
      if (lines === "") this.free();
    }
  }

  /** What was wrong with records of the capture so far: at most 1,000 sentences. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  /** The counters of the capture so far. Reading is some messages ahead of what was returned. */
  get summary(): CaptureSummary {
    return this.#summary;
  }

  /** Ends reading and frees the memory. */
  return(): IteratorResult<Message, undefined> {
    this.free();
    return { done: true, value: undefined };
  }

  /** Frees the memory. There are no more messages. */
  free(): void {
    this.#native?.free();
    this.#native = undefined;
    this.#ready = [];
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** Returns the messages of a capture (the bytes of a pcap, pcapng or JSON Lines file) as an iterator. */
export function decode(file: ByteSource, how?: DecodeOptions): Decoder {
  return new Decoder(file, how);
}

/** Decodes one message, given as bytes that start with its opcode. Throws a `DecodeError` if it is not valid. */
export function decodeMessage(
  bytes: ByteSource,
  direction: Direction = "S2C",
  how?: { time?: number; era?: Era },
): Message {
  memory();
  const { time = 0, era = "retail" } = options(how);
  const line = native.decode_message(message(bytes), text(direction, "direction"), finite(time, "time"), text(era, "era"));
  return new Message(line);
}

/** Returns messages as the bytes of a JSON Lines file, which `decode`, `replay` and the command read. */
export function writeCapture(messages: Iterable<{ time: number; direction: Direction; bytes: ByteSource }>): Uint8Array {
  if (typeof messages !== "object" || messages === null || !(Symbol.iterator in messages)) {
    throw wrong("messages", messages, "a list of messages");
  }
  const lines: string[] = [];
  for (const { time, direction, bytes } of messages) {
    if (direction !== "S2C" && direction !== "C2S") throw wrong("direction", direction, "S2C or C2S");
    const digits = Array.from(message(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    lines.push(JSON.stringify({ t: finite(time, "time"), dir: direction.toLowerCase(), hex: digits }), "\n");
  }
  return new TextEncoder().encode(lines.join(""));
}
