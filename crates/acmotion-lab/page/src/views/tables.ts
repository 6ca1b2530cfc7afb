// Tables: a motion table as a graph, and any of its motions played on a setup.

import { Vector3 } from "three";
import { get, getFile, objectsOf } from "../api";
import type { Clip, MotionTable, Setup, TableEntry, TableList } from "../protocol";
import { Labels } from "../scene/labels";
import { Orbit } from "../scene/orbit";
import { levelGround } from "../scene/scenery";
import { LitScene, type Shot, type Viewport } from "../scene/viewport";
import { DEFAULT_ADDRESS, formatAddress, parseAddress, type TablesAddress } from "../tables/address";
import { ClipFigure, loadClip, type Presentation } from "../tables/clip-figure";
import { Facts } from "../tables/facts";
import { Graph } from "../tables/graph";
import { Motions } from "../tables/motions";
import { Playhead } from "../tables/playhead";
import { SheetDialog } from "../tables/sheet";
import { Wedges } from "../tables/wedge";
import { checkbox, Slider, type Checkbox } from "../ui/controls";
import { h, saveFile, setText } from "../ui/dom";
import { commandName } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import { FileChoice, type OpenFiles } from "../ui/files";
import { copyLink } from "../ui/link";
import type { Shell, View } from "../ui/shell";

type Switch = "compare" | "axes" | "stay";

/** How long the text of a hook that fired is shown, in milliseconds. */
const HOOK_MILLISECONDS = 900;

export class TablesView implements View {
  readonly name = "tables";
  readonly title = "Tables";
  readonly element: HTMLElement;
  readonly shortcuts: Shortcut[];
  private readonly scene = new LitScene(60, new Vector3(27, 9, 34));
  private readonly orbit = new Orbit({ near: 0.8, far: 25, low: -0.2, high: 1.5 });
  private readonly figure = new ClipFigure();
  private readonly wedges = new Wedges();
  private readonly sheet = new SheetDialog((style, motion) => this.change({ style, motion, from: "" }));
  private readonly dat: FileChoice;
  private readonly labels = new Labels();
  private readonly motions: Motions;
  private readonly graph = new Graph((selection) => this.change(selection));
  private readonly facts = new Facts((time) => this.playhead.seek(time));
  private readonly playhead: Playhead;
  private readonly hookText = h("div", { class: "chip hook-text", role: "status" });
  private readonly sceneBox: HTMLElement;
  private readonly speed: Slider;
  private readonly switches: Record<Switch, Checkbox>;
  private address: TablesAddress = { ...DEFAULT_ADDRESS };
  /** The tables of the dat file with this number. */
  private entries: { dat: number; tables: TableEntry[] } | null = null;
  private table: MotionTable | null = null;
  private clip: Clip | null = null;
  private setup: Setup | null = null;
  /** Counts the calls of `load`: only the last one may show its result. */
  private loads = 0;
  /** The last load, which may be under way. */
  private loading: Promise<void> = Promise.resolve();
  private hookShownAt = 0;
  /** Whether two figures were shown when the camera was last fitted. */
  private fitted = true;

  constructor(
    private readonly shell: Shell,
    private readonly viewport: Viewport,
    files: OpenFiles,
  ) {
    const onDat = (value: string) => this.change({ ...DEFAULT_ADDRESS, dat: Number(value) });
    this.dat = new FileChoice(files, shell, { id: "pick-dat", kind: "dat", label: "Dat file", onChange: onDat });
    this.motions = new Motions(this.dat.element, (change) => this.change(change));
    this.playhead = new Playhead((hook) => this.showHook(hook), () => this.updateAddressBar());
    this.sceneBox = h("div", { class: "scene-box" }, this.labels.element, h("div", { class: "hud top-left" }, this.hookText));
    this.speed = new Slider({
      id: "motion-speed", label: "Motion speed", min: -2, max: 4, step: 0.05, value: 1,
      text: (value) => `× ${value.toFixed(2)}`,
      onChange: (value) => this.change({ speed: value === 0 ? 0.05 : value }),
    });
    const makeSwitch = (name: Switch, label: string) => checkbox(name, label, DEFAULT_ADDRESS[name], (on) => this.change({ [name]: on }));
    this.switches = {
      compare: makeSwitch("compare", "Compare retail and smooth"),
      axes: makeSwitch("axes", "Show the axes of parts"),
      stay: makeSwitch("stay", "Stay in place"),
    };
    const copy = h("button", { title: "Copy a link to this view (C)", onclick: () => void this.copyLink() }, "Copy link");
    const sheet = h("button", { title: "All motions of the table in every style, to sort, compare and export (T)", onclick: () => this.openSheet() }, "All motions…");
    const save = h("button", { title: "The motion on this setup as a file for Blender, three.js and other tools (D)", onclick: () => void this.download() }, "Download glTF");
    this.element = h(
      "main",
      { class: "view tables" },
      h("aside", { class: "side left", "aria-label": "Motions" }, ...this.motions.sections, h("section", {}, h("div", { class: "row" }, sheet, save))),
      h("div", { class: "middle" }, h("div", { class: "split" }, this.sceneBox, this.graph.element)),
      h("aside", { class: "side right", "aria-label": "Selected motion" }, h("section", {}, h("h2", {}, "Presentation"), this.speed.element, ...Object.values(this.switches)), this.facts.element),
      h("footer", { class: "foot" }, this.playhead.controls(copy), this.playhead.timeline.element),
    );
    this.scene.setShadowRadius(7);
    this.scene.scene.add(this.figure.group, this.wedges.group, levelGround(120));
    this.orbit.listen(viewport.canvas, () => shell.isFront(this), () => undefined);
    Object.assign(this.orbit, { yaw: Math.PI + 0.5, pitch: 0.16, distance: 3.8 });
    const toggle = (name: Switch) => this.change({ [name]: !this.address[name] });
    this.shortcuts = [
      ...this.playhead.shortcuts(),
      { keys: ["c"], shown: "C", description: "copy a link to this view", group: "Tables", down: () => void this.copyLink() },
      { keys: ["t"], shown: "T", description: "all motions of the table", group: "Tables", down: () => this.openSheet() },
      { keys: ["d"], shown: "D", description: "download the motion as glTF", group: "Tables", down: () => void this.download() },
      { keys: ["v"], shown: "V", description: "compare retail and smooth", group: "Tables", down: () => toggle("compare") },
      { keys: ["a"], shown: "A", description: "show the axes of parts", group: "Tables", down: () => toggle("axes") },
      { keys: ["g"], shown: "G", description: "stay in place or move", group: "Tables", down: () => toggle("stay") },
    ];
  }

