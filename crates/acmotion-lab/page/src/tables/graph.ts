// One style of a motion table as a picture: styles, substates, actions, modifiers, and the links between them.

import { called, type Command, type Table } from "../protocol";
import { h, s } from "../ui/dom";
import { count, number, words } from "../ui/format";

export interface Chosen {
  style: string;
  motion: string;
  from: string | null;
}
interface Node {
  id: string;
  command: Command;
  kind: "style" | "cycle" | "action" | "modifier";
  undefined: boolean;
  note: string;
  x: number;
  y: number;
}

const W = 134;
const H = 36;
const GAP = 8;
const TITLES: Record<Node["kind"], string> = { style: "Other styles", cycle: "Substates (cycles)", action: "Actions", modifier: "Modifiers" };

function secondsText(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : `${number(value)} s`;
}

/** The nodes of a style, in the order of the table. */
function nodesOf(table: Table, style: string): Node[] {
  const nodes = new Map<string, Node>();
  const add = (kind: Node["kind"], command: Command, note: string, missing = false) => {
    const id = `${kind} ${command.id}`;
    if (!nodes.has(id)) nodes.set(id, { id, command, kind, note, undefined: missing, x: 0, y: 0 });
  };
  for (const cycle of table.cycles) {
    if (cycle.style.id !== style) continue;
    const missing = cycle.animations.some((animation) => animation.missing);
    const hooks = cycle.hooks ? `, ${count(cycle.hooks, "hook")}` : "";
    add("cycle", cycle.motion, missing ? "animation missing" : `${secondsText(cycle.seconds)}${hooks}`, missing);
  }
  for (const gap of table.undefined) {
    if (gap.style.id === style && gap.motion) add("cycle", gap.motion, "undefined", true);
  }
  for (const link of table.links) {
    if (link.style.id !== style) continue;
    if (link.kind === "action") add("action", link.to, `${secondsText(link.seconds)}${link.attacks ? `, ${count(link.attacks, "attack")}` : ""}`);
    if (link.kind === "style") add("style", link.to, secondsText(link.seconds));
  }
  for (const modifier of table.modifiers) {
    if (modifier.style && modifier.style.id !== style) continue;
    add("modifier", modifier.motion, modifier.style ? "this style" : "every style");
  }
  return [...nodes.values()];
}

/** Puts nodes into columns that are no taller than `height`. */
function place(nodes: Node[], height: number): { width: number; heads: { title: string; x: number }[] } {
  const rows = Math.max(3, Math.floor((height - 46) / (H + GAP)));
  const heads: { title: string; x: number }[] = [];
  let x = 16;
  for (const kind of ["style", "cycle", "action", "modifier"] as const) {
    const group = nodes.filter((node) => node.kind === kind);
    if (group.length === 0) continue;
    heads.push({ title: `${TITLES[kind]} (${group.length})`, x });
    group.forEach((node, index) => {
      node.x = x + Math.floor(index / rows) * (W + 14);
      node.y = 32 + (index % rows) * (H + GAP);
    });
    x += Math.ceil(group.length / rows) * (W + 14) + 46;
  }
  return { width: x, heads };
}

export class Graph {
  readonly element = h("div", { class: "graph", tabindex: "-1" });
  private table: Table | null = null;
  private chosen: Chosen | null = null;

  constructor(private readonly choose: (chosen: Chosen) => void) {
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(table: Table, chosen: Chosen): void {
    const jump = this.table !== table || this.chosen?.style !== chosen.style;
    this.table = table;
    this.chosen = chosen;
    this.draw();
    if (jump) this.element.scrollTo(0, 0);
  }

  private draw(): void {
    const { table, chosen } = this;
    const height = this.element.clientHeight;
    if (!table || !chosen || height === 0) return;
    const nodes = nodesOf(table, chosen.style);
    const { width, heads } = place(nodes, height);
    const edges = this.edges(nodes, table, chosen);
    const svg = s(
      "svg",
      { width: Math.max(width, this.element.clientWidth - 2), height: Math.max(height - 4, ...nodes.map((node) => node.y + H + 12)), role: "group", "aria-label": "Motions of this style" },
      ...edges.map(({ path, kind }) => s("path", { d: path, class: kind })),
      ...heads.map(({ title, x }) => s("text", { x, y: 18, class: "lane" }, title)),
      ...nodes.map((node) => this.node(node, chosen)),
    );
    this.element.replaceChildren(svg);
    if (nodes.length === 0) this.element.replaceChildren(h("p", { class: "notice empty" }, "This style has no motions."));
  }

  private node(node: Node, chosen: Chosen): SVGGElement {
    const on = node.command.id === chosen.motion;
    const from = node.kind === "cycle" && node.command.id === chosen.from && !on;
    const name = words(called(node.command));
    const act = () => {
      if (node.kind === "style") this.choose({ style: node.command.id, motion: "", from: null });
      else this.choose({ style: chosen.style, motion: node.command.id, from: chosen.from });
    };
    const element = s(
      "g",
      { class: `node${on ? " on" : ""}${from ? " from" : ""}${node.undefined ? " none" : ""}`, transform: `translate(${node.x} ${node.y})`, tabindex: 0, role: "button", "aria-label": `${name}, ${node.note}`, "data-motion": node.command.name ?? node.command.id },
      s("rect", { width: W, height: H, rx: 7 }),
      s("text", { x: 10, y: node.note ? 15.5 : 22 }, short(name)),
      s("text", { x: 10, y: 29, class: "sub" }, node.note),
      s("title", {}, `${name} (${node.command.id})${node.undefined ? ": the table speaks of it and does not have it" : ""}`),
    );
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
    return element;
  }

  private edges(nodes: Node[], table: Table, chosen: Chosen): { path: string; kind: string }[] {
    const find = (kinds: Node["kind"][], id: string) => nodes.find((node) => node.command.id === id && kinds.includes(node.kind));
    const list: { path: string; kind: string }[] = [];
    for (const link of table.links) {
      if (link.style.id !== chosen.style || !link.from) continue;
      const from = find(["cycle"], link.from.id);
      const to = find(link.kind === "action" ? ["action"] : link.kind === "style" ? ["style"] : ["cycle", "action"], link.to.id);
      if (!from || !to || from === to) continue;
      const played = link.to.id === chosen.motion && link.from.id === chosen.from;
      const touches = link.from.id === chosen.motion || link.to.id === chosen.motion;
      list.push({ path: curve(from, to), kind: played ? "edge on" : touches ? "edge" : "edge far" });
    }
    // The played link on top of its neighbours, those on top of the rest.
    const order = ["edge far", "edge", "edge on"];
    return list.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  }
}

function short(name: string): string {
  return name.length > 18 ? `${name.slice(0, 17)}…` : name;
}

function curve(from: Node, to: Node): string {
  const y1 = from.y + H / 2;
  const y2 = to.y + H / 2;
  if (from.x === to.x) {
    const bow = 12 + Math.min(22, Math.abs(y2 - y1) / 8);
    return `M${from.x} ${y1}C${from.x - bow} ${y1} ${to.x - bow} ${y2} ${to.x} ${y2}`;
  }
  const right = to.x > from.x;
  const x1 = right ? from.x + W : from.x;
  const x2 = right ? to.x : to.x + W;
  const bend = Math.max(16, Math.abs(x2 - x1) / 2) * (right ? 1 : -1);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
