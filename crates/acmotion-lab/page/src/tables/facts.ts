// The facts about a clip: durations, animations, hooks.

import type { Clip, MotionTable } from "../protocol";
import { describeHook } from "./hooks";
import { h, setChildren } from "../ui/dom";
import { commandName, count, humanise, number, seconds } from "../ui/format";

/** The maximum number of undefined motions that are listed. */
const MAX_UNDEFINED = 20;
/** A hook is highlighted this long before and after it fires, in seconds. */
const HIGHLIGHT_SECONDS = 0.12;

function factList(...rows: [string, string][]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** How the clip moves the body: its speed in the cycle, or the whole distance if it does not repeat. */
function movement(clip: Clip): string {
  const { t, body } = clip.ticks;
  const end = t.length - 1;
  let start = 0;
  if (clip.cycle_seconds) while (start < end && t[start]! < clip.link_seconds + 1e-3) start += 1;
  const [a, b] = [body[start], body[end]];
  if (!a || !b || end === start) return "none";
  const distance = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const angle = 2 * Math.acos(Math.min(1, Math.abs(dot)));
  const parts = [];
  if (distance > 0.005) parts.push(clip.cycle_seconds ? `${number(distance / (t[end]! - t[start]!))} m/s` : `${number(distance)} m`);
  if (angle > 0.01) parts.push(`turns ${number((angle * 180) / Math.PI, 0)}°`);
  return parts.join(", ") || "none";
}

/** The number of hooks; of a motion that repeats, also how many are in its link and in each round. */
function hookCount({ hooks }: Clip): string {
  const inLink = hooks.filter(({ part }) => part === "link").length;
  const isMixed = inLink > 0 && inLink < hooks.length;
  return `${count(hooks.length, "hook")}${isMixed ? `: ${inLink} in the link, ${hooks.length - inLink} in each round` : ""}`;
}

export class Facts {
  readonly element = h("div", {});
  private hookRows: HTMLElement[] = [];

  constructor(private readonly onSeek: (time: number) => void) {}

  /** Shows a message instead of a clip. */
  showMessage(text: string, isError = false): void {
    this.hookRows = [];
    setChildren(this.element, h("section", {}, h("p", { class: isError ? "bad" : "empty" }, text)));
  }

  show(clip: Clip, table: MotionTable): void {
    this.hookRows = clip.hooks.map((hook) =>
      h(
        "button",
        { class: "item", onclick: () => this.onSeek(Math.max(0, hook.time - 0.001)), title: describeHook(hook) },
        h("span", { class: "num" }, seconds(hook.time)),
        h("span", {}, humanise(hook.kind)),
        h("span", { class: "soft num" }, hook.link_fraction === null ? `frame ${number(hook.frame, 0)}` : `${number(hook.link_fraction * 100, 0)} %`),
      ),
    );
    const undefinedHere = table.undefined.filter((entry) => entry.style.id === clip.style.id);
    setChildren(
      this.element,
      h(
        "section",
        {},
        h("h2", {}, humanise(commandName(clip.motion)), h("small", { class: "mono" }, clip.motion.id)),
        factList(
          ["Style", humanise(commandName(clip.style))],
          ["From", humanise(commandName(clip.from))],
          ["Link", clip.link_seconds > 0 ? seconds(clip.link_seconds) : "none"],
          ["Cycle", clip.cycle_seconds === null ? "none" : seconds(clip.cycle_seconds)],
          ["Movement", movement(clip)],
        ),
      ),
      h(
        "section",
        { class: "flush" },
        h("h2", {}, "Hooks", h("small", {}, hookCount(clip))),
        this.hookRows.length ? h("div", { class: "list hooks" }, ...this.hookRows) : h("p", { class: "empty within" }, "This motion has no hooks."),
      ),
      h(
        "section",
        {},
        h("h2", {}, "Animations"),
        ...clip.segments.map((segment) =>
          h("div", { class: "segment" }, h("span", { class: "tag" }, segment.part), h("span", { class: "mono" }, segment.animation), h("span", { class: "soft num" }, `${segment.low}–${segment.high}, ${number(segment.framerate, 1)} frames/s, ${seconds(segment.seconds)}`)),
        ),
        clip.segments.length === 0 && h("p", { class: "empty" }, "This motion plays no animation."),
      ),
      undefinedHere.length > 0 &&
        h("section", {}, h("h2", {}, "Undefined in this style"), ...undefinedHere.slice(0, MAX_UNDEFINED).map((entry) => h("p", { class: "soft" }, entry.description))),
    );
  }

  /** Highlights the hooks around the current time. */
  highlightHooks(time: number, clip: Clip): void {
    this.hookRows.forEach((row, index) => row.setAttribute("aria-current", String(Math.abs(clip.hooks[index]!.time - time) < HIGHLIGHT_SECONDS)));
  }
}
