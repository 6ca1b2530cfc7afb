// Which events and messages the timeline shows. The browser remembers the choice.

import type { EventRecord, MessageSummary } from "../protocol";
import { checkbox } from "../ui/controls";
import { h } from "../ui/dom";
import { Switch } from "../ui/settings";
import { hookFamily, subjectOf } from "./marks";

/** The kinds of events that can be left out. */
const KINDS = [
  ["attacks", "Attacks that hit"],
  ["sounds", "Sounds"],
  ["looks", "Looks and particles"],
  ["hooks", "Other hooks"],
  ["motions", "Motions that end"],
  ["jumps", "Snaps and teleports"],
  ["rejections", "Rejected messages"],
  ["contacts", "Contacts and ground"],
  ["orders", "Orders and requests"],
  ["others", "Other events"],
] as const;

type Kind = (typeof KINDS)[number][0];

/** The kinds of events other than hooks, which have those of their families. */
const KIND_OF: Partial<Record<EventRecord["event"], Kind>> = {
  motion_done: "motions",
  snap: "jumps",
  teleport: "jumps",
  rejected: "rejections",
  hit_ground: "contacts",
  leave_ground: "contacts",
  hit_environment: "contacts",
  touched: "contacts",
  parted: "contacts",
  moveto: "orders",
  request: "orders",
};

/** A number that makes the ids of the check boxes unique. */
let instances = 0;

export class Filters {
  readonly element: HTMLElement;
  private readonly kinds: Map<Kind, Switch>;
  private readonly onlyOwn = new Switch("own-messages", true);

  constructor(onChange: () => void) {
    const prefix = `filter-${++instances}`;
    this.kinds = new Map(KINDS.map(([kind]) => [kind, new Switch(`events-${kind}`, true)]));
    const box = (id: string, label: string, own: Switch) =>
      checkbox(`${prefix}-${id}`, label, own.value, (on) => {
        own.set(on);
        onChange();
      });
    this.element = h(
      "details",
      { class: "filters" },
      h("summary", { title: "Which events and messages the timeline shows" }, "Filter"),
      h(
        "div",
        { class: "filter-box" },
        ...KINDS.map(([kind, label]) => box(kind, label, this.kinds.get(kind)!)),
        box("messages", "Only messages of the selection", this.onlyOwn),
      ),
    );
  }

  /** Whether only the messages of the selection are shown. */
  get isOwn(): boolean {
    return this.onlyOwn.value;
  }

  acceptsEvent(event: EventRecord): boolean {
    const kind = event.event === "hook" ? hookFamily(event.hook) : (KIND_OF[event.event] ?? "others");
    return this.kinds.get(kind)!.value;
  }

  acceptsMessage(message: MessageSummary, selected: string | null, player: string | null): boolean {
    return !this.onlyOwn.value || !selected || message.guid === selected || subjectOf(message, player) === selected;
  }
}
