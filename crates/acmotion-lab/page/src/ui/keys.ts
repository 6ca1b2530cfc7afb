// Keyboard shortcuts, and the dialog that lists them.

import { h, setChildren } from "./dom";

export interface Shortcut {
  /** `KeyboardEvent.key` in lower case, or `code:KeyW` for a position on the keyboard. */
  keys: string[];
  /** The keys as the list shows them. */
  shown: string;
  description: string;
  group: string;
  down: (event: KeyboardEvent) => void;
  up?: (event: KeyboardEvent) => void;
}

/** The shortcuts of all views and of the one in front. */
export class Keys {
  private readonly common: Shortcut[] = [];
  private view: Shortcut[] = [];
  /** Shortcuts that wait for their key to be released, by its code. */
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

  /** Adds shortcuts for all views. */
  addCommon(...shortcuts: Shortcut[]): void {
    this.common.push(...shortcuts);
  }

  /** Sets the shortcuts of the view in front, and releases all keys. */
  setView(shortcuts: Shortcut[]): void {
    this.releaseAll();
    this.view = shortcuts;
  }

  releaseAll(): void {
    for (const shortcut of this.held.values()) shortcut.up?.(new KeyboardEvent("keyup"));
    this.held.clear();
  }

  showHelp(): void {
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
          h("div", { class: "shortcut" }, h("kbd", {}, entry.shown), h("span", {}, entry.description)),
        ),
      ),
    );
    setChildren(
      this.dialog,
      h("header", {}, h("h2", {}, "Keyboard shortcuts"), close),
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
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open || isForElement(event)) return;
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

/** Whether the focused element handles this key itself. */
function isForElement(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) {
    if (target.type === "range") return /^(Arrow|Page|Home|End)/.test(event.key);
    return target.type !== "checkbox" || event.key === " ";
  }
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  const isActivation = event.key === "Enter" || event.key === " ";
  if (isActivation && target.closest("button, a, summary, [tabindex]")) return !target.matches("canvas, body");
  return false;
}
