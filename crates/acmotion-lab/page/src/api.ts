// Requests to the lab: JSON and binary data. Data of dat objects is requested once and kept.

import { lab } from "./backend/backend";
import { BINARY, type ErrorBody, type FileSummary, type RecordingSummary, type Setup } from "./protocol";
import { hex } from "./ui/format";

async function errorOf(response: Response): Promise<string> {
  try {
    const body = (await response.json()) as Partial<ErrorBody>;
    if (body.error) return body.error;
  } catch {
    // The answer is not JSON, so there is only its status.
  }
  return `The lab answered with status ${response.status}.`;
}

async function request(path: string, options?: { method: "POST"; body: File | null }): Promise<Response> {
  let response: Response;
  try {
    response = await lab().request(path, options);
  } catch {
    throw new Error(lab().silence);
  }
  if (!response.ok) throw new Error(await errorOf(response));
  return response;
}

export async function get<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}

/** Requests a file to be saved. */
export async function getFile(path: string): Promise<Blob> {
  return (await request(path)).blob();
}

/** How a capture is to be read. */
export interface CaptureOptions {
  /** The guid of the local player; empty if the capture says which entity it is. */
  self: string;
  /** The client version whose numbering motion commands follow. */
  era: "retail" | "2013";
  /** The number of the dat file. */
  dat: string;
  /** The number of the cell file with the land, or "none" for level ground. */
  cell: string;
}

function captureQuery(options: CaptureOptions): URLSearchParams {
  const query = new URLSearchParams({ era: options.era, dat: options.dat, cell: options.cell });
  if (options.self) query.set("self", options.self);
  return query;
}

export async function upload(file: File, options: CaptureOptions): Promise<RecordingSummary> {
  const query = captureQuery(options);
  query.set("name", file.name);
  const response = await request(`/api/capture?${query}`, { method: "POST", body: file });
  return (await response.json()) as RecordingSummary;
}

/** Opens a recording that this browser has kept. Resolves to null if it has not; only a page without a server keeps any. */
export async function openKept(digest: string, name: string, options: CaptureOptions): Promise<RecordingSummary | null> {
  const query = captureQuery(options);
  query.set("name", name);
  query.set("digest", digest);
  const response = await lab().request(`/api/capture?${query}`, { method: "POST", body: null });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(await errorOf(response));
  return (await response.json()) as RecordingSummary;
}

/** Uploads a dat or cell file. */
export async function uploadDat(file: File): Promise<FileSummary> {
  const query = new URLSearchParams({ name: file.name });
  const response = await request(`/api/dat?${query}`, { method: "POST", body: file });
  return (await response.json()) as FileSummary;
}

/** A mesh with a colour at each corner of its triangles. */
export interface MeshData {
  positions: Float32Array;
  normals: Float32Array;
  colours: Float32Array;
}

/** All frames of an animation: a row of seven numbers for each part (x y z, w x y z). */
export interface Frames {
  count: number;
  parts: number;
  data: Float32Array;
}

// The layout of both answers is described in `src/protocol/binary.rs`.

function readMesh(buffer: ArrayBuffer): MeshData {
  const view = new DataView(buffer);
  const [vertices, count, groups] = [0, 4, 8].map((offset) => view.getUint32(offset, true)) as [number, number, number];
  let offset = BINARY.headerSize + groups * BINARY.meshGroupSize;
  const positions = new Float32Array(buffer, offset, vertices * 3);
  offset += vertices * 12;
  const normals = new Float32Array(buffer, offset, vertices * 3);
  offset += vertices * 12;
  const indices = new Uint32Array(buffer, offset, count);
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
    const start = BINARY.headerSize + group * BINARY.meshGroupSize;
    const [first, length, colour] = [0, 4, 8].map((field) => view.getUint32(start + field, true)) as [number, number, number];
    const linear = [16, 8, 0].map((shift) => (((colour >> shift) & 255) / 255) ** 2.2);
    for (let corner = first; corner < Math.min(first + length, count); corner++) mesh.colours.set(linear, corner * 3);
  }
  return mesh;
}

function readFrames(buffer: ArrayBuffer): Frames {
  const view = new DataView(buffer);
  const [count, parts] = [view.getUint32(0, true), view.getUint32(4, true)];
  return { count, parts, data: new Float32Array(buffer, BINARY.headerSize, count * parts * BINARY.rowLength) };
}

/** Requests each object once. */
class Cache<T> {
  private readonly loaded = new Map<number, T | null>();
  private readonly requests = new Map<number, Promise<T | null>>();

  constructor(private readonly fetch: (id: number) => Promise<T>) {}

  /** Returns the object, or null until it is loaded. */
  get(id: number): T | null {
    const loaded = this.loaded.get(id);
    if (loaded !== undefined) return loaded;
    void this.load(id);
    return null;
  }

  /** Whether the request has been answered, possibly by an error. */
  has(id: number): boolean {
    return this.loaded.has(id);
  }

  /** Resolves to null if the request fails. */
  load(id: number): Promise<T | null> {
    const pending = this.requests.get(id);
    if (pending) return pending;
    const request = this.fetch(id).catch(() => null);
    this.requests.set(id, request);
    void request.then((value) => this.loaded.set(id, value));
    return request;
  }
}

const bytes = async (path: string) => (await request(path)).arrayBuffer();

/** The objects of one dat file, each requested once. */
export class DatObjects {
  readonly meshes: Cache<MeshData>;
  readonly frames: Cache<Frames>;
  readonly setups: Cache<Setup>;

  constructor(dat: number) {
    const path = (kind: string, id: number) => `/api/${kind}/${hex(id)}?dat=${dat}`;
    this.meshes = new Cache(async (id) => readMesh(await bytes(path("mesh", id))));
    this.frames = new Cache(async (id) => readFrames(await bytes(path("frames", id))));
    this.setups = new Cache((id) => get<Setup>(path("setup", id)));
  }
}

const objects = new Map<number, DatObjects>();

/** The objects of the dat file with a number; 0 is the one that the lab was started with. */
export function objectsOf(dat: number): DatObjects {
  let found = objects.get(dat);
  if (!found) objects.set(dat, (found = new DatObjects(dat)));
  return found;
}
