// Tables: a motion table as a graph, any of its motions played on its setup.

import { Vector3 } from "three";
import { get } from "../api";
import { called, type Clip, type SetupInfo, type Table, type TableLine } from "../protocol";
import { Labels } from "../scene/labels";
import { Orbit } from "../scene/orbit";
import { levelGround } from "../scene/scenery";
import { Room, type Stage } from "../scene/stage";
import { Doll, prepare } from "../tables/doll";
import { Facts } from "../tables/facts";
import { Graph } from "../tables/graph";
import { BLANK, read, write, type Shown } from "../tables/link";
import { Motions } from "../tables/motions";
import { Playhead } from "../tables/playhead";
import { Slider, check } from "../ui/controls";
import { h, say } from "../ui/dom";
import type { Shortcut } from "../ui/keys";
import type { Shell, View } from "../ui/shell";

export class TablesView implements View {
  readonly name = "tables";
  readonly title = "Tables";
  readonly element: HTMLElement;
  readonly shortcuts: Shortcut[];
  private readonly room = new Room(60, new Vector3(27, 9, 34));
  private readonly orbit = new Orbit({ near: 0.8, far: 25, low: -0.2, high: 1.5 });
  private readonly doll = new Doll();
  private readonly labels = new Labels();
  private readonly motions = new Motions((change) => this.change(change));
  private readonly graph = new Graph((chosen) => this.change({ ...chosen, from: chosen.from ?? "" }));
  private readonly facts = new Facts((at) => this.playhead.seek(at));
  private readonly playhead: Playhead;
  private readonly flash = h("div", { class: "chip hook-flash", role: "status" });
  private readonly scene: HTMLElement;
  private readonly speed: Slider;
  private readonly switches: Record<"compare" | "axes" | "stay", ReturnType<typeof check>>;
  private shown: Shown = { ...BLANK };
  private lines: TableLine[] | null = null;
  private table: Table | null = null;
  private clip: Clip | null = null;
  private setup: SetupInfo | null = null;
  private run = 0;
  private flashed = 0;

  constructor(
    private readonly shell: Shell,
    private readonly stage: Stage,
  ) {
    this.playhead = new Playhead((hook) => this.fired(hook), () => this.remember());
    this.scene = h("div", { class: "scene-box" }, this.labels.element, h("div", { class: "hud bottom" }, this.flash));
    this.speed = new Slider({
      id: "motion-speed", label: "Speed of the motion", min: -2, max: 4, step: 0.05, value: 1,
      text: (value) => `× ${value.toFixed(2)}`,
      change: (value) => this.change({ speed: value === 0 ? 0.05 : value }),
    });
    const toggle = (name: "compare" | "axes" | "stay", label: string) => check(name, label, BLANK[name], (on) => this.change({ [name]: on }));
    this.switches = {
      compare: toggle("compare", "Retail's stepping beside smooth"),
      axes: toggle("axes", "Axes of the parts"),
      stay: toggle("stay", "Stay in place"),
    };
    const copy = h("button", { title: "Copy a link that opens this view again (C)", onclick: () => void this.copy() }, "Copy link");
    this.element = h(
      "main",
      { class: "view tables" },
      h("aside", { class: "side left", "aria-label": "Motions" }, ...this.motions.sections),
      h("div", { class: "middle" }, h("div", { class: "split" }, this.scene, this.graph.element)),
      h("aside", { class: "side right", "aria-label": "The motion" }, h("section", {}, h("h2", {}, "Play"), this.speed.element, ...Object.values(this.switches)), this.facts.element),
      h("footer", { class: "foot" }, this.playhead.bar(copy), this.playhead.lanes.element),
    );
    const ground = levelGround(120);
    this.room.spread(7);
    this.room.scene.add(this.doll.group, ground);
    this.orbit.listen(stage.canvas, () => shell.isFront(this), () => undefined);
    Object.assign(this.orbit, { yaw: Math.PI + 0.5, pitch: 0.16, distance: 3.8 });
    this.shortcuts = [
      ...this.playhead.shortcuts(),
      { keys: ["c"], shown: "C", what: "copy a link to this view", group: "Tables", down: () => void this.copy() },
      { keys: ["v"], shown: "V", what: "retail beside smooth", group: "Tables", down: () => this.change({ compare: !this.shown.compare }) },
      { keys: ["a"], shown: "A", what: "axes of the parts", group: "Tables", down: () => this.change({ axes: !this.shown.axes }) },
      { keys: ["g"], shown: "G", what: "stay in place or be carried", group: "Tables", down: () => this.change({ stay: !this.shown.stay }) },
    ];
  }

  show(): void {
    this.stage.use(this.scene, (seconds) => this.frame(seconds));
  }

  hide(): void {
    this.playhead.pause();
  }

  go(query: URLSearchParams): void {
    const wanted = read(query);
    if (this.table && write(wanted) === write(this.shown)) return;
    if (this.table && query.size === 0) return;
    void this.load(wanted);
  }

  private change(change: Partial<Shown>): void {
    void this.load({ ...this.shown, at: null, ...change });
  }

