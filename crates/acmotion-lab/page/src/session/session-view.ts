// A session on the screen: the scene, the selected entity, plots and the timeline. Walk and Replay are built on it.

import { Raycaster, Vector2, type PerspectiveCamera, type Vector3 } from "three";
import { get } from "../api";
import { BODY_FLAGS, WALK_VIEWS, type Command, type EntityKey, type Explanation, type ExplanationUpdate, type Hello, type MessageSummary, type Scenery, type SessionState } from "../protocol";
import { Figures, type Figure } from "../scene/figures";
import { Labels } from "../scene/labels";
import { Orbit } from "../scene/orbit";
import { CellOverlay } from "../scene/cells";
import { CollisionOverlay } from "../scene/collision";
import { Overlay, Trail } from "../scene/overlay";
import { Paths } from "../scene/paths";
import { Backdrop, levelGround } from "../scene/scenery";
import { SceneryShapes } from "../scene/scenery-shapes";
import { LitScene, type Shot, type Viewport } from "../scene/viewport";
import type { Body, Tick } from "../tick";
import { h } from "../ui/dom";
import { checkbox } from "../ui/controls";
import { hex, metres } from "../ui/format";
import { Plot } from "../ui/plot";
import { Switch } from "../ui/settings";
import type { Shell } from "../ui/shell";
import { Timeline, type Lane, type Span } from "../ui/timeline";
import { Connection } from "./connection";
import { ExplanationPanel } from "./explanation";
import { History, type Track } from "./history";
import { Filters } from "./filters";
import { lanes, maxOtherViews } from "./lanes";
import { isAttack, subjectOf } from "./marks";
import { learnTable } from "./names";
import { Transport, type TransportTexts } from "./transport";

export interface SessionViewOptions {
  shell: Shell;
  viewport: Viewport;
  /** Whether this view is in front. */
  isActive: () => boolean;
  /** The text shown while nothing is selected. */
  hint: string;
  transport: TransportTexts;
  /** Buttons beside the transport. */
  extraControls?: HTMLElement[];
  /** Whether the timeline shows the whole recording instead of the last seconds. */
  showsWhole: boolean;
  /** Puts the camera where it may be. By default it is moved in front of walls. */
  placeCamera?: (camera: PerspectiveCamera, target: Vector3, followed: Figure | undefined, seconds: number) => void;
  onState?: (state: SessionState) => void;
  onTick?: (tick: Tick) => void;
  onHello?: (hello: Hello) => void;
  /** Called when a message on the timeline is clicked. */
  onMessageClick: (message: MessageSummary) => void;
  /** Called when another entity is selected. */
  onSelect?: () => void;
  /** Called when the scene is clicked. */
  onClick?: (figure: Figure | null) => void;
  /** Called with the figure and the point of the land that were double-clicked. */
  onDoubleClick?: (figure: Figure | null, point: Vector3 | null) => void;
}

/** How many seconds plots show. */
const PLOT_SECONDS = 20;
/** How many seconds of values are requested for a newly selected entity of a walk. */
const SELECTED_SECONDS = 30;
/** The time between two requests for the motions of a walk, in milliseconds. */
const MOTION_INTERVAL = 1000;
/** The minimum time between two updates of the plots, in milliseconds. */
const PLOT_INTERVAL = 66;
/** With a larger crowd than this, only the events and messages of the selection are sent. */
const MAX_UNFILTERED = 40;
/** The errors that are plotted of a walk: of what an observer sees, and of what it sees with comfort. */
const ERRORS = [{ name: "seen", colour: "ghost" }, { name: "comfort", colour: "good" }];
/** In smaller windows than this, in pixels, only the most important lanes are shown at first. */
const MIN_FOR_ALL_LANES = { width: 600, height: 760 };
/** A ghost farther from the truth than this, in metres, has a label. */
const MIN_LABELLED_ERROR = 0.15;
/** With more figures than this, only the selected one has a label. */
const MAX_LABELLED_FIGURES = 60;

