// A session on the screen: scene, whom one looks at, plots, timeline. Walk and Replay are made of it.

import { Raycaster, Vector2, type Vector3 } from "three";
import { get } from "../api";
import { Session } from "../live";
import { BODY, type Hello, type Letter, type Scenery, type State, type Tick, type Why } from "../protocol";
import { Figures, type Figure } from "../scene/figures";
import { Labels } from "../scene/labels";
import { Orbit } from "../scene/orbit";
import { Overlay, Trail } from "../scene/overlay";
import { Backdrop, levelGround } from "../scene/scenery";
import { Room, type Stage } from "../scene/stage";
import { h } from "../ui/dom";
import { hex, metres, words } from "../ui/format";
import { Lanes, type Lane } from "../ui/lanes";
import { Plot } from "../ui/plot";
import type { Shell } from "../ui/shell";
import { letterMark, markOf } from "./happenings";
import { learnTable } from "./names";
import { Trace, type Track } from "./trace";
import { Transport } from "./transport";
import { WhyPanel } from "./why";

export interface Picked {
  guid: string;
  view: number;
}

export interface WatchOptions {
  shell: Shell;
  stage: Stage;
  active: () => boolean;
  hint: string;
  clock: { live: string; end: string };
  extra?: HTMLElement[];
  /** Whole recordings are shown at once; a walk shows its last seconds. */
  whole: boolean;
  /** Nothing is known of the land: level ground under whom the camera follows. */
  level: boolean;
  onState?: (state: State) => void;
  onTick?: (tick: Tick) => void;
  onHello?: (hello: Hello) => void;
  onLetter: (letter: Letter) => void;
  onClick?: (figure: Figure | null) => void;
  /** A double click, on somebody or on a place of the land. */
  onDouble?: (figure: Figure | null, place: Vector3 | null) => void;
  onMail?: () => void;
}

const SPAN = 20;

export class Watch {
  readonly room = new Room();
  readonly orbit = new Orbit();
  readonly figures = new Figures();
  readonly overlay = new Overlay();
  readonly labels = new Labels();
  readonly backdrop = new Backdrop();
  readonly trace = new Trace();
  readonly why: WhyPanel;
  readonly transport: Transport;
  readonly lanes: Lanes;
  readonly plots: { speed: Plot; error: Plot; frame: Plot };
  readonly plotSection: HTMLElement;
  session: Session | null = null;
  hello: Hello | null = null;
  state: State | null = null;
  tick: Tick | null = null;
  picked: Picked | null = null;
  /** Whom the camera follows. */
  follow: string | null = null;
  trailsOn = true;
  private span: [number, number] = [0, SPAN];
  private readonly trails = [new Trail("accent"), new Trail("ghost")] as const;
  private plotted = 0;
  private origin: string | null = null;
  private readonly level = levelGround(1200);

  constructor(private readonly options: WatchOptions) {
    this.why = new WhyPanel(options.hint);
    this.transport = new Transport((what, fields) => this.send(what, fields), options.clock, options.extra);
    this.lanes = new Lanes("Time", 104, (t) => this.seek(t));
    const pick = (t: number) => this.seek(t);
    const both = [{ name: "truth", colour: "accent" }, { name: "seen", colour: "ghost" }];
    this.plots = {
      speed: new Plot("Speed", "m/s", both, { pick, floor: 5 }),
      error: new Plot("Position error", "m", [{ name: "", colour: options.whole ? "warm" : "ghost" }], { pick, floor: 0.5 }),
      frame: new Plot("Frame number", "", both, { pick, floor: 20, digits: 1 }),
    };
    this.plotSection = h("section", { class: "plots" }, ...Object.values(this.plots).map((plot) => plot.element));
    this.room.scene.add(this.figures.parts.group, this.backdrop.group, this.overlay.group);
    this.overlay.add(...this.trails.map((trail) => trail.line));
    this.orbit.listen(options.stage.canvas, options.active, (event) => this.click(event));
    options.stage.canvas.addEventListener("dblclick", (event) => {
      if (!options.active() || !options.onDouble) return;
      const { ray } = this.cast(event);
      options.onDouble(this.figures.pick(ray), this.backdrop.meets(ray));
    });
  }

  /** Opens a session with the server; the old one ends. */
  open(query: Record<string, string>): void {
    this.close();
    this.session = new Session(
      query,
      {
        hello: (hello) => this.greet(hello),
        roster: (roster) => {
          this.figures.roster(roster.all, roster.here);
          for (const being of roster.here) learnTable(being.table);
        },
        state: (state) => {
          this.state = state;
          this.transport.show(state);
          this.options.onState?.(state);
        },
        why: (why) => this.explain(why),
        events: (events) => this.trace.happened(events.list),
        mail: (mail) => {
          this.trace.posted(mail.list);
          this.options.onMail?.();
        },
        refused: (refused) => this.options.shell.say(refused.why),
        error: (error) => this.options.shell.say(error.error, true),
        end: (end) => this.options.shell.say(end.words, true),
      },
      (tick) => this.take(tick),
      (state, words) => this.options.active() && this.options.shell.linked(state, words),
    );
  }

