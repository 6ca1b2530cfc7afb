// Replay: a capture or a simulation's result, with a cursor in it.

import { get, upload } from "../api";
import { BODY, type About, type Hello, type Tick } from "../protocol";
import type { Stage } from "../scene/stage";
import { Choice, check } from "../ui/controls";
import { h, fill } from "../ui/dom";
import { bytes, count, hex, seconds } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import type { Shell, View } from "../ui/shell";
import { Watch } from "../watch/watch";
import { Beings } from "./replay-beings";
import { Mailbox } from "./replay-mail";

export class ReplayView implements View {
  readonly name = "replay";
  readonly title = "Replay";
  readonly element: HTMLElement;
  readonly shortcuts: Shortcut[];
  private readonly watch: Watch;
  private readonly mailbox: Mailbox;
  private readonly beings: Beings;
  private readonly middle: HTMLElement;
  private readonly cover: HTMLElement;
  private readonly recordings = h("div", { class: "list recordings" });
  private readonly notes = h("p", { class: "soft" });
  private readonly file = h("input", { type: "file", id: "capture-file", hidden: true, accept: ".pcap,.pcapng,.jsonl,.json,.toml" });
  private open: number | null = null;
  private followPicked = true;
  private followCheck: ReturnType<typeof check>;

  constructor(
    private about: About,
    private readonly shell: Shell,
    private readonly stage: Stage,
  ) {
    this.watch = new Watch({
      shell,
      stage,
      active: () => shell.isFront(this),
      hint: "Click somebody in the scene or in the list to see why they move as they do.",
      clock: { live: "playing", end: "To the end" },
      extra: this.jumps(),
      whole: true,
      level: about.cell === null,
      onHello: (hello) => this.onHello(hello),
      onTick: (tick) => this.onTick(tick),
      onLetter: (letter) => this.mailbox.show(letter),
      onClick: () => this.followPick(),
    });
    this.mailbox = new Mailbox(this.watch);
    this.beings = new Beings((guid) => {
      this.watch.pick({ guid, view: 0 });
      this.followPick();
    });
    this.followCheck = check("follow", "Camera follows", true, (on) => this.setFollow(on));
    this.cover = this.invitation();
    this.middle = h("div", { class: "middle" }, this.watch.labels.element, this.cover);
    const why = h("div", { class: "stack", hidden: true }, this.watch.plotSection, this.watch.why.element);
    const tabs = new Choice("Panel", ["messages", "why"] as const, (value) => (value === "messages" ? "Messages" : "See why"), (value) => {
      tabs.set(value);
      this.mailbox.element.hidden = value !== "messages";
      why.hidden = value !== "why";
    });
    tabs.set("messages");
    this.element = h(
      "main",
      { class: "view replay" },
      h(
        "aside",
        { class: "side left", "aria-label": "Recordings and entities" },
        h("section", {}, h("h2", {}, "Recording"), h("button", { class: "primary", onclick: () => this.file.click() }, "Open a file…"), this.file, this.recordings, this.notes),
        h("section", { class: "flush fills" }, h("h2", {}, "Entities", this.beings.counted), h("div", { class: "within" }, this.beings.search, this.followCheck), this.beings.element),
      ),
      this.middle,
      h("aside", { class: "side right", "aria-label": "Messages and reasons" }, h("div", { class: "bar" }, tabs.element), this.mailbox.element, why),
      h("footer", { class: "foot" }, this.watch.transport.element, this.watch.lanes.element),
    );
    this.file.addEventListener("change", () => {
      const chosen = this.file.files?.[0];
      if (chosen) void this.load(chosen);
      this.file.value = "";
    });
    this.shortcuts = [...this.keys(), ...this.watch.transport.shortcuts()];
    Object.assign(this.watch.orbit, { distance: 9, pitch: 0.34, yaw: 0.4 });
    this.listen();
  }

  private invitation(): HTMLElement {
    return h(
      "div",
      { class: "cover" },
      h(
        "div",
        {},
        h("h2", {}, "Drop a capture here"),
        h("p", {}, "pcap, pcapng, JSON Lines, the output of ", h("span", { class: "mono" }, "replay --json"), " or ", h("span", { class: "mono" }, "simulate --json"), ", or a scene (.toml), which is run."),
        h("p", { class: "soft" }, `It stays on this machine. At most ${bytes(this.about.limits.upload_bytes)}.`),
        h("button", { onclick: () => this.file.click() }, "Open a file…"),
      ),
    );
  }