export class SessionView {
  readonly orbit = new Orbit();
  readonly figures = new Figures();
  readonly labels = new Labels();
  readonly history = new History();
  readonly explanation: ExplanationPanel;
  readonly transport: Transport;
  readonly timeline: Timeline;
  readonly plotSection: HTMLElement;
  connection: Connection | null = null;
  hello: Hello | null = null;
  state: SessionState | null = null;
  selected: EntityKey | null = null;
  /** The entity that the camera follows. */
  followed: string | null = null;
  private readonly scene = new LitScene();
  private readonly overlay = new Overlay();
  private readonly collision = new CollisionOverlay();
  private readonly paths = new Paths();
  private readonly filters = new Filters(() => {
    this.lastPlot = 0;
    const now = this.tick?.t ?? 0;
    if (this.isCrowded && this.connection) void this.filterEvents(this.connection, now - SELECTED_SECONDS, now + 1);
  });
  /** Whether a walk has a large crowd. */
  private isCrowded = false;
  private readonly cells = new CellOverlay();
  private readonly sceneryShapes = new SceneryShapes();
  /** The explanation whose shapes are shown; null for none. */
  private explained: Explanation | null = null;
  private readonly showsCollision = new Switch("collision", true);
  private readonly showsCells = new Switch("cells", false);
  private readonly showsPaths = new Switch("paths", true);
  private readonly showsAllLanes = new Switch("all-lanes", innerWidth >= MIN_FOR_ALL_LANES.width && innerHeight >= MIN_FOR_ALL_LANES.height);
  /** What is drawn of the selection in the scene. */
  readonly switches: HTMLElement;
  /** When the motions of a walk were last requested, in milliseconds. */
  private lastMotions = 0;
  readonly backdrop = new Backdrop();
  private readonly plots: { speed: Plot; error: Plot; frame: Plot };
  private tick: Tick | null = null;
  /** The part of the timeline that is shown, in seconds. */
  private span: [number, number] = [0, PLOT_SECONDS];
  /** The part of a recording that the user has zoomed to; null for all of it. */
  private zoomed: Span = null;
  /** The trails of the truth and of view 1. */
  private readonly trails = [new Trail("accent"), new Trail("ghost")] as const;
  private lastPlot = 0;
  /** The request for the scenery that is shown; null for level ground. */
  private shownScenery: string | null | undefined = undefined;
  private readonly levelGround = levelGround(1200);

  constructor(private readonly options: SessionViewOptions) {
    this.explanation = new ExplanationPanel(options.hint, this.nameOf);
    this.transport = new Transport((command) => this.send(command), options.transport, [...(options.extraControls ?? []), this.laneButton(), this.filters.element]);
    this.switches = this.createSwitches();
    this.timeline = new Timeline("Timeline", 104, (t) => this.seek(t));
    if (options.showsWhole) this.timeline.onSpan = (span) => this.zoomTo(span);
    const onClick = (t: number) => this.seek(t);
    const views = [{ name: "truth", colour: "accent" }, { name: "seen", colour: "ghost" }];
    this.plots = {
      speed: new Plot("Speed", "m/s", views, { onClick, minTop: 5 }),
      error: new Plot("Position error", "m", options.showsWhole ? [{ name: "", colour: "warm" }] : ERRORS, { onClick, minTop: 0.5 }),
      frame: new Plot("Frame number", "", views, { onClick, minTop: 20, digits: 1 }),
    };
    this.plotSection = h("section", { class: "plots" }, ...Object.values(this.plots).map((plot) => plot.element));
    this.scene.scene.add(this.figures.parts.group, this.backdrop.group, this.overlay.group, this.collision.group, this.cells.group, this.sceneryShapes.group, this.paths.group, this.levelGround);
    this.overlay.add(...this.trails.map((trail) => trail.line));
    const { canvas } = options.viewport;
    this.orbit.listen(canvas, options.isActive, (event) => this.onCanvasClick(event));
    canvas.addEventListener("dblclick", (event) => {
      if (!options.isActive() || !options.onDoubleClick) return;
      const { ray } = this.castRay(event);
      options.onDoubleClick(this.figures.pick(ray), this.backdrop.intersect(ray));
    });
  }

  /** Switches the lanes of styles, modifiers and hooks, and those of further views. */
  private laneButton(): HTMLElement {
    const button = h("button", { class: "all-lanes", title: "Show styles, modifiers and hooks of every view, too", onclick: () => this.showsAllLanes.set(!this.showsAllLanes.value) }, "All lanes");
    this.showsAllLanes.watch((on) => {
      button.setAttribute("aria-pressed", String(on));
      this.lastPlot = 0;
    });
    return button;
  }

