// Who is in a recording: a list to pick from.

import type { Being, Tick } from "../protocol";
import type { Figures } from "../scene/figures";
import { h, fill } from "../ui/dom";
import { speed } from "../ui/format";

export class Beings {
  readonly element = h("div", { class: "list entities" });
  readonly counted = h("small", {});
  readonly search = h("input", { type: "search", placeholder: "Filter: name or guid", "aria-label": "Filter entities" });
  private last = 0;

  constructor(private readonly pick: (guid: string) => void) {
    this.element.append(h("p", { class: "empty within" }, "Nobody yet: no recording is open."));
  }

  /** Twice a second is enough for a list. */
  show(figures: Figures, tick: Tick, picked: string | null): void {
    const now = performance.now();
    if (now - this.last < 400 && !tick.stands) return;
    if (now - this.last < 60 || this.element.contains(document.activeElement)) return;
    this.last = now;
    const wanted = this.search.value.trim().toLowerCase();
    const here = [...figures.people]
      .filter((being) => being.view === 0 && !being.parent && `${being.name} ${being.guid}`.toLowerCase().includes(wanted))
      .map((being) => ({ being, body: figures.find(being.guid, 0)?.body }))
      .sort((a, b) => Number(!a.body) - Number(!b.body) || rank(a.being) - rank(b.being) || a.being.name.localeCompare(b.being.name));
    this.counted.textContent = here.length ? `${here.filter(({ body }) => body).length} of ${here.length} here` : "";
    const rows = here.slice(0, 300).map(({ being, body }) =>
      h(
        "button",
        { class: body ? "item" : "item soft", "aria-selected": String(being.guid === picked), onclick: () => this.pick(being.guid), title: `${being.guid}${being.stand_in ? ", a stand-in: the recording never creates it" : ""}` },
        h("span", {}, being.name || being.guid),
        h("span", { class: "soft num" }, !body ? "not here" : body.speed > 0.05 ? speed(body.speed) : ""),
      ),
    );
    if (rows.length === 0) fill(this.element, h("p", { class: "empty within" }, wanted ? "Nobody fits the filter." : "Nobody is here at this time."));
    else fill(this.element, ...rows);
  }
}

function rank(being: Being): number {
  return { player: 0, creature: 2, crowd: 3, door: 4, object: 5 }[being.kind] ?? 6;
}
