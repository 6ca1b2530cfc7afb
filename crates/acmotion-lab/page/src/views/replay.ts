// Replay: plays a capture, the result of another run, or a scenario.

import { get, upload, type CaptureOptions } from "../api";
import { lab } from "../backend/backend";
import { BODY_FLAGS, type About, type Hello, type JumpTarget, type MessageSummary, type RecordingSummary } from "../protocol";
import type { Shot, Viewport } from "../scene/viewport";
import { SessionView } from "../session/session-view";
import type { Tick } from "../tick";
import { checkbox, Choice, type Checkbox } from "../ui/controls";
import { h, setChildren, setText } from "../ui/dom";
import type { Drops } from "../ui/drops";
import { bytes, count, hex, seconds, sentence } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import { limitRate } from "../ui/rate";
import { FileChoice, type OpenFiles } from "../ui/files";
import { copyLink } from "../ui/link";
import type { Shell, View } from "../ui/shell";
import { formatAddress, parseAddress, type ReplayAddress } from "./replay-address";
import { ComparePanel } from "./replay-compare";
import { EntityList } from "./replay-entities";
import { ReplayLinks, type LinkedFile } from "./replay-links";
import { MessagePanel } from "./replay-messages";

/** What the user can jump to: the target, its name, and the key. */
const JUMPS: [JumpTarget, string, string][] = [
  ["attack", "hit", "H"],
  ["snap", "snap", "S"],
  ["teleport", "teleport", "G"],
  ["rejected", "rejection", "X"],
  ["message", "message", "M"],
];

const PANELS = ["explanation", "messages"] as const;

/** The minimum time between two changes of the address, in milliseconds: browsers limit them. */
const ADDRESS_INTERVAL = 300;

export class ReplayView implements View {
  readonly name = "replay";
  readonly title = "Replay";
  readonly element: HTMLElement;
  readonly shortcuts: Shortcut[];
  private readonly session: SessionView;
  private readonly messages: MessagePanel;
  private readonly entities: EntityList;
  private readonly comparison: ComparePanel;
  private readonly dat: FileChoice;
  private readonly cell: FileChoice;
  private readonly middle: HTMLElement;
  private readonly cover: HTMLElement;
  private readonly recordings = h("div", { class: "list recordings" });
  private readonly notes = h("p", { class: "soft" });
  private readonly fileInput = h("input", { type: "file", id: "capture-file", hidden: true, accept: ".pcap,.pcapng,.jsonl,.json,.toml" });
  private readonly selfInput = h("input", { id: "capture-self", type: "search", placeholder: "Guid, if it is not found" });
  private readonly eraSelect = h("select", { id: "capture-era" }, h("option", { value: "retail" }, "End of retail"), h("option", { value: "2013" }, "September 2013"));
  private readonly reopen = h("button", { disabled: true, onclick: () => this.readAgain() }, "Read the file again");
  /** The file that was opened last. */
  private lastFile: File | null = null;
  private readonly followCheckbox: Checkbox;
  /** The id of the open recording, and of the one beside it. */
  private openId: number | null = null;
  private besideId: number | null = null;
  private followsSelection = true;
  /** What the address asks for, until the recording is open. */
  private wanted: ReplayAddress | null = null;
  private readonly links = new ReplayLinks();
  /** The address whose files are being opened, or whose file the browser does not have. */
  private linked: URLSearchParams | null = null;
  private readonly missing = h("p", { class: "missing", hidden: true });
  private showPanel: (panel: (typeof PANELS)[number]) => void = () => {};
  private readonly updateAddress = limitRate(ADDRESS_INTERVAL, () => this.writeAddress());