  /** Check boxes for what is drawn of the selection. */
  private createSwitches(): HTMLElement {
    const prefix = this.options.showsWhole ? "replay" : "walk";
    const box = (id: string, label: string, own: Switch) => checkbox(`${prefix}-${id}`, label, own.value, (on) => own.set(on));
    this.showsPaths.watch((on) => (this.paths.group.visible = on));
    this.showsCollision.watch(() => this.showCollision());
    this.showsCells.watch((on) => (this.cells.group.visible = on));
    const shapes = box("collision", "Shapes and contacts", this.showsCollision);
    const cells = box("cells", "Cells and portals", this.showsCells);
    return h("div", { class: "switches" }, shapes, cells, this.options.showsWhole && box("paths", "Path and reports", this.showsPaths));
  }

  /** Opens a session with the server and closes the one before. */
  open(query: Record<string, string>): void {
    this.close();
    const { shell } = this.options;
    this.connection = new Connection(
      query,
      {
        hello: (hello) => this.onHello(hello),
        entities: ({ complete, entities }) => {
          this.figures.updateEntities(complete, entities);
          for (const { table, view } of entities) learnTable(table, this.figures.datOf(view));
        },
        state: (state) => {
          // The last tick becomes an earlier one when a walk continues from there.
          if (this.state && state.last_tick < this.state.last_tick) this.history.dropAfter(state.end, state.last_tick);
          this.state = state;
          this.setCrowded((state.walk?.crowd ?? 0) > MAX_UNFILTERED);
          this.transport.showState(state);
          this.options.onState?.(state);
        },
        explanation: (update) => this.onExplanation(update),
        events: ({ events }) => this.history.addEvents(events),
        messages: ({ messages }) => this.history.addMessages(messages),
        refused: ({ reason }) => shell.showToast(reason),
        error: ({ error }) => shell.showToast(error, true),
      },
      (tick) => this.onTick(tick),
      (state, text) => this.options.isActive() && shell.setLinkState(state, text, () => this.connection?.retry()),
    );
  }

  private close(): void {
    this.connection?.close();
    this.connection = null;
    this.figures.clear();
    this.history.clear();
    this.overlay.clear();
    this.explanation.clear();
    this.trails.forEach((trail) => trail.clear());
    this.clearCollision();
    this.cells.mark(null, null);
    this.paths.clear();
    this.selected = null;
    this.isCrowded = false;
    this.tick = null;
    this.zoomTo(null);
  }

  /** The time that is shown, in seconds; null before the first tick. */
  get time(): number | null {
    return this.tick?.t ?? null;
  }

  /** Returns the name of an entity, or its guid if it has none. */
  readonly nameOf = (guid: string): string => (this.hello?.views ?? []).map(({ view }) => this.figures.entity(guid, view)?.name).find(Boolean) || guid;

  send(command: Command): void {
    this.connection?.send(command);
  }

  seek(t: number): void {
    this.send({ command: "seek", t });
  }

  /** Shows the tick after a time, which is the one that took what arrived then. */
  seekAfter(t: number): void {
    this.seek(t);
    this.send({ command: "step", ticks: 1 });
  }

  private onHello(hello: Hello): void {
    this.hello = hello;
    this.transport.clockStart = hello.clock_start;
    this.history.clear();
    this.followed = hello.player;
    const { beside } = hello;
    this.figures.datOf = (view) => (view === beside?.view ? beside.dat : hello.dat);
    this.showScenery(hello);
    this.options.onHello?.(hello);
  }

  /** Shows the land, or level ground under the followed body if the land of a recording is unknown. */
  private showScenery({ land, mode, origin, dat, cell }: Hello): void {
    const isLevel = land === "level";
    this.levelGround.visible = isLevel;
    const place = land === "town" ? "land=town" : `cell=${cell}`;
    const query = mode === "replay" ? `?block=${origin}&dat=${dat}&${place}` : "";
    if (this.shownScenery === (isLevel ? null : query)) return;
    this.shownScenery = isLevel ? null : query;
    const show = (scenery: Scenery | null) => {
      if (this.shownScenery !== (isLevel ? null : query)) return;
      void this.backdrop.show(scenery);
      this.cells.load(scenery);
      // Nothing may be explained anew after they are loaded: the clock may stand still.
      void this.sceneryShapes.load(scenery).then(() => this.showCollision());
    };
    if (isLevel) show(null);
    else get<Scenery>(`/api/scenery${query}`).then(show).catch((error: Error) => this.options.shell.showToast(error.message, true));
  }

