// The list of the entities in a recording.

import type { Agreement, Entity } from "../protocol";
import type { Figures } from "../scene/figures";
import type { Body } from "../tick";
import { h, setChildren, setText } from "../ui/dom";
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
  private readonly rows = new Map<string, HTMLElement>();

  /** `onSeek` is called with the time of the worst moment. */
  constructor(
    private readonly onSelect: (guid: string) => void,
    private readonly onSeek: (t: number) => void,
  ) {
    this.element.append(h("p", { class: "empty within" }, "No recording is open."));
  }

  /** Forgets the entities of another recording. */
  clear(): void {
    this.rows.clear();
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
    const filter = this.search.value.trim().toLowerCase();
    const matches = [...figures.entities]
      .filter((entity) => entity.view === 0 && !entity.parent && `${entity.name} ${entity.guid}`.toLowerCase().includes(filter))
      .map((entity) => ({ entity, body: figures.find(entity.guid, 0)?.body }))
      .sort((a, b) => Number(!a.body) - Number(!b.body) || rank(a.entity) - rank(b.entity) || a.entity.name.localeCompare(b.entity.name));
    const present = matches.filter(({ body }) => body).length;
    this.count.textContent = matches.length ? `${present} of ${matches.length} present` : "";
    const names = new Map<string, number>();
    for (const { entity } of matches) names.set(entity.name, (names.get(entity.name) ?? 0) + 1);
    const rows = matches.slice(0, MAX_ROWS).map(({ entity, body }) => this.row(entity, body, selected, names.get(entity.name) === 1));
    const empty = filter ? "No entity matches the filter." : "There are no entities at this time.";
    const shown = rows.length ? rows : [h("p", { class: "empty within" }, empty)];
    const isSame = shown.length === this.element.children.length && shown.every((row, index) => row === this.element.children[index]);
    // Rows stay where they are, so that they can be clicked and keep the focus while the recording plays.
    if (!isSame) setChildren(this.element, ...shown);
  }

  /** The row of an entity, which is the same element as long as the entity is known. `isAlone` means that no other has its name. */
  private row(entity: Entity, body: Body | undefined, selected: string | null, isAlone: boolean): HTMLElement {
    let row = this.rows.get(entity.guid);
    if (!row) {
      row = h("button", { class: "item", onclick: () => this.onSelect(entity.guid) }, h("span", {}), h("span", { class: "soft num" }), h("span", {}));
      this.rows.set(entity.guid, row);
    }
    const [name, state, error] = row.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
    row.classList.toggle("soft", !body);
    row.setAttribute("aria-current", String(entity.guid === selected));
    row.title = `${entity.guid}${entity.stand_in ? ", shown by a stand-in because its data is missing" : ""}`;
    setText(name, entity.name ? `${entity.name}${isAlone ? "" : ` …${entity.guid.slice(-4)}`}` : entity.guid);
    const isCompared = Boolean(this.agreement.get(entity.guid)?.reports);
    setText(state, !body ? "not present" : body.speed > 0.05 && !isCompared ? speed(body.speed) : "");
    this.showError(error, entity.guid);
    return row;
  }

  /** Shows the median distance from the reports, snaps and teleports. */
  private showError(element: HTMLElement, guid: string): void {
    const facts = this.agreement.get(guid);
    element.hidden = !facts?.reports;
    if (!facts?.reports) return;
    const jumps = facts.snaps + facts.teleports;
    const isBad = (facts.median ?? 0) > 1 || facts.snaps > 0;
    const title = `${metres(facts.median)} from the server's reports in the median, ${metres(facts.worst)} at worst; ${count(facts.snaps, "snap")}, ${count(facts.teleports, "teleport")}`;
    Object.assign(element, { className: isBad ? "num bad" : "num soft", title });
    setText(element, `±${metres(facts.median)}${jumps ? ` · ${jumps}⤳` : ""}`);
  }
}

function rank(entity: Entity): number {
  return { player: 0, creature: 1, crowd: 2, door: 3, object: 4, missile: 5 }[entity.kind];
}
