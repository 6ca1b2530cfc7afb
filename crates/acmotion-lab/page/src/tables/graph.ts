// Draws one style of a motion table: other styles, substates, actions, modifiers, and the links between them.

import type { MotionTable, NamedCommand } from "../protocol";
import { h, svg } from "../ui/dom";
import { commandName, count, humanise, seconds } from "../ui/format";

/** The ids of the selected style and motion, and of the substate that the motion starts from. */
export interface Selection {
  style: string;
  motion: string;
  from: string;
}
interface Node {
  id: string;
  command: NamedCommand;
  kind: "style" | "cycle" | "action" | "modifier";
  isUndefined: boolean;
  note: string;
  x: number;
  y: number;
}

/** Sizes in pixels. */
const WIDTH = 134;
const HEIGHT = 36;
const GAP = 8;
const COLUMN_GAP = 14;
const GROUP_GAP = 46;
/** The maximum number of characters of a name. */
const MAX_NAME_LENGTH = 18;
const TITLES: Record<Node["kind"], string> = { style: "Other styles", cycle: "Substates (cycles)", action: "Actions", modifier: "Modifiers" };

const hooksText = (hooks: number) => (hooks ? `, ${count(hooks, "hook")}` : "");

/** The nodes of a style, in the order of the table. What is said of an action is how it plays from the substate `from`, if that has a link to it. */
function nodesOf(table: MotionTable, { style, from }: Selection): Node[] {
  const nodes = new Map<string, Node>();
  const add = (kind: Node["kind"], command: NamedCommand, note: string, isUndefined = false) => {
    const id = `${kind} ${command.id}`;
    if (!nodes.has(id)) nodes.set(id, { id, command, kind, note, isUndefined, x: 0, y: 0 });
  };
  for (const cycle of table.cycles) {
    if (cycle.style.id !== style) continue;
    const missing = cycle.animations.some((animation) => animation.missing);
    add("cycle", cycle.motion, missing ? "animation missing" : `${seconds(cycle.seconds)}${hooksText(cycle.hooks)}`, missing);
  }
  for (const entry of table.undefined) {
    if (entry.style.id === style && entry.motion) add("cycle", entry.motion, "undefined", true);
  }
  const links = table.links.filter((link) => link.style.id === style);
  const played = new Map(links.filter((link) => link.from?.id === from).map((link) => [link.to.id, link]));
  for (const link of links) {
    const shown = played.get(link.to.id) ?? link;
    if (link.kind === "action") add("action", link.to, `${seconds(shown.seconds)}${hooksText(shown.hooks)}`);
    if (link.kind === "style") add("style", link.to, seconds(link.seconds));
  }
  for (const modifier of table.modifiers) {
    if (modifier.style && modifier.style.id !== style) continue;
    add("modifier", modifier.motion, modifier.style ? "this style" : "every style");
  }
  return [...nodes.values()];
}

interface Heading {
  title: string;
  x: number;
}

/** Arranges nodes in columns that are no taller than `height`, one group for each kind. */
function arrange(nodes: Node[], height: number): { width: number; headings: Heading[] } {
  const rows = Math.max(3, Math.floor((height - 46) / (HEIGHT + GAP)));
  const headings: Heading[] = [];
  let x = 16;
  for (const kind of ["style", "cycle", "action", "modifier"] as const) {
    const group = nodes.filter((node) => node.kind === kind);
    if (group.length === 0) continue;
    headings.push({ title: `${TITLES[kind]} (${group.length})`, x });
    group.forEach((node, index) => {
      node.x = x + Math.floor(index / rows) * (WIDTH + COLUMN_GAP);
      node.y = 32 + (index % rows) * (HEIGHT + GAP);
    });
    x += Math.ceil(group.length / rows) * (WIDTH + COLUMN_GAP) + GROUP_GAP;
  }
  return { width: x, headings };
}

export class Graph {
  readonly element = h("div", { class: "graph", tabindex: "-1" });
  private table: MotionTable | null = null;
  private selection: Selection | null = null;

