// The settings of Walk as a part of the address, so that a link or a reload has them again.

import { WALK_VIEWS, type EntityKey, type NetworkSettings } from "../protocol";
import { CAMERAS, type CameraMode } from "./walk-camera";

/** The settings of the network that have a slider. */
export const NETWORK_VALUES = ["latency_ms", "jitter_ms", "loss", "update_hz"] as const;
export type NetworkValue = (typeof NETWORK_VALUES)[number];

/** The views whose ghosts can be shown. */
const GHOSTS = ["observer", "client", "comfort"] as const;
export type Ghost = (typeof GHOSTS)[number];
/** The ghosts that a new page shows. */
export const INITIAL_GHOSTS: readonly Ghost[] = ["observer"];

/** What an address can say. */
export interface WalkSettings {
  network: Partial<Record<NetworkValue, number>>;
  camera: CameraMode;
  retail: boolean;
  /** How many walkers there are. */
  crowd: number;
  ghosts: readonly Ghost[];
  /** The selected entity; null for the player, as an observer sees it. */
  selected: EntityKey | null;
}

/** What an address says; nothing about settings that it leaves out. */
export type WalkAddress = Pick<WalkSettings, "network"> & Partial<WalkSettings>;

export function parseAddress(query: URLSearchParams): WalkAddress {
  const address: WalkAddress = { network: {} };
  for (const name of NETWORK_VALUES) {
    const value = Number(query.get(name) ?? NaN);
    if (Number.isFinite(value)) address.network[name] = value;
  }
  const camera = CAMERAS.find((mode) => mode === query.get("camera")?.replace("-person", " person"));
  if (camera) address.camera = camera;
  const presentation = query.get("presentation");
  if (presentation) address.retail = presentation === "retail";
  const crowd = Number(query.get("crowd") ?? NaN);
  if (Number.isInteger(crowd) && crowd >= 0) address.crowd = crowd;
  const ghosts = query.get("ghosts")?.split(" ");
  if (ghosts) address.ghosts = GHOSTS.filter((ghost) => ghosts.includes(ghost));
  const [guid, view] = [query.get("entity"), Number(query.get("view") ?? WALK_VIEWS.truth)];
  if (guid && /^0x[0-9A-F]{8}$/i.test(guid) && Number.isInteger(view)) address.selected = { guid, view };
  return address;
}

/** The part of the address behind `#`, with the settings that are not those of a new walk. */
export function formatAddress(settings: WalkSettings, initial: NetworkSettings): string {
  const { network, camera, retail, crowd, ghosts, selected } = settings;
  const query = new URLSearchParams();
  for (const name of NETWORK_VALUES) if (network[name] !== initial[name]) query.set(name, String(network[name]));
  if (camera !== CAMERAS[0]) query.set("camera", camera.replace(" ", "-"));
  if (retail) query.set("presentation", "retail");
  if (crowd > 0) query.set("crowd", String(crowd));
  if (ghosts.join() !== INITIAL_GHOSTS.join()) query.set("ghosts", ghosts.join(" ") || "none");
  if (selected) {
    query.set("entity", selected.guid);
    if (selected.view !== WALK_VIEWS.truth) query.set("view", String(selected.view));
  }
  const text = query.toString();
  return text ? `walk?${text}` : "walk";
}
