// What the Replay view shows, as a part of the address, so that a link or a reload opens the same moment.

export interface ReplayAddress {
  /** The id of the recording; null for the newest. */
  recording: number | null;
  /** The id of the recording that is shown beside it; null for none. */
  beside: number | null;
  /** Seconds from the start of the recording; null while it plays. */
  t: number | null;
  /** The guid of the selected entity, and the view of it that is selected. */
  entity: string | null;
  view: number;
}

export function parseAddress(query: URLSearchParams): ReplayAddress {
  const value = (name: string) => (query.has(name) ? Number(query.get(name)) : NaN);
  const finite = (name: string) => (Number.isFinite(value(name)) ? value(name) : null);
  const entity = query.get("entity");
  return { recording: finite("recording"), beside: finite("beside"), t: finite("t"), entity: entity && /^0x[0-9A-F]{8}$/i.test(entity) ? entity : null, view: finite("view") ?? 0 };
}

/** The part of the address behind `#`. The time is rounded up: an earlier one would show the tick before. */
export function formatAddress(address: ReplayAddress): string {
  const query = new URLSearchParams();
  if (address.recording !== null) query.set("recording", String(address.recording));
  if (address.beside !== null) query.set("beside", String(address.beside));
  if (address.t !== null) query.set("t", (Math.ceil(address.t * 1e4) / 1e4).toFixed(4));
  if (address.entity !== null) query.set("entity", address.entity);
  if (address.view !== 0) query.set("view", String(address.view));
  const text = query.toString();
  return text ? `replay?${text}` : "replay";
}