  constructor(
    private about: About,
    private readonly shell: Shell,
    private readonly viewport: Viewport,
    private readonly files: OpenFiles,
    drops: Drops,
  ) {
    this.session = new SessionView({
      shell,
      viewport,
      isActive: () => shell.isFront(this),
      hint: "Click an entity in the scene or in the list to see why it moves as it does.",
      transport: { live: "playing", end: "Go to the end", resume: null },
      extraControls: this.jumpButtons(),
      showsWhole: true,
      onHello: (hello) => this.onHello(hello),
      onState: () => this.updateAddress(),
      onTick: (tick) => this.onTick(tick),
      onMessageClick: (message) => this.showMessage(message),
      onSelect: () => this.onSelect(),
      onClick: () => this.followSelection(),
    });
    const select = (guid: string) => {
      this.session.select({ guid, view: 0 });
      this.followSelection();
    };
    this.messages = new MessagePanel(this.session, select);
    this.entities = new EntityList(select, (t) => this.session.seekAfter(t));
    this.comparison = new ComparePanel({
      nameOf: this.session.nameOf,
      onChoose: (beside) => (location.hash = formatAddress({ ...this.currentAddress(), beside, view: 0 })),
      onPick: (guid, t) => {
        if (this.session.figures.entity(guid, 0)) select(guid);
        this.session.seek(t);
      },
    });
    this.dat = new FileChoice(files, shell, { id: "capture-dat", kind: "dat", label: "Dat file", onChange: () => this.readAgain() });
    this.cell = new FileChoice(files, shell, { id: "capture-cell", kind: "cell", label: "Land", none: "level ground", onChange: () => this.readAgain() });
    // The cell file that the lab was started with comes first.
    const land = files.list.find(({ kind }) => kind === "cell");
    if (land && about.cell !== null) this.cell.set(String(land.number));
    this.followCheckbox = checkbox("follow", "Camera follows the selection", true, (on) => this.setFollows(on));
    this.cover = this.createCover();
    this.middle = h("div", { class: "middle" }, this.session.labels.element, this.cover);
    this.element = this.createElement();
    this.fileInput.addEventListener("change", () => {
      const file = this.fileInput.files?.[0];
      if (file) void this.load(file);
      this.fileInput.value = "";
    });
    this.shortcuts = [...this.ownShortcuts(), ...this.session.transport.shortcuts()];
    Object.assign(this.session.orbit, { distance: 9, pitch: 0.34, yaw: 0.4 });
    drops.take((file) => void this.load(file));
  }

  private createElement(): HTMLElement {
    const explanation = h("div", { class: "stack" }, this.session.explanation.element, this.session.plotSection);
    const panels = new Choice("Panel", PANELS, (value) => (value === "messages" ? "Messages" : "Explanation"), (value) => this.showPanel(value));
    this.showPanel = (value) => {
      panels.set(value);
      this.messages.element.hidden = value !== "messages";
      explanation.hidden = value !== "explanation";
    };
    this.showPanel("explanation");
    return h(
      "main",
      { class: "view replay" },
      h(
        "aside",
        { class: "side left", "aria-label": "Recordings and entities" },
        h("section", {}, h("h2", {}, "Recording"), h("button", { class: "primary", onclick: () => this.fileInput.click() }, "Open a file…"), h("button", { class: "copy-link", title: "Copy a link to this moment", onclick: () => this.copyLink() }, "Copy link"), this.fileInput, this.recordings, this.notes, this.comparison.element, this.createOptions()),
        h("section", { class: "flush fills" }, h("h2", {}, "Entities", this.entities.count), h("div", { class: "within" }, this.entities.search, h("details", { class: "scene-options" }, h("summary", {}, "Shown in the scene"), this.followCheckbox, this.session.switches)), this.entities.element, this.entities.facts),
      ),
      this.middle,
      h("aside", { class: "side right", "aria-label": "Messages and explanation" }, h("div", { class: "bar" }, panels.element), this.messages.element, explanation),
      h("footer", { class: "foot" }, this.session.transport.element, this.session.timeline.element),
    );
  }

  /** The invitation to open a file. */
  private createCover(): HTMLElement {
    return h(
      "div",
      { class: "cover" },
      h(
        "div",
        {},
        h("h2", {}, "Drop a capture here"),
        this.missing,
        h("p", {}, "A pcap or pcapng file, JSON Lines, the output of ", h("span", { class: "mono nowrap" }, "replay --json"), " or ", h("span", { class: "mono nowrap" }, "simulate --json"), ", or a scenario (.toml) to simulate."),
        h("p", { class: "soft" }, `${lab().isLocal ? "Files never leave this browser: there is no server. They" : "Files stay on this machine and"} can have up to ${bytes(this.about.limits.upload_bytes)}.`),
        h("button", { onclick: () => this.fileInput.click() }, "Open a file…"),
      ),
    );
  }

  /** Uploads a file and opens it. */
  private async load(file: File): Promise<void> {
    const limit = this.about.limits.upload_bytes;
    if (file.size > limit) {
      this.shell.showToast(`${file.name} is too large: it has ${bytes(file.size)}, and the limit is ${bytes(limit)}.`, true);
      return;
    }
    this.shell.showToast(`Reading ${file.name} …`);
    try {
      const options = this.captureOptions();
      const recording = await upload(file, options);
      this.links.add(recording, options, (number) => this.files.find(Number(number))?.built_in ?? false);
      this.lastFile = file;
      this.reopen.disabled = false;
      const facts = [count(recording.messages, "message"), count(recording.entities, "entity", "entities"), seconds(recording.seconds, 1)];
      this.shell.showToast(`${recording.name}: ${facts.join(", ")}`);
      this.notes.textContent = recording.notes.map(sentence).join(" ");
      const { linked } = this;
      if (linked && linked.get("file") === recording.digest) this.navigate(linked);
      else location.hash = `replay?recording=${recording.id}`;
      await this.refreshRecordings();
    } catch (error) {
      const { message } = error as Error;
      // The server's errors start with the name of the file.
      this.shell.showToast(message.startsWith(file.name) ? message : `${file.name}: ${message}`, true);
    }
  }

