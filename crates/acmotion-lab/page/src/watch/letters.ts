// One message, decoded, in a dialog; and values as a tree.

import type { Session } from "../live";
import type { Letter } from "../protocol";
import { h, fill } from "../ui/dom";
import { number, words } from "../ui/format";

/** A decoded value as indented lines. */
export function tree(value: unknown): HTMLElement {
  const root = h("div", { class: "tree" });
  branch(root, null, value, 0);
  return root;
}

function branch(into: HTMLElement, key: string | null, value: unknown, depth: number): void {
  const label = key === null ? "" : `${words(key).toLowerCase()} `;
  const plain = value === null || typeof value !== "object" || (Array.isArray(value) && value.every((item) => typeof item !== "object"));
  if (plain || depth > 12) {
    into.append(h("div", {}, h("span", { class: "k" }, label), leaf(value)));
    return;
  }
  const box = h("div", {}, label !== "" && h("span", { class: "k" }, label));
  const entries = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item] as const) : Object.entries(value as object);
  if (entries.length === 0) box.append("none");
  for (const [name, item] of entries) branch(box, name, item, depth + 1);
  into.append(box);
}

function leaf(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : number(value, 4);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length ? value.map(leaf).join(", ") : "none";
  return String(value);
}

/** What `decode` says about a message, without what the list says already. */
export async function decoded(letter: Letter, session: Session): Promise<HTMLElement> {
  const answer = await session.ask("message", "message", { number: letter.number });
  if (!answer) return h("p", { class: "empty" }, "The message is not kept any more.");
  const text = answer.text as { decoded?: unknown; error?: unknown; raw_hex?: string };
  return h(
    "div",
    {},
    text.error ? h("p", { class: "bad" }, "This message could not be decoded: ", JSON.stringify(text.error)) : null,
    text.decoded ? tree(text.decoded) : null,
    text.raw_hex ? h("details", {}, h("summary", {}, `${letter.bytes} bytes`), h("div", { class: "mono hex" }, text.raw_hex)) : null,
  );
}

export class Letters {
  private readonly dialog = h("dialog", { class: "help letter", "aria-label": "Message" });

  constructor() {
    document.body.append(this.dialog);
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  async open(letter: Letter, session: Session): Promise<void> {
    const body = await decoded(letter, session);
    const close = h("button", { class: "quiet", onclick: () => this.dialog.close() }, "Close");
    const way = letter.direction === "C2S" ? "client to server" : "server to client";
    fill(
      this.dialog,
      h("header", {}, h("h2", {}, letter.name, " ", h("small", {}, `${number(letter.t)} s, ${way}`)), close),
      h("div", { class: "letter-body" }, body),
    );
    this.dialog.showModal();
  }
}
