// What a clip is, in numbers: durations, animations, hooks.

import { called, type Clip, type Table } from "../protocol";
import { h, fill } from "../ui/dom";
import { count, number, seconds, words } from "../ui/format";

function facts(...rows: [string, string][]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
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
    const velocity = table.cycles.find((cycle) => cycle.style.id === clip.style.id && cycle.motion.id === clip.motion.id)?.velocity;
    this.rows = clip.hooks.map((hook) =>
      h(
        "button",
        { class: "item", onclick: () => this.seek(Math.max(0, hook.time - 0.001)), title: hook.words ?? hook.kind },
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
          ["Carries", velocity ? `${number(Math.hypot(...velocity))} m/s by itself` : "by its frames, or not"],
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