  private captureOptions(): CaptureOptions {
    return { self: this.selfInput.value.trim(), era: this.eraSelect.value === "2013" ? "2013" : "retail", dat: this.dat.value, cell: this.cell.value };
  }

  /** Reads the last file again, with other options. */
  private readAgain(): void {
    if (this.lastFile) void this.load(this.lastFile);
  }

  /** How captures are read: with which data, which entity is the player, and which client they are of. */
  private createOptions(): HTMLElement {
    return h(
      "details",
      { class: "capture-options" },
      h("summary", {}, "How captures are read"),
      this.dat.element,
      this.cell.element,
      h("div", { class: "field" }, h("label", { for: "capture-self" }, "Player"), this.selfInput),
      h("div", { class: "field" }, h("label", { for: "capture-era" }, "Client"), this.eraSelect),
      this.reopen,
    );
  }

  private async refreshRecordings(): Promise<void> {
    this.about = await get<About>("/api/about").catch(() => this.about);
    this.comparison.show(this.about.recordings, this.openId, this.besideId);
    const { recordings } = this.about;
    const isOnly = ({ name }: RecordingSummary) => recordings.filter((other) => other.name === name).length === 1;
    setChildren(
      this.recordings,
      ...recordings.map((recording) =>
        h(
          "button",
          { class: "item", "aria-current": String(recording.id === this.openId), onclick: () => (location.hash = `replay?recording=${recording.id}`) },
          h("span", { title: recording.name }, isOnly(recording) ? recording.name : `${recording.name} (${recording.id})`),
          recording.live ? h("span", { class: "tag on" }, "live") : null,
        ),
      ),
    );
  }

  private jumpButtons(): HTMLElement[] {
    const button = ([target, name, key]: (typeof JUMPS)[number]) =>
      h("button", { title: `Next ${name} (${key}); previous ${name} (Shift+${key})`, "aria-label": `Next ${name}`, onclick: () => this.jump(target, false) }, name);
    const buttons = JUMPS.filter(([target]) => target !== "message").map(button);
    return [h("span", { class: "next" }, h("span", { class: "soft" }, "Next"), h("span", { class: "segments", role: "group", "aria-label": "Go to the next" }, ...buttons))];
  }

  /** Goes to the next or the last target; of hits, only to those of the selected entity. */
  private jump(target: JumpTarget, back: boolean): void {
    const guid = target === "attack" ? (this.session.selected?.guid ?? null) : null;
    this.session.send({ command: "next", target, back, guid });
  }

  private ownShortcuts(): Shortcut[] {
    const group = "Replay";
    const jumps = JUMPS.map(([target, name, key]): Shortcut => ({
      keys: [key.toLowerCase()], shown: `${key}  ⇧${key}`, description: `next ${name}, previous ${name}`, group,
      down: (event) => this.jump(target, event.shiftKey),
    }));
    return [
      { keys: ["o"], shown: "O", description: "open a file", group, down: () => this.fileInput.click() },
      ...jumps,
      { keys: [" "], shown: "Space", description: "play or pause", group, down: () => this.session.transport.toggle() },
      { keys: ["arrowright"], shown: "→", description: "ten ticks forward", group, down: () => this.session.send({ command: "step", ticks: 10 }) },
      { keys: ["arrowleft"], shown: "←", description: "ten ticks back", group, down: () => this.session.send({ command: "step", ticks: -10 }) },
      { keys: ["n"], shown: "N", description: "select the next entity", group, down: () => this.selectNext() },
      { keys: ["f"], shown: "F", description: "camera follows the selection", group, down: () => this.setFollows(!this.followsSelection) },
    ];
  }

  private showMessage(message: MessageSummary): void {
    this.showPanel("messages");
    this.messages.show(message);
  }

  private selectNext(): void {
    this.session.selectNext();
    this.followSelection();
  }

  private setFollows(on: boolean): void {
    this.followsSelection = on;
    this.followCheckbox.set(on);
    this.followSelection();
  }

  private followSelection(): void {
    if (!this.followsSelection) this.session.followed = null;
    else if (this.session.selected) this.session.followed = this.session.selected.guid;
  }

  show(): void {
    this.viewport.show(this.middle, (seconds): Shot => this.session.prepareFrame(seconds));
    void this.refreshRecordings();
  }

  hide(): void {
    this.session.send({ command: "pause", on: true });
  }

  navigate(query: URLSearchParams): void {
    this.linked = null;
    if (ReplayLinks.hasFiles(query)) void this.openLink(query);
    else this.openAddress(parseAddress(query));
  }