  /** Brings what is asked for; what is not said gets the obvious choice. */
  private async load(wanted: Shown): Promise<void> {
    const run = ++this.run;
    try {
      this.lines ??= (await get<{ tables: TableLine[] }>("/api/tables")).tables;
      if (this.lines.length === 0) return this.facts.wait("The dat file has no motion tables.");
      const line = this.lines.find((entry) => same(entry.id, wanted.table)) ?? this.lines.find((entry) => !entry.error) ?? this.lines[0]!;
      if (line.error) return this.facts.wait(`${line.id} cannot be read: ${line.error}`, true);
      const table = this.table?.id === line.id ? this.table : await get<Table>(`/api/table/${line.id}`);
      if (run !== this.run) return;
      this.table = table;
      this.shown = complete(wanted, line, table);
      this.sync(line);
      const clip = await get<Clip>(`/api/clip?${clipQuery(this.shown)}`);
      const setup = await prepare(clip);
      if (run !== this.run) return;
      const fresh = this.clip === null || this.clip.motion.id !== clip.motion.id || this.clip.style.id !== clip.style.id || this.clip.from.id !== clip.from.id;
      this.clip = clip;
      this.setup = setup;
      if (!setup) this.facts.wait("No setup of this dat file fits the table.", true);
      else this.facts.show(clip, table);
      this.playhead.load(clip, wanted.at, fresh);
      this.remember();
    } catch (error) {
      if (run !== this.run) return;
      this.clip = null;
      this.facts.wait((error as Error).message, true);
      this.playhead.load(null, null, true);
    }
  }

  private sync(line: TableLine): void {
    const { shown, table } = this;
    this.motions.show(this.lines ?? [], line, table!, shown);
    this.graph.show(table!, { style: shown.style, motion: shown.motion, from: shown.from });
    this.speed.set(shown.speed);
    for (const name of ["compare", "axes", "stay"] as const) this.switches[name].set(shown[name]);
  }

  /** The address follows what is shown, without an entry in the history. */
  private remember(): void {
    if (!this.shell.isFront(this)) return;
    this.shown.at = this.playhead.running ? null : this.playhead.at;
    history.replaceState(null, "", `${location.pathname}${location.search}#${write(this.shown)}`);
  }

  private async copy(): Promise<void> {
    this.shown.at = this.playhead.at;
    const link = `${location.origin}${location.pathname}#${write(this.shown)}`;
    try {
      await navigator.clipboard.writeText(link);
      this.shell.say("Link copied. It works while the lab runs on this machine and port.");
    } catch {
      this.shell.say(link);
    }
  }

  private fired(text: string): void {
    say(this.flash, text);
    this.flash.classList.add("on");
    this.flashed = performance.now();
  }

  private frame(seconds: number): { room: Room; camera: Orbit["camera"] } {
    this.playhead.frame(seconds);
    if (performance.now() - this.flashed > 900) this.flash.classList.remove("on");
    const { clip, setup, shown } = this;
    this.doll.begin();
    this.labels.begin();
    if (clip && setup) {
      const height = setup.height || 1.8;
      const aside = shown.compare ? Math.max(0.75, (setup.radius || 0.5) * 1.5) : 0;
      const at = this.playhead.at;
      const looks = shown.compare ? (["retail", "smooth"] as const) : (["smooth"] as const);
      let middle = [0, 0, 0];
      looks.forEach((look, index) => {
        const side = aside * (index === 0 ? 1 : -1);
        const rows = this.doll.draw(setup, clip, at, look, shown.compare ? side : 0, shown.stay, shown.axes ? index : -1);
        middle = [rows[0]! - (shown.compare ? side : 0), rows[1]!, rows[2]!];
        if (shown.compare) this.labels.put(look, look === "retail" ? "retail's stepping" : "smooth", "", rows[0]!, rows[1]!, rows[2]! + height + 0.25, this.orbit.camera);
      });
      this.orbit.follow(middle[0]!, middle[1]!, middle[2]! + height * 0.55);
      this.facts.now(at, clip);
    }
    this.labels.end();
    this.doll.end();
    this.orbit.update(seconds);
    this.room.shine(this.orbit.target);
    return { room: this.room, camera: this.orbit.camera };
  }
}

function same(a: string, b: string): boolean {
  return b !== "" && Number(a) === Number(b.startsWith("0x") ? b : `0x${b}`);
}

/** What was not said: the default style, its first cycle, the substate it starts from. */
function complete(wanted: Shown, line: TableLine, table: Table): Shown {
  const style = table.styles.find((entry) => entry.style.id === wanted.style || called(entry.style) === wanted.style)?.style ?? table.default_style;
  const cycles = table.cycles.filter((cycle) => cycle.style.id === style.id);
  const rest = table.styles.find((entry) => entry.style.id === style.id)?.default ?? cycles[0]?.motion ?? null;
  const first = cycles.find((cycle) => called(cycle.motion) === "RunForward" || called(cycle.motion) === "WalkForward") ?? cycles[0];
  const all = [...cycles.map((cycle) => cycle.motion), ...table.links.map((link) => link.to), ...table.modifiers.map((modifier) => modifier.motion)];
  const named = (name: string) => all.find((command) => command.id === name || called(command) === name)?.id ?? name;
  return {
    ...wanted,
    table: line.id,
    setup: line.setups?.find((setup) => setup.id === wanted.setup)?.id ?? line.setups?.[0]?.id ?? "",
    style: style.id,
    motion: wanted.motion ? named(wanted.motion) : (first?.motion.id ?? rest?.id ?? ""),
    from: wanted.from ? named(wanted.from) : (rest?.id ?? ""),
  };
}

function clipQuery(shown: Shown): string {
  const query = new URLSearchParams({ table: shown.table, style: shown.style, motion: shown.motion, speed: String(shown.speed) });
  if (shown.from) query.set("from", shown.from);
  if (shown.setup) query.set("setup", shown.setup);
  return query.toString();
}

