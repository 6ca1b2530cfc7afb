// The list of the entities in a recording.

import type { Agreement, Entity } from "../protocol";
import type { Figures } from "../scene/figures";
import { h, setChildren } from "../ui/dom";
import { count, metres, speed } from "../ui/format";
import { limitRate } from "../ui/rate";

/** The maximum number of rows. */
const MAX_ROWS = 300;
/** The minimum time between two updates, in milliseconds. */
const UPDATE_INTERVAL = 250;

export class EntityList {
  readonly element = h("div", { class: "list entities" });
  readonly count = h("small", {});
  readonly search = h("input", { type: "search", placeholder: "Filter by name or guid", "aria-label": "Filter entities" });
  readonly show = limitRate(UPDATE_INTERVAL, (figures: Figures, selected: string | null) => this.update(figures, selected));

  /** How the selected entity agrees with the server. */
  readonly facts = h("div", { class: "within agreement", hidden: true });
  private agreement = new Map<string, Agreement>();

  /** `onSeek` is called with the time of the worst moment. */
  constructor(
    private readonly onSelect: (guid: string) => void,
    private readonly onSeek: (t: number) => void,
  ) {
    this.element.append(h("p", { class: "empty within" }, "No recording is open."));
  }

  setAgreement(list: Agreement[]): void {
    this.agreement = new Map(list.map((entry) => [entry.guid, entry]));
  }

  /** Shows how the selected entity agrees with what the server reported. */
  private showFacts(selected: string | null): void {
    const facts = selected ? this.agreement.get(selected) : undefined;
    if (this.facts.dataset.guid === selected && this.facts.dataset.known === String(facts !== undefined)) return;
    this.facts.dataset.guid = selected ?? "";
    this.facts.dataset.known = String(facts !== undefined);
    this.facts.hidden = !facts;
    if (!facts) return;
    const { reports, median, worst, worst_at: at, snaps, teleports } = facts;
    const jumps = `${count(snaps, "snap")}, ${count(teleports, "teleport")}`;
    const text = reports ? `${count(reports, "report")}: ${metres(median)} off in the median, ${metres(worst)} at worst; ${jumps}` : `No reports; ${jumps}`;
    setChildren(this.facts, h("p", { class: "soft" }, text), at !== null && h("button", { onclick: () => this.onSeek(at) }, "Worst moment"));
  }

  private update(figures: Figures, selected: string | null): void {
    this.showFacts(selected);
    // Rows are not replaced while one of them has the focus.
    if (this.element.contains(document.activeElement)) return;
    const filter = this.search.value.trim().toLowerCase();
    const matches = [...figures.entities]
      .filter((entity) => entity.view === 0 && !entity.parent && `${entity.name} ${entity.guid}`.toLowerCase().includes(filter))
      .map((entity) => ({ entity, body: figures.find(entity.guid, 0)?.body }))
      .sort((a, b) => Number(!a.body) - Number(!b.body) || rank(a.entity) - rank(b.entity) || a.entity.name.localeCompare(b.entity.name));
    const present = matches.filter(({ body }) => body).length;
    this.count.textContent = matches.length ? `${present} of ${matches.length} present` : "";
    const rows = matches.slice(0, MAX_ROWS).map(({ entity, body }) =>
      h(
        "button",
        {
          class: body ? "item" : "item soft",
          "aria-current": String(entity.guid === selected),
          onclick: () => this.onSelect(entity.guid),
          title: `${entity.guid}${entity.stand_in ? ", shown by a stand-in because its data is missing" : ""}`,
        },
        h("span", {}, entity.name || entity.guid),
        h("span", { class: "soft num" }, !body ? "not present" : body.speed > 0.05 && !this.agreement.get(entity.guid)?.reports ? speed(body.speed) : ""),
        this.errorText(entity.guid),
      ),
    );
    const empty = filter ? "No entity matches the filter." : "There are no entities at this time.";
    setChildren(this.element, ...(rows.length ? rows : [h("p", { class: "empty within" }, empty)]));
  }

  /** The median distance from the reports, snaps and teleports. */
  private errorText(guid: string): HTMLElement | null {
    const facts = this.agreement.get(guid);
    if (!facts?.reports) return null;
    const jumps = facts.snaps + facts.teleports;
    const isBad = (facts.median ?? 0) > 1 || facts.snaps > 0;
    const title = `${metres(facts.median)} from the server's reports in the median, ${metres(facts.worst)} at worst; ${count(facts.snaps, "snap")}, ${count(facts.teleports, "teleport")}`;
    return h("span", { class: isBad ? "num bad" : "num soft", title }, `±${metres(facts.median, 1)}${jumps ? ` · ${jumps}⤳` : ""}`);
  }
}

function rank(entity: Entity): number {
  return { player: 0, creature: 1, crowd: 2, door: 3, object: 4 }[entity.kind];
}