  constructor(private readonly onSelect: (selection: Selection) => void) {
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(table: MotionTable, selection: Selection): void {
    const isOther = this.table !== table || this.selection?.style !== selection.style;
    this.table = table;
    this.selection = selection;
    this.draw();
    if (isOther) this.element.scrollTo(0, 0);
  }

  private draw(): void {
    const { table, selection } = this;
    const height = this.element.clientHeight;
    if (!table || !selection || height === 0) return;
    const nodes = nodesOf(table, selection);
    const { width, headings } = arrange(nodes, height);
    const edges = edgesOf(nodes, table, selection);
    const drawing = svg(
      "svg",
      { width: Math.max(width, this.element.clientWidth - 2), height: Math.max(height - 4, ...nodes.map((node) => node.y + HEIGHT + 12)), role: "group", "aria-label": "Motions of this style" },
      ...edges.map(({ path, kind }) => svg("path", { d: path, class: kind })),
      ...headings.map(({ title, x }) => svg("text", { x, y: 18, class: "heading" }, title)),
      ...nodes.map((node) => this.drawNode(node, selection)),
    );
    this.element.replaceChildren(drawing);
    if (nodes.length === 0) this.element.replaceChildren(h("p", { class: "notice empty" }, "This style has no motions."));
  }

  private drawNode(node: Node, selection: Selection): SVGGElement {
    const isSelected = node.command.id === selection.motion;
    const isStart = node.kind === "cycle" && node.command.id === selection.from && !isSelected;
    const name = humanise(commandName(node.command));
    const select = () => {
      if (node.kind === "style") this.onSelect({ style: node.command.id, motion: "", from: "" });
      else this.onSelect({ ...selection, motion: node.command.id });
    };
    const element = svg(
      "g",
      { class: `node${isSelected ? " on" : ""}${isStart ? " from" : ""}${node.isUndefined ? " undefined" : ""}`, transform: `translate(${node.x} ${node.y})`, tabindex: 0, role: "button", "aria-label": `${name}, ${node.note}`, "data-motion": node.command.name ?? node.command.id },
      svg("rect", { width: WIDTH, height: HEIGHT, rx: 7 }),
      svg("text", { x: 10, y: node.note ? 15.5 : 22 }, shorten(name)),
      svg("text", { x: 10, y: 29, class: "sub" }, node.note),
      svg("title", {}, `${name} (${node.command.id})${node.isUndefined ? ": the table refers to it, but does not define it" : ""}`),
    );
    element.addEventListener("click", select);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      select();
    });
    return element;
  }
}

/** The links of a style as paths, the most important last. */
function edgesOf(nodes: Node[], table: MotionTable, selection: Selection): { path: string; kind: string }[] {
  const find = (kinds: Node["kind"][], id: string) => nodes.find((node) => node.command.id === id && kinds.includes(node.kind));
  const list: { path: string; kind: string }[] = [];
  for (const link of table.links) {
    if (link.style.id !== selection.style || !link.from) continue;
    const from = find(["cycle"], link.from.id);
    const to = find(link.kind === "action" ? ["action"] : link.kind === "style" ? ["style"] : ["cycle", "action"], link.to.id);
    if (!from || !to || from === to) continue;
    const played = link.to.id === selection.motion && link.from.id === selection.from;
    const touches = link.from.id === selection.motion || link.to.id === selection.motion;
    list.push({ path: curve(from, to), kind: played ? "edge on" : touches ? "edge" : "edge far" });
  }
  const order = ["edge far", "edge", "edge on"];
  return list.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

function curve(from: Node, to: Node): string {
  const y1 = from.y + HEIGHT / 2;
  const y2 = to.y + HEIGHT / 2;
  if (from.x === to.x) {
    const bow = 12 + Math.min(22, Math.abs(y2 - y1) / 8);
    return `M${from.x} ${y1}C${from.x - bow} ${y1} ${to.x - bow} ${y2} ${to.x} ${y2}`;
  }
  const right = to.x > from.x;
  const x1 = right ? from.x + WIDTH : from.x;
  const x2 = right ? to.x : to.x + WIDTH;
  const bend = Math.max(16, Math.abs(x2 - x1) / 2) * (right ? 1 : -1);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
