// What a clip is, in numbers: durations, animations, hooks.

import { called, type Clip, type Table } from "../protocol";
import { hookWords } from "./hooks";
import { h, fill } from "../ui/dom";
import { count, number, seconds, words } from "../ui/format";

function facts(...rows: [string, string][]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** How far the body is carried: by a round of the cycle, or by the whole of what does not repeat. */
function carried(clip: Clip): string {
  const { t, place } = clip.ticks;
  const end = t.length - 1;
  let start = 0;
  if (clip.cycle_seconds) while (start < end && t[start]! < clip.link_seconds + 1e-3) start += 1;
  const [a, b] = [place[start], place[end]];
  if (!a || !b || end === start) return "nowhere";
  const way = Math.hypot(b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!);
  const facing = 2 * Math.acos(Math.min(1, Math.abs([3, 4, 5, 6].reduce((sum, k) => sum + a[k]! * b[k]!, 0))));
  const parts = [];
  if (way > 0.005) parts.push(clip.cycle_seconds ? `${number(way / (t[end]! - t[start]!))} m/s` : `${number(way)} m`);
  if (facing > 0.01) parts.push(`turns it by ${number((facing * 180) / Math.PI, 0)}°`);
  return parts.join(", ") || "nowhere";
}

export class Facts {
  readonly element = h("div", {});
  private rows: HTMLElement[] = [];

  constructor(private readonly seek: (at: number) => void) {}

  wait(text: string, bad = false): void {
    this.rows = [];
    fill(this.element, h("section", {}, h("p", { class: bad ? "bad" : "empty" }, text)));
  }

  show(clip: Clip, table: Table): void {
    const link = clip.link_seconds > 0;
    this.rows = clip.hooks.map((hook) =>
      h(
        "button",
        { class: "item", onclick: () => this.seek(Math.max(0, hook.time - 0.001)), title: hookWords(hook) },
        h("span", { class: "num" }, seconds(hook.time)),
        h("span", {}, words(hook.kind)),
        h("span", { class: "soft num" }, hook.share === null ? `frame ${number(hook.frame, 0)}` : `${number(hook.share * 100, 0)} %`),
      ),
    );
    const gaps = table.undefined.filter((gap) => gap.style.id === clip.style.id);
    fill(
      this.element,
      h(
        "section",
        {},
        h("h2", {}, words(called(clip.motion)), h("small", { class: "mono" }, clip.motion.id)),
        facts(
          ["Style", words(called(clip.style))],
          ["From", words(called(clip.from))],
          ["Link", link ? seconds(clip.link_seconds) : "none"],
          ["Cycle", clip.cycle_seconds === null ? "none: returns" : seconds(clip.cycle_seconds)],
          ["Carries", carried(clip)],
        ),
      ),
      h(
        "section",
        { class: "flush" },
        h("h2", {}, "Hooks", h("small", {}, count(clip.hooks.length, "hook"))),
        this.rows.length ? h("div", { class: "list hooks" }, ...this.rows) : h("p", { class: "empty within" }, "No hook fires in this motion."),
      ),
      h(
        "section",
        {},
        h("h2", {}, "Animations"),
        ...clip.segments.map((segment) =>
          h("div", { class: "segment" }, h("span", { class: "tag" }, segment.part), h("span", { class: "mono" }, segment.animation), h("span", { class: "soft num" }, `${segment.low}–${segment.high}, ${number(segment.framerate, 1)} frames/s, ${seconds(segment.seconds)}`)),
        ),
        clip.segments.length === 0 && h("p", { class: "empty" }, "None: this motion shows nothing."),
      ),
      gaps.length > 0 && h("section", {}, h("h2", {}, "Undefined here"), ...gaps.slice(0, 20).map((gap) => h("p", { class: "soft" }, gap.words))),
    );
  }

  /** Marks the hooks that fired by now. */
  now(at: number, clip: Clip): void {
    this.rows.forEach((row, index) => row.setAttribute("aria-current", String(Math.abs(clip.hooks[index]!.time - at) < 0.12)));
  }
}
