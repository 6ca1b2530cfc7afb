// Asking the server: JSON and the binary pieces, each asked for once.

import type { SetupInfo, Uploaded } from "./protocol";
import { hex } from "./ui/format";

const KEY = "acmotion-lab-token";

/** The token of this start of the server: from the address, kept for reloads of this tab. */
export function token(): string {
  const given = new URLSearchParams(location.search).get("token");
  if (given) sessionStorage.setItem(KEY, given);
  return given ?? sessionStorage.getItem(KEY) ?? "";
}

async function words(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as { error?: string };
    if (body.error) return body.error;
  } catch {
    // Not JSON: the status has to do.
  }
  return `The server answered ${response.status}.`;
}

async function request(path: string, options?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The lab's server does not answer. Is `acmotion lab` still running?");
  }
  if (!response.ok) throw new Error(await words(response));
  return response;
}

export async function get<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}

export async function upload(file: File): Promise<Uploaded> {
  const query = new URLSearchParams({ token: token(), name: file.name });
  const response = await request(`/api/capture?${query}`, { method: "POST", body: file });
  return (await response.json()) as Uploaded;
}

/** A mesh with a colour at each corner. */
export interface MeshData {
  positions: Float32Array;
  normals: Float32Array;
  colours: Float32Array;
}
/** All frames of an animation: seven numbers a part (x y z, w x y z). */
export interface Frames {
  count: number;
  parts: number;
  data: Float32Array;
}

function readMesh(buffer: ArrayBuffer): MeshData {
  const head = new DataView(buffer);
  const [vertices, count, groups] = [0, 4, 8].map((at) => head.getUint32(at, true)) as [number, number, number];
  let at = 16 + groups * 12;
  const positions = new Float32Array(buffer, at, vertices * 3);
  at += vertices * 12;
  const normals = new Float32Array(buffer, at, vertices * 3);
  at += vertices * 12;
  const indices = new Uint32Array(buffer, at, count);
  const mesh = {
    positions: new Float32Array(count * 3),
    normals: new Float32Array(count * 3),
    colours: new Float32Array(count * 3).fill(0.7),
  };
  indices.forEach((vertex, corner) => {
    mesh.positions.set(positions.subarray(vertex * 3, vertex * 3 + 3), corner * 3);
    mesh.normals.set(normals.subarray(vertex * 3, vertex * 3 + 3), corner * 3);
  });
  for (let group = 0; group < groups; group++) {
    const [first, length, colour] = [0, 4, 8].map((o) => head.getUint32(16 + group * 12 + o, true)) as [number, number, number];
    const linear = [16, 8, 0].map((shift) => (((colour >> shift) & 255) / 255) ** 2.2);
    for (let corner = first; corner < Math.min(first + length, count); corner++) mesh.colours.set(linear, corner * 3);
  }
  return mesh;
}

function readFrames(buffer: ArrayBuffer): Frames {
  const head = new DataView(buffer);
  const [count, parts] = [head.getUint32(0, true), head.getUint32(4, true)];
  return { count, parts, data: new Float32Array(buffer, 16, count * parts * 7) };
}

/** Asks once; `get` has the answer when it is there, null until then. */
class Shelf<T> {
  private readonly kept = new Map<number, T | null>();
  private readonly waiting = new Map<number, Promise<T | null>>();

  constructor(private readonly ask: (id: number) => Promise<T>) {}

  get(id: number): T | null {
    const kept = this.kept.get(id);
    if (kept !== undefined) return kept;
    void this.load(id);
    return null;
  }

  /** Was it answered, be it by an error? */
  has(id: number): boolean {
    return this.kept.has(id);
  }

  load(id: number): Promise<T | null> {
    const waiting = this.waiting.get(id);
    if (waiting) return waiting;
    const asked = this.ask(id).catch(() => null);
    this.waiting.set(id, asked);
    void asked.then((value) => this.kept.set(id, value));
    return asked;
  }
}

const bytes = async (path: string) => (await request(path)).arrayBuffer();

export const meshes = new Shelf(async (id) => readMesh(await bytes(`/api/mesh/${hex(id)}`)));
export const frames = new Shelf(async (id) => readFrames(await bytes(`/api/frames/${hex(id)}`)));
export const setups = new Shelf((id) => get<SetupInfo>(`/api/setup/${hex(id)}`));