  private onTick(tick: Tick): void {
    const isFirst = this.tick === null;
    this.tick = tick;
    this.figures.showTick(tick);
    this.transport.showTime(tick.t, tick.number);
    // If the newest tick is older than the history, the simulation has started over.
    if (tick.isNewest && (this.history.t.at(-1) ?? 0) > tick.t + 0.5) this.history.clear();
    if (!this.options.showsWhole || this.state?.live_input) this.history.addTick(tick);
    const selected = Number(this.selected?.guid ?? 0);
    for (const body of tick.bodies) {
      if (body.guid === selected && body.view < 2) this.trails[body.view as 0 | 1].add(tick.t, body.position);
    }
    if (isFirst && !this.selected && this.hello?.player) this.select({ guid: this.hello.player, view: this.options.showsWhole ? 0 : 1 });
    this.options.onTick?.(tick);
  }

  private onExplanation(update: ExplanationUpdate): void {
    const { guid, view } = update;
    if (guid !== this.selected?.guid || view !== this.selected.view) return;
    const views = this.hello?.views ?? [];
    const name = this.nameOf(guid);
    const viewName = views.find((entry) => entry.view === view)?.name ?? "";
    const hits = this.history.events.some((event) => event.tick === update.tick && event.guid === guid && event.view === view && isAttack(event));
    this.explanation.show(update, views.length > 1 ? `${name}, ${viewName}` : name, hits);
    const figure = this.figures.find(guid, view);
    const position = figure ? Array.from(figure.shown.subarray(0, 3)) : null;
    // The recording beside this one may have another origin; what is drawn of it would be in the wrong place.
    const { beside } = this.hello ?? {};
    const explanation = beside && view === beside.view && beside.offset.some((value) => value !== 0) ? null : update.explanation;
    this.overlay.showExplanation(explanation, position);
    this.cells.mark(explanation, explanation?.position ?? null);
    this.explained = explanation;
    this.showCollision();
    if (this.options.showsWhole) {
      const taken = this.history.messages.filter((message) => message.tick + 1 === update.tick && subjectOf(message, this.hello?.player ?? null) === guid);
      this.explanation.showTaken(taken, this.options.onMessageClick);
    }
  }

  /** Shows the shapes of the selected entity and of the scenery near it, unless they are switched off. */
  private showCollision(): void {
    const { explained, selected } = this;
    const figure = selected ? this.figures.find(selected.guid, selected.view) : undefined;
    const isShown = this.showsCollision.value && explained !== null;
    if (isShown) this.collision.show(explained, figure?.setup ?? null, figure?.body.scale || 1);
    else this.collision.hide();
    this.sceneryShapes.showNear(isShown ? explained.position : null);
  }

  private clearCollision(): void {
    this.explained = null;
    this.showCollision();
  }

  /** Keeps at the canvas how much is drawn of what, for tests. */
  private showFigures(): void {
    const { collision, paths, cells, sceneryShapes, figures } = this;
    const missiles = [...figures.all.values()].filter(({ entity, isDrawn }) => entity?.kind === "missile" && isDrawn).length;
    const portals = { portals: cells.portalCount, shownPortals: cells.shownPortalCount };
    const counts = { missiles, ...collision.figures, ...paths.figures, ...portals, shapes: sceneryShapes.shownCount, bodies: figures.all.size };
    Object.assign(this.options.viewport.canvas.dataset, counts);
  }

