// What `build.mjs` puts in place of these names: crates/acmotion-lab-wasm, and what workers have that pages have not.

declare module "lab-engine" {
  export interface Reply {
    readonly status: number;
    readonly contentType: string;
    readonly body: Uint8Array<ArrayBuffer>;
    free(): void;
  }
  export interface Session {
    command(text: string, now: number): void;
    nextAdvance(): number | undefined;
    advance(now: number): void;
    take(): (string | Uint8Array<ArrayBuffer>)[];
    free(): void;
  }
  export class Lab {
    get(address: string): Reply;
    openCapture(query: string, bytes: Uint8Array): Reply;
    openDat(query: string, length: number, read: (offset: number, length: number) => Uint8Array): Reply;
    openSession(query: string, now: number): Session;
  }
  export default function init(options: { module_or_path: Response }): Promise<unknown>;
}

declare module "lab-engine.gz" {
  /** The module, compressed by gzip, in base64. */
  const base64: string;
  export default base64;
}

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
