// Loading the module, and what every other file needs of it.

import start, { Bytes, initSync as startSync, type InitOutput } from "./wasm/acmotion_wasm.js";
import type { ByteSource } from "./check.js";
import { bytesOf } from "./check.js";

/** Where the module comes from: an address, a response, its bytes, or a compiled module. */
export type WasmSource = URL | string | Request | Response | BufferSource | WebAssembly.Module;

let loaded: InitOutput | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the engine. Everything else needs it: await it first. Without a source, the file `acmotion_wasm_bg.wasm` beside this
 * script is fetched, or read in Node. Later calls return the promise of the first, unless that failed.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Loads the engine from bytes or a compiled module, at once. Browsers allow that in workers, and for small modules. */
export function initSync(source: BufferSource | WebAssembly.Module): void {
  loaded ??= startSync({ module: source });
  loading ??= Promise.resolve();
}

async function load(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  const given = (await source) ?? (await standard());
  loaded ??= await start({ module_or_path: given });
}

/** Returns the file beside this script. Node cannot fetch files. */
async function standard(): Promise<WasmSource> {
  const url = new URL("./wasm/acmotion_wasm_bg.wasm", import.meta.url);
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  if (url.protocol !== "file:" || process?.versions?.node === undefined) return url;
  // A variable, so that bundlers for browsers leave it alone.
  const files = "node:fs/promises";
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as {
    readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return readFile(url);
}

/** @internal Returns the memory of the module. Throws an error if the engine has not been loaded. */
export function memory(): WebAssembly.Memory {
  if (loaded === undefined) throw new Error("the engine is not loaded: await init() first");
  return loaded.memory;
}

/** @internal Copies the bytes of a file into the memory of the module. */
export function give(source: ByteSource, name: string): Bytes {
  const bytes = bytesOf(source, name);
  const { buffer } = memory();
  // Bytes of the module itself move when it grows.
  const own = bytes.buffer === buffer ? bytes.slice() : bytes;
  const given = new Bytes(own.length);
  new Uint8Array(memory().buffer, given.address(), own.length).set(own);
  return given;
}

/** @internal Returns the native part of an object, unless it has been freed. */
export function alive<N>(native: N | undefined, what: string): N {
  if (native === undefined) throw new Error(`the ${what} has been freed`);
  return native;
}