  show(): void {
    this.viewport.show(this.sceneBox, (seconds) => this.prepareFrame(seconds));
  }

  hide(): void {
    this.playhead.pause();
  }

  navigate(query: URLSearchParams): void {
    const address = parseAddress(query);
    const isUnchanged = query.size === 0 || formatAddress(address) === formatAddress(this.address);
    if (this.table && isUnchanged) return;
    this.loading = this.load(address);
  }

  private change(change: Partial<TablesAddress>): void {
    this.loading = this.load({ ...this.address, at: null, ...change });
  }

  /** Loads and shows what an address asks for. */
  private async load(address: TablesAddress): Promise<void> {
    const load = ++this.loads;
    try {
      const { dat } = address;
      if (this.entries?.dat !== dat) this.entries = { dat, tables: (await get<TableList>(`/api/tables?dat=${dat}`)).tables };
      const entries = this.entries.tables;
      const entry = entries.find(({ id }) => isSameId(id, address.table)) ?? entries.find(({ error }) => !error) ?? entries[0];
      if (!entry) return this.facts.showMessage("The dat file has no motion tables.");
      if (entry.error) return this.facts.showMessage(`${entry.id} cannot be read: ${entry.error}`, true);
      const isSame = this.table?.id === entry.id && this.address.dat === dat;
      const table = isSame && this.table ? this.table : await get<MotionTable>(`/api/table/${entry.id}?dat=${dat}`);
      if (load !== this.loads) return;
      this.table = table;
      this.address = completeAddress(address, entry, table);
      this.showAddress(entries, entry, table);
      const clip = await get<Clip>(`/api/clip?${clipQuery(this.address)}`);
      const setup = await loadClip(clip, objectsOf(dat));
      if (load !== this.loads) return;
      const last = this.clip;
      const isOtherBody = this.setup !== setup || this.fitted !== address.compare;
      const isOther = last === null || last.motion.id !== clip.motion.id || last.style.id !== clip.style.id || last.from.id !== clip.from.id;
      this.clip = clip;
      this.setup = setup;
      this.wedges.load(setup ? clip : null);
      this.sceneBox.dataset.wedges = String(this.wedges.count);
      if (!setup) this.facts.showMessage("No setup of this dat file fits the table.", true);
      else this.facts.show(clip, table);
      if (isOtherBody || isOther) this.fitCamera();
      this.playhead.load(clip, address.at, isOther);
      this.updateAddressBar();
    } catch (error) {
      if (load !== this.loads) return;
      this.clip = null;
      this.wedges.load(null);
      this.facts.showMessage((error as Error).message, true);
      this.playhead.load(null, null, true);
    }
  }

  private showAddress(entries: TableEntry[], entry: TableEntry, table: MotionTable): void {
    const { address } = this;
    this.dat.set(String(address.dat));
    this.motions.show(entries, entry, table, address);
    this.graph.show(table, { style: address.style, motion: address.motion, from: address.from });
    this.speed.set(address.speed);
    for (const [name, element] of Object.entries(this.switches)) element.set(address[name as Switch]);
  }

  /** Updates the address without adding an entry to the browser's history. */
  private updateAddressBar(): void {
    if (!this.shell.isFront(this)) return;
    this.address.at = this.playhead.isRunning ? null : this.playhead.time;
    history.replaceState(null, "", `${location.pathname}${location.search}#${formatAddress(this.address)}`);
  }

