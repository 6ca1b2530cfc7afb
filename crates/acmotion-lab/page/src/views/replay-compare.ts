// Compares the open recording with another one, which is shown beside it: where they first differ, entity by entity.

import { get } from "../api";
import type { Difference, RecordingComparison, RecordingSummary } from "../protocol";
import { h, setChildren } from "../ui/dom";
import { count, humanise, metres, seconds } from "../ui/format";

/** The maximum number of entities that are listed. */
const MAX_ROWS = 60;

export interface CompareOptions {
  nameOf: (guid: string) => string;
  /** Called with the recording to show beside the open one; null for none. */
  onChoose: (id: number | null) => void;
  /** Called with an entity and the time at which it first differs. */
  onPick: (guid: string, t: number) => void;
}

export class ComparePanel {
  readonly element: HTMLElement;
  private readonly others = h("select", { id: "compare-with" });
  private readonly result = h("div", { class: "list differences", role: "status" });
  private openId: number | null = null;
  private besideId: number | null = null;

  constructor(private readonly options: CompareOptions) {
    this.element = h("div", { class: "compare", hidden: true }, h("div", { class: "field" }, h("label", { for: "compare-with" }, "Beside"), this.others), this.result);
    this.others.addEventListener("change", () => options.onChoose(this.others.value ? Number(this.others.value) : null));
  }

  /** Lists the recordings that can be compared with the open one, and compares it with the one that is shown beside it. */
  show(recordings: RecordingSummary[], openId: number | null, besideId: number | null): void {
    const others = recordings.filter(({ id }) => id !== openId);
    const key = `${openId} ${besideId} ${others.map(({ id }) => id).join()}`;
    if (this.element.dataset.key === key) return;
    this.element.dataset.key = key;
    this.element.hidden = openId === null || others.length === 0;
    setChildren(this.others, h("option", { value: "" }, "nothing"), ...others.map(({ id, name }) => h("option", { value: id }, `${name} (${id})`)));
    this.others.value = String(besideId ?? "");
    if (openId === this.openId && besideId === this.besideId) return;
    [this.openId, this.besideId] = [openId, besideId];
    void this.compare();
  }

  private async compare(): Promise<void> {
    const { openId, besideId } = this;
    setChildren(this.result);
    if (openId === null || besideId === null) return;
    const isCurrent = () => openId === this.openId && besideId === this.besideId;
    try {
      const comparison = await get<RecordingComparison>(`/api/compare?a=${openId}&b=${besideId}`);
      if (isCurrent()) this.showResult(comparison);
    } catch (error) {
      if (isCurrent()) setChildren(this.result, h("p", { class: "bad" }, (error as Error).message));
    }
  }

  private showResult({ compared, same, entities, more }: RecordingComparison): void {
    const first = entities.reduce<Difference | null>((best, entity) => (best && best.t <= entity.t ? best : entity), null);
    if (same || !first) {
      setChildren(this.result, h("p", { class: "soft" }, `The two are the same in ${count(compared, "state")}.`));
      return;
    }
    const hidden = Math.max(0, entities.length - MAX_ROWS) + more;
    setChildren(
      this.result,
      h("button", { title: "Go to the first moment at which the two differ", onclick: () => this.options.onPick(first.guid, first.t) }, `First difference, at ${seconds(first.t)}`),
      ...entities.slice(0, MAX_ROWS).map((entity) => this.row(entity)),
      hidden > 0 && h("p", { class: "soft" }, `${count(hidden, "more entity differs", "more entities differ")}.`),
    );
  }

  private row({ guid, t, fields, distance, greatest_distance: greatest, different, compared }: Difference): HTMLElement {
    const what = fields.map((field) => humanise(field).toLowerCase()).join(", ") || "only in one of them";
    const apart = distance === null ? "" : `, ${metres(distance)} apart`;
    const title = `Different in ${different} of ${count(compared, "state")}, at most ${metres(greatest)} apart`;
    return h(
      "button",
      { class: "item", title, onclick: () => this.options.onPick(guid, t) },
      h("span", {}, this.options.nameOf(guid)),
      h("span", { class: "soft num" }, seconds(t)),
      h("span", { class: "what" }, `${what}${apart}`),
    );
  }
}