  close(): void {
    this.session?.close();
    this.session = null;
    this.figures.clear();
    this.trace.clear();
    this.overlay.clear();
    this.why.nobody();
    this.trails.forEach((trail) => trail.clear());
    this.picked = null;
    this.tick = null;
  }

  send(what: string, fields: Record<string, unknown> = {}): void {
    this.session?.send(what, fields);
  }

  private greet(hello: Hello): void {
    this.hello = hello;
    this.trace.clear();
    this.follow = hello.self;
    if (this.options.level) {
      this.room.scene.add(this.level);
    } else if (this.origin !== hello.origin) {
      this.origin = hello.origin;
      get<Scenery>(`/api/scenery${hello.mode === "replay" ? `?block=${hello.origin}` : ""}`)
        .then((scenery) => this.backdrop.show(scenery))
        .catch((error: Error) => this.options.shell.say(error.message, true));
    }
    this.options.onHello?.(hello);
  }

  private take(tick: Tick): void {
    const first = this.tick === null;
    this.tick = tick;
    this.figures.tick(tick);
    this.transport.tick(tick.t, tick.tick);
    // The newest tick is older than what was shown: the simulation began anew.
    if (tick.newest && (this.trace.t.at(-1) ?? 0) > tick.t + 0.5) this.trace.clear();
    if (!this.options.whole || this.state?.live_input) this.trace.append(tick);
    if (this.picked && this.trailsOn) {
      for (const body of tick.bodies) {
        const trail = body.view < 2 ? this.trails[body.view as 0 | 1] : null;
        if (trail && hex(body.guid) === this.picked.guid) trail.add(tick.t, body.place);
      }
    }
    if (first && this.hello?.self) this.pick({ guid: this.hello.self, view: this.options.whole ? 0 : 1 });
    this.options.onTick?.(tick);
  }

  private explain(why: Why): void {
    if (!this.picked || why.guid !== this.picked.guid || why.view !== this.picked.view) return;
    const figure = this.figures.find(why.guid, why.view);
    const view = this.hello?.views.find((entry) => entry.view === why.view)?.name ?? "";
    const name = this.figures.being(why.guid, why.view)?.name || why.guid;
    this.why.show(why, (this.hello?.views.length ?? 0) > 1 ? `${name}, ${view}` : name, this.transport.running);
    this.overlay.explain(why.why, figure ? Array.from(figure.shown.subarray(0, 3)) : null);
  }

  pick(picked: Picked | null): void {
    this.picked = picked;
    this.send("select", picked ? { ...picked } : { guid: null });
    this.trails.forEach((trail) => trail.clear());
    this.overlay.clear();
    if (!picked) this.why.nobody();
    const views = [...(this.hello?.views ?? [])].map((entry) => entry.view);
    const [from, to] = this.options.whole
      ? [this.hello?.start ?? 0, this.hello?.end ?? 0]
      : [(this.tick?.t ?? 0) - 30, (this.tick?.t ?? 0) + 1];
    if (this.session) void this.trace.about(picked?.guid ?? null, views, this.session, from, to);
  }

  /** Picks the next body there is, in the order of names and views. */
  pickNext(): void {
    const all = [...this.figures.all.values()]
      .filter((figure) => this.figures.tints.has(figure.body.view) && (figure.body.flags & BODY.drawn) !== 0)
      .map((figure) => ({ guid: hex(figure.body.guid), view: figure.body.view }));
    if (all.length === 0) return;
    const at = all.findIndex((entry) => entry.guid === this.picked?.guid && entry.view === this.picked?.view);
    this.pick(all[(at + 1) % all.length]!);
  }

  /** The ray through a place of the screen. */
  private cast(event: MouseEvent): Raycaster {
    const box = this.options.stage.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(at, this.orbit.camera);
    return caster;
  }

  private click(event: PointerEvent): void {
    const figure = this.figures.pick(this.cast(event).ray);
    if (figure) this.pick({ guid: hex(figure.body.guid), view: figure.body.view });
    this.options.onClick?.(figure);
  }

  seek(t: number): void {
    this.send("seek", { t });
  }

  /** One frame of the screen. */
  frame(seconds: number): { room: Room; camera: Orbit["camera"] } {
    this.figures.frame(seconds);
    const followed = this.follow ? this.figures.find(this.follow, 0) : undefined;
    if (followed) {
      const [x, y, z] = followed.shown as unknown as [number, number, number];
      if ((followed.body.flags & BODY.contact) !== 0) this.level.position.set(x, y, z - 0.01);
      this.orbit.follow(x, y, z + (followed.setup?.height || 1.8) * 0.72 * (followed.body.scale || 1));
    }
    this.orbit.update(seconds);
    const free = this.backdrop.free(this.orbit.target, this.orbit.camera.position);
    pull(this.orbit.camera.position, this.orbit.target, free);
    this.figures.eye.copy(this.orbit.camera.position);
    this.room.shine(this.orbit.target);
    const shown = this.picked ? this.figures.find(this.picked.guid, this.picked.view) : undefined;
    this.overlay.mark(shown ? shown.shown : null, shown?.setup?.radius);
    this.nameAll();
    this.draw();
    return { room: this.room, camera: this.orbit.camera };
  }

