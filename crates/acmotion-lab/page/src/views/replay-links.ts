// Links to recordings. The number of a recording means nothing to a lab that was restarted, nor in another window of a page
// without a server. An address therefore names its file, too: by its digest, and by its name for people who do not have it.
// Without a server, the browser keeps files by their digests; the address then also tells how the file was read.

import { openKept, type CaptureOptions } from "../api";
import type { RecordingSummary } from "../protocol";

/** The file of a recording, as an address names it. */
export interface LinkedFile {
  digest: string;
  name: string;
  options: CaptureOptions;
}

/** The parts of an address that stand for a recording by its file: those of the open one, and of the one beside it. */
const PREFIXES = { recording: "", beside: "beside-" } as const;
type Place = keyof typeof PREFIXES;
const PLACES = Object.keys(PREFIXES) as Place[];
const DEFAULTS: CaptureOptions = { self: "", era: "retail", dat: "0", cell: "none" };
const OPTIONS = ["self", "era", "cell"] as const;

export class ReplayLinks {
  private readonly files = new Map<number, LinkedFile>();

  /** Remembers the file of a recording that was opened. Files that the user has chosen as dat or land are not named. */
  add({ id, digest, name }: RecordingSummary, options: CaptureOptions, isBuiltIn: (number: string) => boolean): void {
    const cell = isBuiltIn(options.cell) ? options.cell : DEFAULTS.cell;
    if (digest !== null) this.files.set(id, { digest, name, options: { ...options, dat: DEFAULTS.dat, cell } });
  }

  /** Replaces the numbers of recordings in an address by their files. */
  withFiles(fragment: string): string {
    const [view = "", text = ""] = fragment.split("?");
    const query = new URLSearchParams(text);
    for (const place of PLACES) {
      const file = this.files.get(Number(query.get(place)));
      if (!file) continue;
      query.delete(place);
      const prefix = PREFIXES[place];
      query.set(`${prefix}file`, file.digest);
      query.set(`${prefix}name`, file.name);
      for (const option of OPTIONS) if (file.options[option] !== DEFAULTS[option]) query.set(prefix + option, file.options[option]);
    }
    return query.size > 0 ? `${view}?${query}` : view;
  }

  /** Adds the files of recordings of a server to their numbers in an address. */
  static withDigests(fragment: string, recordings: RecordingSummary[]): string {
    const [view = "", text = ""] = fragment.split("?");
    const query = new URLSearchParams(text);
    for (const place of PLACES) {
      const recording = recordings.find(({ id }) => String(id) === query.get(place));
      if (!recording?.digest) continue;
      query.set(`${PREFIXES[place]}file`, recording.digest);
      query.set(`${PREFIXES[place]}name`, recording.name);
    }
    return query.size > 0 ? `${view}?${query}` : view;
  }

  /** Replaces the numbers in an address by those that a server has given to the same files. Returns the file that it has not open if there is one. */
  static fromDigests(query: URLSearchParams, recordings: RecordingSummary[]): URLSearchParams | LinkedFile {
    const numbered = new URLSearchParams(query);
    for (const place of PLACES) {
      const file = fileOf(query, PREFIXES[place]);
      if (!file) continue;
      const same = recordings.filter(({ digest }) => digest === file.digest);
      // The same file may be open several times, read in different ways.
      const found = same.find(({ id }) => String(id) === query.get(place)) ?? same.at(-1);
      if (!found) return file;
      numbered.set(place, String(found.id));
    }
    return numbered;
  }

  /** Whether an address names files. */
  static hasFiles(query: URLSearchParams): boolean {
    return PLACES.some((place) => query.has(`${PREFIXES[place]}file`));
  }

  /** Replaces the files in an address by the numbers of recordings, which are opened if they are not. Resolves to the file that is missing if there is one. */
  async withNumbers(query: URLSearchParams, recordings: RecordingSummary[]): Promise<URLSearchParams | LinkedFile> {
    const numbered = new URLSearchParams(query);
    for (const place of PLACES) {
      const file = fileOf(query, PREFIXES[place]);
      if (!file) continue;
      const id = this.find(file, recordings) ?? (await this.open(file));
      if (id === null) return file;
      for (const name of ["file", "name", ...OPTIONS]) numbered.delete(PREFIXES[place] + name);
      numbered.set(place, String(id));
    }
    return numbered;
  }

  /** The number of an open recording of a file that was read in the same way; null if there is none. */
  private find(file: LinkedFile, recordings: RecordingSummary[]): number | null {
    const isSame = (id: number) => {
      const own = this.files.get(id);
      return own?.digest === file.digest && OPTIONS.every((option) => own.options[option] === file.options[option]);
    };
    return recordings.findLast(({ id }) => isSame(id))?.id ?? null;
  }

  private async open(file: LinkedFile): Promise<number | null> {
    const recording = await openKept(file.digest, file.name, file.options);
    if (recording) this.add(recording, file.options, () => true);
    return recording?.id ?? null;
  }
}

/** The file that an address names; null if it names none. */
function fileOf(query: URLSearchParams, prefix: string): LinkedFile | null {
  const digest = query.get(`${prefix}file`);
  if (!digest) return null;
  const text = (name: string) => query.get(prefix + name);
  const options: CaptureOptions = { self: text("self") ?? DEFAULTS.self, era: text("era") === "2013" ? "2013" : "retail", dat: DEFAULTS.dat, cell: text("cell") ?? DEFAULTS.cell };
  return { digest, name: text("name") ?? "recording", options };
}