  select(selected: EntityKey): void {
    this.selected = selected;
    this.send({ command: "select", ...selected });
    this.options.onSelect?.();
    this.trails.forEach((trail) => trail.clear());
    this.overlay.clear();
    const views = (this.hello?.views ?? []).map(({ view }) => view);
    const now = this.tick?.t ?? 0;
    const [from, to] = this.options.showsWhole ? [this.hello?.start ?? 0, this.hello?.end ?? 0] : [now - SELECTED_SECONDS, now + 1];
    this.clearCollision();
    this.cells.mark(null, null);
    this.paths.clear();
    const { connection } = this;
    if (!connection) return;
    void this.history.select(selected.guid, views, connection, from, to).then(() => {
      if (this.selected !== selected || !this.options.showsWhole) return;
      this.paths.showPath(this.history.tracks.get(selected.view)?.path ?? []);
    });
    if (!this.options.showsWhole) {
      if (this.isCrowded) void this.filterEvents(connection, from, to);
      return;
    }
    void connection.ask("reports", { command: "reports", guid: selected.guid }).then((answer) => {
      if (answer && this.selected === selected) this.paths.showReports(answer.reports);
    });
  }

  /** In a crowd, only the events and messages of the selection are sent: there are too many others. */
  private setCrowded(isCrowded: boolean): void {
    if (isCrowded === this.isCrowded) return;
    this.isCrowded = isCrowded;
    const now = this.tick?.t ?? 0;
    if (this.connection) void this.filterEvents(this.connection, now - SELECTED_SECONDS, now + 1);
  }

  /** Sets which events and messages are sent, and requests those of a time. */
  private async filterEvents(connection: Connection, from: number, to: number): Promise<void> {
    const { selected, isCrowded } = this;
    connection.send({ command: "filter", events: null, guids: isCrowded && selected && this.filters.isOwn ? [selected.guid] : null, opcodes: null });
    const [events, messages] = await Promise.all([
      connection.ask("event_log", { command: "events", from, to, limit: null }),
      connection.ask("messages", { command: "messages", from, to, limit: null }),
    ]);
    if (events && messages && this.selected === selected && this.connection === connection) this.history.setEvents(events.events, messages.messages);
  }

  /** Requests styles, modifiers and actions of the selected entity in a walk: ticks do not tell them. */
  private updateMotions(): void {
    const { connection, selected } = this;
    const now = performance.now();
    if (this.options.showsWhole || !connection || !selected || now - this.lastMotions < MOTION_INTERVAL) return;
    this.lastMotions = now;
    const [from, to] = this.span;
    for (const { view } of this.hello?.views ?? []) {
      if (!this.history.tracks.has(view)) continue;
      void connection.ask("series", { command: "series", guid: selected.guid, view, from, to }).then((series) => series && this.history.updateMotions(series));
    }
  }

  /** Selects the next body that is drawn. */
  selectNext(): void {
    const keys = [...this.figures.all.values()]
      .filter((figure) => this.figures.tints.has(figure.body.view) && figure.isDrawn)
      .map(({ body }) => ({ guid: hex(body.guid), view: body.view }));
    if (keys.length === 0) return;
    const index = keys.findIndex(({ guid, view }) => guid === this.selected?.guid && view === this.selected.view);
    this.select(keys[(index + 1) % keys.length]!);
  }

  private castRay(event: MouseEvent): Raycaster {
    const box = this.options.viewport.canvas.getBoundingClientRect();
    const point = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(point, this.orbit.camera);
    return caster;
  }

  private onCanvasClick(event: PointerEvent): void {
    const figure = this.figures.pick(this.castRay(event).ray);
    if (figure) this.select({ guid: hex(figure.body.guid), view: figure.body.view });
    this.options.onClick?.(figure);
  }

  prepareFrame(seconds: number): Shot {
    this.figures.draw(seconds, this.orbit.camera);
    const followed = this.followed ? this.figures.find(this.followed, 0) : undefined;
    if (followed) {
      const [x, y, z] = followed.shown as unknown as [number, number, number];
      if ((followed.body.flags & BODY_FLAGS.contact) !== 0) this.levelGround.position.set(x, y, z - 0.01);
      this.orbit.follow(x, y, z + (followed.setup?.height || 1.8) * 0.72 * (followed.body.scale || 1));
    }
    this.orbit.update(seconds);
    const { target, camera } = this.orbit;
    if (this.options.placeCamera) this.options.placeCamera(camera, target, followed, seconds);
    else limitDistance(camera.position, target, this.backdrop.freeDistance(target, camera.position));
    camera.updateMatrixWorld();
    this.scene.centreShadows(target);
    const selected = this.selected ? this.figures.find(this.selected.guid, this.selected.view) : undefined;
    this.overlay.markSelection(selected?.shown ?? null, selected?.setup?.radius);
    this.collision.follow(selected?.shown ?? null);
    this.collision.isConcealed = this.figures.hidden !== null && selected?.body.guid === this.figures.hidden;
    this.showLabels();
    this.updatePlots();
    return { scene: this.scene, camera };
  }