  /** Is the ghost of whom is picked far enough from the truth to be drawn? */
  private apart(picked: Picked): boolean {
    return (this.figures.find(picked.guid, picked.view)?.body.error ?? 0) > 0.15;
  }

  private nameAll(): void {
    this.labels.begin();
    const many = this.figures.all.size > 60;
    for (const [key, figure] of this.figures.all) {
      const { body, being, shown } = figure;
      if (!this.figures.tints.has(body.view) || (body.flags & BODY.drawn) === 0) continue;
      const ghost = body.view > 0;
      const picked = this.picked?.guid === hex(body.guid) && (this.picked.view === body.view || !this.apart(this.picked));
      if ((many && !picked) || !being || (ghost && !(body.error > 0.15))) continue;
      const name = being.name || being.guid;
      const text = ghost ? `${name} as seen${Number.isFinite(body.error) ? `, ${metres(body.error)} off` : ""}` : name;
      const height = (figure.setup?.height || 1.8) * (body.scale || 1) + (ghost ? 0.12 : 0.34);
      const kind = `${ghost ? "ghost" : ""} ${picked ? "picked" : ""}`;
      this.labels.put(key, text, kind, shown[0]!, shown[1]!, shown[2]! + height, this.orbit.camera);
    }
    this.labels.end();
  }

  /** Plots and lanes; often enough to look alive, seldom enough to cost nothing. */
  private draw(): void {
    const now = performance.now();
    if (!this.tick || now - this.plotted < 66) return;
    this.plotted = now;
    const t = this.tick.t;
    this.slide(t);
    const [from, to] = this.options.whole ? this.around(t) : this.span;
    const { t: times, cut } = this.trace.window(from, to);
    const truth = this.trace.tracks.get(0);
    const seen = this.seenBy()?.track;
    const tracks = [truth, seen];
    this.plots.speed.set(times, tracks.map((track) => mean(cut(track?.speed))), from, to, t);
    this.plots.frame.set(times, tracks.map((track) => cut(track?.frame)), from, to, t);
    this.plots.error.set(times, [cut((seen ?? truth)?.error)], from, to, t);
    const [start, end] = this.options.whole ? [this.state?.start ?? 0, Math.max(this.state?.end ?? 1, t)] : this.span;
    this.lanes.set(this.laneList(start, end), start, end, t);
    this.lanes.paint();
  }

  /** The first of the others who sees whom is picked. */
  private seenBy(): { view: number; track: Track } | null {
    for (const { view } of this.hello?.views ?? []) {
      const track = view > 0 ? this.trace.tracks.get(view) : undefined;
      if (track && track.bars.length > 0) return { view, track };
    }
    return null;
  }

  /** The part of a recording that the plots show. */
  private around(t: number): [number, number] {
    const [start, end] = [this.state?.start ?? 0, this.state?.end ?? 0];
    const from = Math.max(start, Math.min(t - SPAN / 2, end - SPAN));
    return [from, Math.max(from + 1, Math.min(end, from + SPAN))];
  }

  private slide(t: number): void {
    if (this.state?.mode === "live") {
      const from = Math.max(this.state.start, t - SPAN);
      this.span = [from, from + SPAN];
    }
    else if (t < this.span[0]) this.span = [t - SPAN * 0.3, t + SPAN * 0.7];
    else if (t > this.span[1]) this.span = [t - SPAN, t];
  }

  private laneList(from: number, to: number): Lane[] {
    const near = <T extends { t: number }>(list: T[]) => list.filter((item) => item.t >= from && item.t <= to);
    const views = this.hello?.views ?? [];
    const seen = this.seenBy()?.view ?? -1;
    const tracks = views.filter(({ view }) => view === 0 || view === seen || (!this.options.whole && view === 1));
    const events = near(this.trace.events).filter((event) => !this.picked || event.guid === this.picked.guid);
    const viewName = (view: number) => views.find((entry) => entry.view === view)?.name ?? "";
    return [
      ...tracks.map((view) => ({ name: words(view.name), bars: this.trace.tracks.get(view.view)?.bars ?? [] })),
      { name: "Events", marks: events.map((event) => markOf(event, viewName(event.view))) },
      { name: "Messages", marks: near(this.trace.mail).map((letter) => letterMark(letter, this.options.onLetter)) },
    ];
  }
}

/** The mean of six ticks: bodies move by whole frames, and one tick may have one or two of them. */
function mean(column: (number | null)[]): (number | null)[] {
  let sum = 0;
  let count = 0;
  return column.map((value, index) => {
    const old = index >= 6 ? column[index - 6]! : null;
    if (value !== null) [sum, count] = [sum + value, count + 1];
    if (old !== null) [sum, count] = [sum - old, count - 1];
    return value === null || count === 0 ? null : Math.max(0, sum / count);
  });
}

/** A wall is in between: the camera comes nearer. */
function pull(camera: Vector3, target: Vector3, free: number): void {
  const way = camera.clone().sub(target);
  if (way.length() > free) camera.copy(target).addScaledVector(way.normalize(), free);
}
