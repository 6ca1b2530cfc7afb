// The settings of Walk as a part of the address, so that a link or a reload has them again.

import type { NetworkSettings } from "../protocol";
import { CAMERAS, type CameraMode } from "./walk-camera";

/** The settings of the network that have a slider. */
export const NETWORK_VALUES = ["latency_ms", "jitter_ms", "loss", "update_hz"] as const;
export type NetworkValue = (typeof NETWORK_VALUES)[number];

/** What an address says; nothing about settings that it leaves out. */
export interface WalkAddress {
  network: Partial<Record<NetworkValue, number>>;
  camera?: CameraMode;
  retail?: boolean;
}

export function parseAddress(query: URLSearchParams): WalkAddress {
  const network: WalkAddress["network"] = {};
  for (const name of NETWORK_VALUES) {
    const value = Number(query.get(name) ?? NaN);
    if (Number.isFinite(value)) network[name] = value;
  }
  const camera = CAMERAS.find((mode) => mode === query.get("camera")?.replace("-person", " person"));
  const presentation = query.get("presentation");
  return { network, ...(camera && { camera }), ...(presentation && { retail: presentation === "retail" }) };
}

/** The part of the address behind `#`, with the settings that are not those of a new walk. */
export function formatAddress(network: NetworkSettings, initial: NetworkSettings, camera: CameraMode, retail: boolean): string {
  const query = new URLSearchParams();
  for (const name of NETWORK_VALUES) if (network[name] !== initial[name]) query.set(name, String(network[name]));
  if (camera !== CAMERAS[0]) query.set("camera", camera.replace(" ", "-"));
  if (retail) query.set("presentation", "retail");
  const text = query.toString();
  return text ? `walk?${text}` : "walk";
}
