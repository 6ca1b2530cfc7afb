// One message, decoded, in a dialog or as an element.

import type { MessageSummary } from "../protocol";
import { h, setChildren } from "../ui/dom";
import { bytes, humanise, number } from "../ui/format";
import type { Connection } from "./connection";
import { directionText } from "./marks";
import { nameOf, type EntityNames } from "./names";

/** The maximum depth of nested values that are shown as a tree. */
const MAX_DEPTH = 12;

/** Shows a decoded value as indented lines. */
function tree(value: unknown, entityName: EntityNames): HTMLElement {
  const root = h("div", { class: "tree" });
  addBranch(root, null, value, 0, entityName);
  return root;
}

/** The name of what an id stands for: a motion command or an entity. */
function idName(key: string, value: unknown, entityName: EntityNames): string {
  if (typeof value !== "string" || !/^0x[0-9A-F]{8}$/i.test(value)) return "";
  const isCommand = /style|command|motion|action|stance/i.test(key);
  const name = isCommand ? nameOf(Number(value) & 0xffff) : entityName(value);
  return name && !name.startsWith("0x") ? ` ${isCommand ? humanise(name) : name}` : "";
}

function addBranch(parent: HTMLElement, key: string | null, value: unknown, depth: number, entityName: EntityNames): void {
  const label = key === null ? "" : `${humanise(key).toLowerCase()} `;
  const isLeaf = value === null || typeof value !== "object" || (Array.isArray(value) && value.every((item) => typeof item !== "object"));
  if (isLeaf || depth > MAX_DEPTH) {
    parent.append(h("div", {}, h("span", { class: "k" }, label), leafText(value), h("b", {}, idName(key ?? "", value, entityName))));
    return;
  }
  const box = h("div", {}, label !== "" && h("span", { class: "k" }, label));
  const entries = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item] as const) : Object.entries(value as object);
  if (entries.length === 0) box.append("none");
  for (const [name, item] of entries) addBranch(box, name, item, depth + 1, entityName);
  parent.append(box);
}

function leafText(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : number(value, 4);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length ? value.map(leafText).join(", ") : "none";
  return String(value);
}

/** Requests a message and shows its content. */
export async function decodedMessage(message: MessageSummary, connection: Connection, entityName: EntityNames): Promise<HTMLElement> {
  const answer = await connection.ask("message", { command: "message", number: message.number });
  if (!answer) return h("p", { class: "empty" }, "This message is no longer kept.");
  const { decoded, error, raw_hex: rawHex } = answer.content;
  return h(
    "div",
    {},
    error ? h("p", { class: "bad" }, "This message could not be decoded: ", JSON.stringify(error)) : null,
    decoded ? tree(decoded, entityName) : null,
    rawHex ? h("details", {}, h("summary", {}, bytes(message.bytes)), h("div", { class: "mono hex" }, rawHex)) : null,
  );
}

export class MessageDialog {
  private readonly dialog = h("dialog", { class: "help message-dialog", "aria-label": "Message" });

  constructor() {
    document.body.append(this.dialog);
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  async open(message: MessageSummary, connection: Connection, entityName: EntityNames): Promise<void> {
    const body = await decodedMessage(message, connection, entityName);
    const close = h("button", { class: "quiet", onclick: () => this.dialog.close() }, "Close");
    setChildren(
      this.dialog,
      h("header", {}, h("h2", {}, message.name, " ", h("small", {}, `${number(message.t)} s, ${directionText(message)}`)), close),
      h("div", { class: "message-body" }, body),
    );
    this.dialog.showModal();
  }
}
