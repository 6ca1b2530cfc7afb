// Every shortcut in one list: what a key does, and the page that tells.

import { h, fill } from "./dom";

export interface Shortcut {
  /** `KeyboardEvent.key` in lower case, or `code:KeyW` for a place on the keyboard. */
  keys: string[];
  /** As the help shows them. */
  shown: string;
  what: string;
  group: string;
  down: (event: KeyboardEvent) => void;
  up?: (event: KeyboardEvent) => void;
}

/** The shortcuts that hold while a view is in front. */
export class Keys {
  private readonly common: Shortcut[] = [];
  private view: Shortcut[] = [];
  private readonly held = new Map<string, Shortcut>();
  private readonly dialog: HTMLDialogElement;

  constructor() {
    this.dialog = h("dialog", { class: "help", "aria-label": "Keyboard shortcuts" });
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
    addEventListener("keydown", (event) => this.onDown(event));
    addEventListener("keyup", (event) => this.onUp(event));
    addEventListener("blur", () => this.releaseAll());
  }

  always(...shortcuts: Shortcut[]): void {
    this.common.push(...shortcuts);
  }

  /** The shortcuts of the view that comes to the front; what was held is let go. */
  use(shortcuts: Shortcut[]): void {
    this.releaseAll();
    this.view = shortcuts;
  }

  releaseAll(): void {
    for (const shortcut of this.held.values()) shortcut.up?.(new KeyboardEvent("keyup"));
    this.held.clear();
  }

  help(): void {
    const groups = new Map<string, Shortcut[]>();
    for (const shortcut of [...this.view, ...this.common]) {
      groups.set(shortcut.group, [...(groups.get(shortcut.group) ?? []), shortcut]);
    }
    const close = h("button", { class: "quiet", onclick: () => this.dialog.close() }, "Close");
    const lists = [...groups].map(([group, list]) =>
      h(
        "section",
        {},
        h("h3", {}, group),
        ...list.map((entry) =>
          h("div", { class: "shortcut" }, h("kbd", {}, entry.shown), h("span", {}, entry.what)),
        ),
      ),
    );
    fill(
      this.dialog,
      h("header", {}, h("h2", {}, "Keyboard"), close),
      h("div", { class: "help-groups" }, ...lists),
    );
    if (!this.dialog.open) this.dialog.showModal();
  }

  private find(event: KeyboardEvent): Shortcut | undefined {
    const names = [`code:${event.code}`, event.key.toLowerCase()];
    const fits = (shortcut: Shortcut) => shortcut.keys.some((key) => names.includes(key));
    return this.view.find(fits) ?? this.common.find(fits);
  }

  private onDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open || takesText(event)) return;
    const shortcut = this.find(event);
    if (!shortcut) return;
    event.preventDefault();
    if (this.held.has(event.code)) return;
    if (shortcut.up) {
      if (event.repeat) return;
      this.held.set(event.code, shortcut);
    }
    shortcut.down(event);
  }

  private onUp(event: KeyboardEvent): void {
    const shortcut = this.held.get(event.code);
    if (!shortcut) return;
    this.held.delete(event.code);
    shortcut.up?.(event);
  }
}

/** Whether the focused element wants this key for itself. */
function takesText(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) {
    if (target.type === "range") return /^(Arrow|Page|Home|End)/.test(event.key);
    return target.type !== "checkbox" || event.key === " ";
  }
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  const presses = event.key === "Enter" || event.key === " ";
  if (presses && target.closest("button, a, summary, [tabindex]")) return !target.matches("canvas, body");
  return false;
}