  /** Whether the label of a figure is highlighted. A ghost too near to its truth to be drawn highlights the truth. */
  private isSelected({ body }: Figure): boolean {
    const { selected } = this;
    if (!selected || Number(selected.guid) !== body.guid) return false;
    const error = this.figures.find(selected.guid, selected.view)?.body.error ?? 0;
    return selected.view === body.view || !(error > MIN_LABELLED_ERROR);
  }

  /** The selected entity in every view that has it. */
  private selectedFigures(): Figure[] {
    const { selected } = this;
    return selected ? (this.hello?.views ?? []).flatMap(({ view }) => this.figures.find(selected.guid, view) ?? []) : [];
  }

  private showLabels(): void {
    this.labels.begin();
    const areMany = this.figures.all.size > MAX_LABELLED_FIGURES;
    for (const figure of areMany ? this.selectedFigures() : this.figures.all.values()) {
      const { body, entity, shown } = figure;
      if (!entity || !this.figures.tints.has(body.view) || !figure.isDrawn || figure.isAttached || entity.kind === "missile") continue;
      if (body.view === 0 && body.guid === this.figures.hidden) continue;
      const isGhost = body.view > 0;
      const isSelected = this.isSelected(figure);
      if ((areMany && !isSelected) || (isGhost && !(body.error > MIN_LABELLED_ERROR))) continue;
      const name = entity.name || entity.guid;
      const text = isGhost ? this.ghostText(name, body) : name;
      const height = (figure.setup?.height || 1.8) * (body.scale || 1) + (isGhost ? 0.12 : 0.34);
      const kind = `${isGhost ? "ghost" : ""} ${this.isComfort(body.view) ? "comfort" : ""} ${isSelected ? "selected" : ""}`;
      this.labels.show(Figures.key(body.guid, body.view), text, kind, shown[0]!, shown[1]!, shown[2]! + height, this.orbit.camera);
    }
    this.labels.end();
  }

  /** Whether a view is what the observer of a walk sees with comfort. */
  private isComfort(view: number): boolean {
    return !this.options.showsWhole && view === WALK_VIEWS.comfort;
  }

  private ghostText(name: string, { view, error }: Body): string {
    const { beside, views } = this.hello ?? {};
    if (this.isComfort(view)) return `${name} with comfort, ${metres(error)} off`;
    if (view !== beside?.view) return `${name} as seen, ${metres(error)} off`;
    return `${name} in ${views?.find((entry) => entry.view === view)?.name ?? "the other"}, ${metres(error)} apart`;
  }

  /** Updates plots and timeline, but not in every frame. */
  private updatePlots(): void {
    const now = performance.now();
    if (!this.tick || now - this.lastPlot < PLOT_INTERVAL) return;
    this.lastPlot = now;
    this.showFigures();
    const { t } = this.tick;
    this.moveSpan(t);
    const [from, to] = this.options.showsWhole ? this.spanAround(t) : this.span;
    const { t: times, cut } = this.history.window(from, to);
    const truth = this.history.tracks.get(0);
    const seen = this.otherTrack()?.track;
    const tracks = [truth, seen];
    this.plots.speed.set(times, tracks.map((track) => movingAverage(cut(track?.speed))), from, to, t);
    this.plots.frame.set(times, tracks.map((track) => cut(track?.frame)), from, to, t);
    const comfort = this.options.showsWhole ? [] : [cut(this.history.tracks.get(WALK_VIEWS.comfort)?.error)];
    this.plots.error.set(times, [cut((seen ?? truth)?.error), ...comfort], from, to, t);
    const [start, end] = this.options.showsWhole ? (this.zoomedAround(t) ?? this.whole(t)) : this.span;
    this.updateMotions();
    this.timeline.set(this.lanes(start, end), start, end, t);
    this.timeline.paint();
  }

