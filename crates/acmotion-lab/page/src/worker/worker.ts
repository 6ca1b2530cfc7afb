// The worker of a page without a server: it holds the lab, answers requests, and gives sessions their time.

import initEngine, { Lab, type Reply, type Session } from "lab-engine";
import compressed from "lab-engine.gz";
import type { FromWorker, ToWorker } from "../backend/worker-messages";
import type { RecordingSummary } from "../protocol";
import { find, keep } from "./kept-files";

interface Running {
  session: Session;
  timer: number;
  /** Whether the page has taken what was sent. Until then nothing more is, so that a slow page gets the newest tick only. */
  isTaken: boolean;
}

const sessions = new Map<number, Running>();

/** The real time, in seconds. */
const now = (): number => performance.now() / 1000;

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  postMessage(message, { transfer });
}

async function start(): Promise<Lab> {
  const bytes = Uint8Array.from(atob(compressed), (character) => character.charCodeAt(0));
  const module = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  await initEngine({ module_or_path: new Response(module, { headers: { "content-type": "application/wasm" } }) });
  return new Lab();
}

/** An answer, as HTTP has it. */
interface Answer {
  status: number;
  contentType: string;
  body: ArrayBuffer;
}

function take(reply: Reply): Answer {
  const answer = { status: reply.status, contentType: reply.contentType, body: reply.body.buffer };
  reply.free();
  return answer;
}

function failure(status: number, error: string): Answer {
  return { status, contentType: "application/json", body: new TextEncoder().encode(JSON.stringify({ error })).buffer };
}

/** Opens a recording: the file, or the one that is kept under the digest that the query names. */
async function openCapture(lab: Lab, query: string, given: File | null): Promise<Answer> {
  const digest = new URLSearchParams(query).get("digest") ?? "";
  const file = given ?? (await find(digest).catch(() => null));
  if (!file) return failure(404, "this browser does not have the file; open it");
  const answer = take(lab.openCapture(query, new Uint8Array(new FileReaderSync().readAsArrayBuffer(file))));
  if (answer.status === 200) {
    const summary = JSON.parse(new TextDecoder().decode(answer.body)) as RecordingSummary;
    // If the browser keeps nothing, links open the file only in this window. Where they do not, the page says so.
    if (summary.digest) await keep(summary.digest, file).catch(() => undefined);
  }
  return answer;
}

/** Opens a dat or cell file, which is read where it is. */
function openDat(lab: Lab, query: string, file: File): Answer {
  const read = (offset: number, length: number) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + length)));
  return take(lab.openDat(query, file.size, read));
}

async function answer(lab: Lab, { path, isPost, file }: ToWorker & { type: "request" }): Promise<Answer> {
  const [name = "", query = ""] = path.split("?");
  if (!isPost) return take(lab.get(path));
  if (name === "/api/capture") return openCapture(lab, query, file);
  if (name === "/api/dat" && file) return openDat(lab, query, file);
  return failure(404, "there is nothing at this address");
}

/** Sends what is new, and sets the time at which the session goes on. */
function pump(id: number, running: Running): void {
  if (running.isTaken) {
    const frames = running.session.take().map((frame) => (typeof frame === "string" ? frame : frame.buffer));
    if (frames.length > 0) {
      running.isTaken = false;
      post({ type: "frames", session: id, frames }, frames.filter((frame) => typeof frame !== "string"));
    }
  }
  clearTimeout(running.timer);
  const due = running.session.nextAdvance();
  if (due === undefined) return;
  running.timer = self.setTimeout(() => {
    running.session.advance(now());
    pump(id, running);
  }, Math.max(0, (due - now()) * 1000));
}

function connect(lab: Lab, id: number, query: string): void {
  let session: Session;
  try {
    session = lab.openSession(query, now());
  } catch (error) {
    // A text is an answer of the lab; anything else is a fault, and ends the worker.
    if (typeof error !== "string") throw error;
    post({ type: "closed", session: id, reason: (JSON.parse(error) as { error: string }).error });
    return;
  }
  const running = { session, timer: 0, isTaken: true };
  sessions.set(id, running);
  post({ type: "open", session: id });
  pump(id, running);
}

async function handle(lab: Lab, message: ToWorker): Promise<void> {
  if (message.type === "request") {
    const reply = await answer(lab, message);
    post({ type: "answer", id: message.id, ...reply }, [reply.body]);
    return;
  }
  if (message.type === "connect") return connect(lab, message.session, message.query);
  const running = sessions.get(message.session);
  if (!running) return;
  if (message.type === "close") {
    clearTimeout(running.timer);
    sessions.delete(message.session);
    running.session.free();
    return;
  }
  if (message.type === "command") running.session.command(message.text, now());
  else running.isTaken = true;
  pump(message.session, running);
}

const lab = start();
/** Ends the worker with an error that the page is told. */
const fail = (error: unknown) => setTimeout(() => { throw error; });
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => void lab.then((lab) => handle(lab, data)).catch(fail));