  /** Files may be dropped anywhere on the page; Replay comes to the front for them. */
  private listen(): void {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const dropped = event.dataTransfer?.files[0];
      if (dropped) void this.load(dropped);
    });
  }

  async load(file: File): Promise<void> {
    if (file.size > this.about.limits.upload_bytes) {
      this.shell.say(`${file.name} has ${bytes(file.size)}; at most ${bytes(this.about.limits.upload_bytes)} can be opened.`, true);
      return;
    }
    this.shell.say(`Reading ${file.name} …`);
    try {
      const loaded = await upload(file);
      const facts = [count(loaded.messages, "message"), count(loaded.entities, "entity", "entities"), seconds(loaded.seconds, 1)];
      this.shell.say(`${loaded.name}: ${facts.join(", ")}`);
      this.notes.textContent = loaded.notes.join(" · ");
      location.hash = `replay?recording=${loaded.id}`;
      await this.refresh();
    } catch (error) {
      this.shell.say(`${file.name}: ${(error as Error).message}`, true);
    }
  }

  private async refresh(): Promise<void> {
    this.about = await get<About>("/api/about").catch(() => this.about);
    fill(
      this.recordings,
      ...this.about.recordings.map((recording) =>
        h(
          "button",
          { class: "item", "aria-selected": String(recording.id === this.open), onclick: () => (location.hash = `replay?recording=${recording.id}`) },
          h("span", { title: recording.name }, recording.name),
          recording.live ? h("span", { class: "tag on" }, "live") : null,
        ),
      ),
    );
  }

  private jumps(): HTMLElement[] {
    const jump = (what: string, words: string, key: string) =>
      h("button", { title: `${words} (${key}; with Shift the one before)`, onclick: () => this.next(what, false) }, words);
    return [jump("snap", "Next snap", "S"), jump("teleport", "Next teleport", "G"), jump("rejected", "Next rejection", "X")];
  }

  private next(what: string, back: boolean): void {
    this.watch.send("next", { what, back });
  }

  private keys(): Shortcut[] {
    const group = "Replay";
    const jump = (key: string, what: string, words: string): Shortcut => ({
      keys: [key], shown: `${key.toUpperCase()}  ⇧${key.toUpperCase()}`, what: `${words}, ${words.replace("next", "last")}`, group,
      down: (event) => this.next(what, event.shiftKey),
    });
    return [
      { keys: ["o"], shown: "O", what: "open a file", group, down: () => this.file.click() },
      jump("s", "snap", "next snap"),
      jump("g", "teleport", "next teleport"),
      jump("x", "rejected", "next rejection"),
      jump("m", "message", "next message"),
      { keys: [" "], shown: "Space", what: "play or pause", group, down: () => this.watch.transport.toggle() },
      { keys: ["arrowright"], shown: "→", what: "ten ticks on", group, down: () => this.watch.send("step", { ticks: 10 }) },
      { keys: ["arrowleft"], shown: "←", what: "ten ticks back", group, down: () => this.watch.send("step", { ticks: -10 }) },
      { keys: ["n"], shown: "N", what: "pick the next body", group, down: () => this.nextBody() },
      { keys: ["f"], shown: "F", what: "camera follows whom is picked", group, down: () => this.setFollow(!this.followPicked) },
    ];
  }

  private nextBody(): void {
    this.watch.pickNext();
    this.followPick();
  }

  private setFollow(on: boolean): void {
    this.followPicked = on;
    this.followCheck.set(on);
    this.followPick();
  }

  private followPick(): void {
    if (this.followPicked && this.watch.picked) this.watch.follow = this.watch.picked.guid;
    else if (!this.followPicked) this.watch.follow = null;
  }

  show(): void {
    this.stage.use(this.middle, (seconds) => this.watch.frame(seconds));
    void this.refresh();
  }

  hide(): void {
    this.watch.send("pause", { on: true });
  }

  go(query: URLSearchParams): void {
    const wanted = Number(query.get("recording") ?? this.about.recordings.at(-1)?.id ?? NaN);
    if (!Number.isFinite(wanted) || wanted === this.open) return;
    this.open = wanted;
    this.cover.hidden = true;
    this.watch.open({ mode: "replay", recording: String(wanted) });
    void this.refresh();
  }

  private onHello(hello: Hello): void {
    for (const { view } of hello.views) if (view > 0) this.watch.figures.tints.set(view, view === 1 ? "observer" : "client");
    this.mailbox.load(hello);
    this.watch.send("play", { rate: 1 });
  }

  private onTick(tick: Tick): void {
    if (!this.watch.picked) {
      const first = tick.bodies.find((body) => (body.flags & BODY.drawn) !== 0);
      if (first) this.watch.pick({ guid: hex(first.guid), view: 0 });
      this.followPick();
    }
    const picked = tick.bodies.find((body) => hex(body.guid) === this.watch.picked?.guid);
    if (picked) this.middle.dataset.place = picked.place.map((v) => v.toFixed(3)).join(" ");
    this.mailbox.now(tick.t);
    this.beings.show(this.watch.figures, tick, this.watch.picked?.guid ?? null);
  }
}
