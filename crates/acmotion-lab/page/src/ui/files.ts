// The dat and cell files that are open in the lab, and the choice of one of them. Others can be uploaded.

import { get, uploadDat } from "../api";
import type { About, FileSummary } from "../protocol";
import { h, setChildren } from "./dom";
import { bytes } from "./format";
import type { Shell } from "./shell";

/** The value of the option that asks for another file. */
const CHOOSE = "choose";

/** The files that are open. */
export class OpenFiles {
  private readonly listeners: (() => void)[] = [];

  constructor(private about: About) {}

  get list(): FileSummary[] {
    return this.about.files;
  }

  get maxBytes(): number {
    return this.about.limits.dat_bytes;
  }

  find(number: number): FileSummary | undefined {
    return this.list.find((file) => file.number === number);
  }

  /** Calls a function now and whenever other files are open. */
  watch(listener: () => void): void {
    this.listeners.push(listener);
    listener();
  }

  async refresh(): Promise<void> {
    this.about = await get<About>("/api/about");
    for (const listener of this.listeners) listener();
  }
}

export interface FileChoiceOptions {
  id: string;
  kind: FileSummary["kind"];
  label: string;
  /** The text of the option for no file, with the value "none". There is none without it. */
  none?: string;
  onChange: (value: string) => void;
}

/** A choice of one of the open files. */
export class FileChoice {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly input: HTMLInputElement;
  private chosen: string;

  constructor(
    private readonly files: OpenFiles,
    private readonly shell: Shell,
    private readonly options: FileChoiceOptions,
  ) {
    const { id, label, none } = options;
    this.select = h("select", { id });
    this.input = h("input", { type: "file", id: `${id}-file`, hidden: true, accept: ".dat" });
    this.element = h("div", { class: "field" }, h("label", { for: id }, label), this.select, this.input);
    this.chosen = none === undefined ? "0" : "none";
    this.select.addEventListener("change", () => this.onSelect());
    this.input.addEventListener("change", () => {
      const file = this.input.files?.[0];
      if (file) void this.upload(file);
      this.input.value = "";
    });
    files.watch(() => this.update());
  }

  /** The number of the file, or "none". */
  get value(): string {
    return this.chosen;
  }

  set(value: string): void {
    this.chosen = value;
    this.update();
  }

  private update(): void {
    const { kind, none } = this.options;
    const named = this.files.list.filter((file) => file.kind === kind);
    const text = ({ name, built_in: builtIn }: FileSummary) => (builtIn ? `${name} (built-in)` : name);
    setChildren(
      this.select,
      ...(none === undefined ? [] : [h("option", { value: "none" }, none)]),
      ...named.map((file) => h("option", { value: String(file.number) }, text(file))),
      h("option", { value: CHOOSE }, "choose a file …"),
    );
    if (!named.some(({ number }) => String(number) === this.chosen) && this.chosen !== "none") this.chosen = none === undefined ? "0" : "none";
    this.select.value = this.chosen;
  }

  private onSelect(): void {
    const { value } = this.select;
    this.select.value = value === CHOOSE ? this.chosen : value;
    if (value === CHOOSE) this.input.click();
    else this.choose(value);
  }

  private choose(value: string): void {
    this.chosen = value;
    this.options.onChange(value);
  }

  private async upload(file: File): Promise<void> {
    const { shell, files } = this;
    if (file.size > files.maxBytes) {
      shell.showToast(`${file.name} is too large: it has ${bytes(file.size)}, and the limit is ${bytes(files.maxBytes)}.`, true);
      return;
    }
    shell.showToast(`Opening ${file.name} …`);
    try {
      const opened = await uploadDat(file);
      await files.refresh();
      if (opened.kind !== this.options.kind) {
        shell.showToast(`${file.name} is a ${opened.kind} file: choose it there.`, true);
        return;
      }
      this.set(String(opened.number));
      shell.showToast(`${file.name} is open.`);
      this.choose(this.chosen);
    } catch (error) {
      const { message } = error as Error;
      shell.showToast(message.startsWith(file.name) ? message : `${file.name}: ${message}`, true);
    }
  }
}
