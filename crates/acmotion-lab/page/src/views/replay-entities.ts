// The list of the entities in a recording.

import type { Entity } from "../protocol";
import type { Figures } from "../scene/figures";
import { h, setChildren } from "../ui/dom";
import { speed } from "../ui/format";
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

  constructor(private readonly onSelect: (guid: string) => void) {
    this.element.append(h("p", { class: "empty within" }, "No recording is open."));
  }

  private update(figures: Figures, selected: string | null): void {
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
          "aria-selected": String(entity.guid === selected),
          onclick: () => this.onSelect(entity.guid),
          title: `${entity.guid}${entity.stand_in ? ", shown by a stand-in because its data is missing" : ""}`,
        },
        h("span", {}, entity.name || entity.guid),
        h("span", { class: "soft num" }, !body ? "not present" : body.speed > 0.05 ? speed(body.speed) : ""),
      ),
    );
    const empty = filter ? "No entity matches the filter." : "There are no entities at this time.";
    setChildren(this.element, ...(rows.length ? rows : [h("p", { class: "empty within" }, empty)]));
  }
}

function rank(entity: Entity): number {
  return { player: 0, creature: 1, crowd: 2, door: 3, object: 4 }[entity.kind];
}