  /** Opens the files that a link names, and then what it shows of them. */
  private async openLink(query: URLSearchParams): Promise<void> {
    this.linked = query;
    let found: URLSearchParams | LinkedFile;
    try {
      await this.refreshRecordings();
      const { recordings } = this.about;
      found = lab().isLocal ? await this.links.withNumbers(query, recordings) : ReplayLinks.fromDigests(query, recordings);
    } catch (error) {
      this.shell.showToast((error as Error).message, true);
      return;
    }
    // Another address may have been asked for since.
    if (this.linked !== query) return;
    this.missing.hidden = found instanceof URLSearchParams;
    if (!(found instanceof URLSearchParams)) {
      const where = lab().isLocal ? "this browser does not have" : "is not open in this lab";
      setText(this.missing, `The link shows ${found.name}, which ${where}. Open that file to see the moment.`);
      this.cover.hidden = false;
      return;
    }
    this.linked = null;
    this.openAddress(parseAddress(found));
  }

  private openAddress(address: ReplayAddress): void {
    const id = address.recording ?? this.openId ?? this.about.recordings.at(-1)?.id ?? null;
    if (id === null) return;
    if (id === this.openId && (address.beside === this.besideId || address.recording === null)) {
      this.goTo(address);
      return;
    }
    this.wanted = address;
    this.openId = id;
    this.besideId = address.beside;
    this.cover.hidden = true;
    this.session.open({ mode: "replay", recording: String(id), ...(address.beside === null ? {} : { beside: String(address.beside) }) });
    void this.refreshRecordings();
  }

  private onHello(hello: Hello): void {
    // For tests: the recording that is shown, and no position of another one.
    this.middle.dataset.recording = String(this.openId);
    delete this.middle.dataset.position;
    const { tints } = this.session.figures;
    tints.clear();
    for (const { view } of hello.views) tints.set(view, view === 0 ? "solid" : view === hello.beside?.view ? "beside" : view === 1 ? "observer" : "client");
    this.messages.load(hello);
    this.entities.clear();
    void this.session.connection?.ask("agreement", { command: "agreement" }).then((answer) => answer && this.entities.setAgreement(answer.entities));
    const wanted = this.wanted;
    this.wanted = null;
    if (wanted) this.goTo(wanted);
    if (!wanted || wanted.t === null) this.session.send({ command: "play", rate: 1 });
  }

  /** Shows the moment and selects the entity of an address. */
  private goTo({ t, entity, view }: ReplayAddress): void {
    if (entity) {
      this.session.select({ guid: entity, view });
      this.followSelection();
    }
    if (t !== null) this.session.seek(t);
  }

  private currentAddress(): ReplayAddress {
    const { selected, state, time } = this.session;
    const t = state?.mode === "paused" ? time : null;
    return { recording: this.openId, beside: this.besideId, t, entity: selected?.guid ?? null, view: selected?.view ?? 0 };
  }

  /** The part of a page's address behind `#`. */
  private fragment(address: ReplayAddress): string {
    const fragment = formatAddress(address);
    return lab().isLocal ? this.links.withFiles(fragment) : ReplayLinks.withDigests(fragment, this.about.recordings);
  }

  /** Copies a link to the moment shown, also while the recording plays. */
  private copyLink(): void {
    void copyLink(this.shell, this.fragment({ ...this.currentAddress(), t: this.session.time }));
  }

  /** Keeps the address up to date, so that a reload or a link shows the same moment. */
  private writeAddress(): void {
    // Another view or recording may have been asked for already, although it is not in front yet.
    const isAsked = /^#replay(\?|$)/.test(location.hash);
    const asked = parseAddress(new URLSearchParams(location.hash.split("?")[1] ?? ""));
    const isOther = asked.recording !== null && (asked.recording !== this.openId || asked.beside !== this.besideId);
    if (this.openId === null || this.linked || !isAsked || !this.shell.isFront(this) || isOther) return;
    const address = `#${this.fragment(this.currentAddress())}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  }

  /** The list shows the selection at once, also while the recording is paused. */
  private onSelect(): void {
    this.entities.show(this.session.figures, this.session.selected?.guid ?? null);
    this.updateAddress();
  }

  private onTick(tick: Tick): void {
    if (!this.session.selected) {
      const first = tick.bodies.find((body) => (body.flags & BODY_FLAGS.shown) !== 0);
      if (first) this.session.select({ guid: hex(first.guid), view: 0 });
      this.followSelection();
    }
    const guid = Number(this.session.selected?.guid ?? 0);
    const selected = tick.bodies.find((body) => body.guid === guid);
    if (selected) this.middle.dataset.position = selected.position.map((v) => v.toFixed(3)).join(" ");
    this.messages.showTime(tick.t);
    this.updateAddress();
    this.entities.show(this.session.figures, this.session.selected?.guid ?? null);
  }
}