  private openSheet(): void {
    if (this.table && this.entries) this.sheet.open(this.address.dat, this.table.id, this.entries.tables).catch((error: Error) => this.shell.showToast(error.message, true));
  }

  /** Downloads the motion as the view shows it: in place or not, with the key frames of the original. */
  private async download(): Promise<void> {
    await this.loading;
    if (!this.clip) return this.shell.showToast("There is no motion to download.", true);
    const { stay } = this.address;
    try {
      const file = await getFile(`/api/gltf?${clipQuery(this.address)}&stay=${stay ? 1 : 0}`);
      saveFile(file, `${commandName(this.clip.style)}-${commandName(this.clip.motion)}.glb`);
    } catch (error) {
      this.shell.showToast((error as Error).message, true);
    }
  }

  private async copyLink(): Promise<void> {
    this.address.at = this.playhead.time;
    await copyLink(this.shell, formatAddress(this.address));
  }

  private showHook(text: string): void {
    setText(this.hookText, text);
    this.hookText.classList.add("on");
    this.hookShownAt = performance.now();
  }

  private prepareFrame(seconds: number): Shot {
    this.playhead.update(seconds);
    if (performance.now() - this.hookShownAt > HOOK_MILLISECONDS) this.hookText.classList.remove("on");
    this.figure.begin();
    this.labels.begin();
    if (this.clip && this.setup) this.drawClip(this.clip, this.setup);
    this.labels.end();
    this.figure.end();
    this.orbit.update(seconds);
    this.scene.centreShadows(this.orbit.target);
    return { scene: this.scene, camera: this.orbit.camera };
  }

  /** How far two figures stand from the middle, in metres. */
  private spacing(setup: Setup): number {
    return this.address.compare ? Math.max(0.75, (setup.radius || 0.5) * 1.5) : 0;
  }

  /** Moves the camera so far away that all that is shown fits: the figures, and the wedges of an attack. */
  private fitCamera(): void {
    const { setup } = this;
    if (!setup) return;
    this.fitted = this.address.compare;
    const height = setup.height || 1.8;
    const width = Math.max(setup.radius || 0.5, this.wedges.reach) + this.spacing(setup);
    this.orbit.fit(width, height * 0.6);
    this.sceneBox.dataset.distance = this.orbit.distance.toFixed(2);
  }

  private drawClip(clip: Clip, setup: Setup): void {
    const { stay, axes, compare, dat } = this.address;
    const { time } = this.playhead;
    const height = setup.height || 1.8;
    const distance = this.spacing(setup);
    const presentations: Presentation[] = compare ? ["retail", "smooth"] : ["smooth"];
    presentations.forEach((presentation, index) => {
      const offset = distance * (index === 0 ? 1 : -1);
      const rows = this.figure.draw(setup, clip, objectsOf(dat), { time, presentation, offset, stays: stay, axes: axes ? index : null });
      const [x, y, z] = [rows[0]!, rows[1]!, rows[2]!];
      // A body turns about the vertical axis only.
      if (presentation === "smooth") this.wedges.update(time, x, y, z, 2 * Math.atan2(rows[6]!, rows[3]!));
      this.orbit.follow(x - offset, y, z + height * 0.55);
      if (compare) this.labels.show(presentation, presentation, "", x, y, z + height + 0.25, this.orbit.camera);
    });
    this.facts.highlightHooks(time, clip);
  }
}

function isSameId(id: string, text: string): boolean {
  return text !== "" && Number(id) === Number(text.startsWith("0x") ? text : `0x${text}`);
}

/** Fills in what an address leaves open: the default style, a cycle that moves, and the substate it starts from. */
function completeAddress(address: TablesAddress, entry: TableEntry, table: MotionTable): TablesAddress {
  const style = table.styles.find((one) => one.style.id === address.style || commandName(one.style) === address.style)?.style ?? table.default_style;
  const cycles = table.cycles.filter((cycle) => cycle.style.id === style.id);
  const start = table.styles.find((one) => one.style.id === style.id)?.default ?? cycles[0]?.motion ?? null;
  const first = cycles.find(({ motion }) => ["RunForward", "WalkForward"].includes(commandName(motion))) ?? cycles[0];
  const all = [...cycles.map((cycle) => cycle.motion), ...table.links.map((link) => link.to), ...table.modifiers.map((modifier) => modifier.motion)];
  const idOf = (name: string) => all.find((command) => command.id === name || commandName(command) === name)?.id ?? name;
  const setups = entry.summary?.setups ?? [];
  return {
    ...address,
    table: entry.id,
    setup: setups.find((setup) => setup.id === address.setup)?.id ?? setups[0]?.id ?? "",
    style: style.id,
    motion: address.motion ? idOf(address.motion) : (first?.motion.id ?? start?.id ?? ""),
    from: address.from ? idOf(address.from) : (start?.id ?? ""),
  };
}

function clipQuery({ dat, table, style, motion, speed, from, setup }: TablesAddress): string {
  const query = new URLSearchParams({ dat: String(dat), table, style, motion, speed: String(speed) });
  if (from) query.set("from", from);
  if (setup) query.set("setup", setup);
  return query.toString();
}
