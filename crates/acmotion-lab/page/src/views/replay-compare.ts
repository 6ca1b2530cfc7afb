// Compares the open recording with another one: where they first differ, entity by entity.

import { get } from "../api";
import type { Difference, RecordingComparison, RecordingSummary } from "../protocol";
import { h, setChildren } from "../ui/dom";
import { count, humanise, metres, seconds } from "../ui/format";

/** The maximum number of entities that are listed. */
const MAX_ROWS = 60;

export class ComparePanel {
  readonly element: HTMLElement;
  private readonly others = h("select", { id: "compare-with" });
  private readonly result = h("div", { class: "list differences", role: "status" });
  private openId: number | null = null;

  /** `onPick` is called with an entity and the time at which it first differs. */
  constructor(
    private readonly nameOf: (guid: string) => string,
    private readonly onPick: (guid: string, t: number) => void,
  ) {
    this.element = h("div", { class: "compare", hidden: true }, h("div", { class: "field" }, h("label", { for: "compare-with" }, "Against"), this.others), this.result);
    this.others.addEventListener("change", () => void this.compare());
  }

  /** Lists the recordings that can be compared with the open one. */
  show(recordings: RecordingSummary[], openId: number | null): void {
    const others = recordings.filter(({ id }) => id !== openId);
    const key = `${openId} ${others.map(({ id }) => id).join()}`;
    if (this.element.dataset.key === key) return;
    this.element.dataset.key = key;
    this.openId = openId;
    this.element.hidden = openId === null || others.length === 0;
    setChildren(this.others, h("option", { value: "" }, "choose …"), ...others.map(({ id, name }) => h("option", { value: id }, `${name} (${id})`)));
    setChildren(this.result);
  }

  private async compare(): Promise<void> {
    const { value } = this.others;
    setChildren(this.result);
    if (!value || this.openId === null) return;
    const query = new URLSearchParams({ a: String(this.openId), b: value });
    try {
      const comparison = await get<RecordingComparison>(`/api/compare?${query}`);
      if (this.others.value === value) this.showResult(comparison);
    } catch (error) {
      setChildren(this.result, h("p", { class: "bad" }, (error as Error).message));
    }
  }

  private showResult({ compared, same, entities, more }: RecordingComparison): void {
    if (same) {
      setChildren(this.result, h("p", { class: "soft" }, `The two are the same in ${count(compared, "state")}.`));
      return;
    }
    const hidden = Math.max(0, entities.length - MAX_ROWS) + more;
    setChildren(this.result, ...entities.slice(0, MAX_ROWS).map((entity) => this.row(entity)), hidden > 0 && h("p", { class: "soft" }, `${count(hidden, "more entity", "more entities")} differ.`));
  }

  private row({ guid, t, fields, distance, greatest_distance: greatest, different, compared }: Difference): HTMLElement {
    const what = fields.map((field) => humanise(field).toLowerCase()).join(", ") || "only in one of them";
    const apart = distance === null ? "" : `, ${metres(distance)} apart`;
    const title = `${count(different, "state")} of ${compared} differ; at most ${metres(greatest)} apart`;
    return h(
      "button",
      { class: "item", title, onclick: () => this.onPick(guid, t) },
      h("span", {}, this.nameOf(guid)),
      h("span", { class: "soft num" }, seconds(t)),
      h("span", { class: "what" }, `${what}${apart}`),
    );
  }
}