  /** The first view other than the truth that has the selected entity. */
  private otherTrack(): { view: number; track: Track } | null {
    for (const { view } of this.hello?.views ?? []) {
      const track = view > 0 ? this.history.tracks.get(view) : undefined;
      if (track && track.bars.length > 0) return { view, track };
    }
    return null;
  }

  /** All of a recording. */
  private whole(t: number): [number, number] {
    return [this.state?.start ?? 0, Math.max(this.state?.end ?? 1, t)];
  }

  /** Zooms the timeline of a recording, which cannot show more than all of it. */
  private zoomTo(span: Span): void {
    const [start, end] = this.whole(this.tick?.t ?? 0);
    const width = span ? span[1] - span[0] : Infinity;
    if (!span || width >= end - start) {
      this.zoomed = null;
    } else {
      const from = Math.max(start, Math.min(span[0], end - width));
      this.zoomed = [from, from + width];
    }
    this.timeline.isZoomed = this.zoomed !== null;
    this.lastPlot = 0;
  }

  /** The part that the user has zoomed to. While the recording plays, it follows the time page by page. */
  private zoomedAround(t: number): Span {
    if (this.zoomed && this.state?.mode !== "paused") {
      const [from, to] = this.zoomed;
      if (t > to) this.zoomTo([t, t + to - from]);
      else if (t < from) this.zoomTo([t - (to - from), t]);
    }
    return this.zoomed;
  }

  /** The part of a recording around a time that plots show: what the timeline is zoomed to, or some seconds. */
  private spanAround(t: number): readonly [number, number] {
    if (this.zoomed) return this.zoomed;
    const [start, end] = [this.state?.start ?? 0, this.state?.end ?? 0];
    const from = Math.max(start, Math.min(t - PLOT_SECONDS / 2, end - PLOT_SECONDS));
    return [from, Math.max(from + 1, Math.min(end, from + PLOT_SECONDS))];
  }

  /** Moves the span of a walk so that it contains a time. */
  private moveSpan(t: number): void {
    if (this.state?.mode === "live") {
      const from = Math.max(this.state.start, t - PLOT_SECONDS);
      this.span = [from, from + PLOT_SECONDS];
    } else if (t < this.span[0]) {
      this.span = [t - PLOT_SECONDS * 0.3, t + PLOT_SECONDS * 0.7];
    } else if (t > this.span[1]) {
      this.span = [t - PLOT_SECONDS, t];
    }
  }

  private lanes(from: number, to: number): Lane[] {
    const views = this.hello?.views ?? [];
    const hasBars = (view: number) => (this.history.tracks.get(view)?.bars.length ?? 0) > 0;
    // Those of the observer in Walk are always there, so that the layout stays as it is. Comfort shows the same motions.
    const others = views.map(({ view }) => view).filter((view) => view > 0 && !this.isComfort(view) && (hasBars(view) || (!this.options.showsWhole && view === 1)));
    const showsAll = this.showsAllLanes.value;
    const shown = [0, ...others.slice(0, maxOtherViews(showsAll))];
    return lanes({
      history: this.history,
      filters: this.filters,
      views,
      shown,
      showsAll,
      nameOf: this.nameOf,
      clockStart: this.hello?.clock_start ?? 0,
      player: this.hello?.player ?? null,
      selected: this.selected?.guid ?? null,
      from,
      to,
      onMessageClick: this.options.onMessageClick,
      onMarkClick: (t) => this.seek(t),
    });
  }
}

/** The average over six ticks: bodies move by whole animation frames, and a tick contains one or two of them. */
function movingAverage(column: (number | null)[]): (number | null)[] {
  let sum = 0;
  let count = 0;
  return column.map((value, index) => {
    const old = index >= 6 ? column[index - 6]! : null;
    if (value !== null) [sum, count] = [sum + value, count + 1];
    if (old !== null) [sum, count] = [sum - old, count - 1];
    return value === null || count === 0 ? null : Math.max(0, sum / count);
  });
}

/** Moves a camera closer to its target. */
function limitDistance(camera: Vector3, target: Vector3, max: number): void {
  const offset = camera.clone().sub(target);
  if (offset.length() > max) camera.copy(target).addScaledVector(offset.normalize(), max);
}
