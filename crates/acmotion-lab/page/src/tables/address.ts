// What the Tables view shows, as a part of the address, so that a link opens the same view.

export interface TablesAddress {
  /** The number of the dat file. */
  dat: number;
  table: string;
  setup: string;
  style: string;
  motion: string;
  from: string;
  speed: number;
  /** Seconds from the start of the clip, or null while it plays. */
  at: number | null;
  compare: boolean;
  axes: boolean;
  stay: boolean;
}

/** Empty texts stand for the default choice. */
export const DEFAULT_ADDRESS: TablesAddress = { dat: 0, table: "", setup: "", style: "", motion: "", from: "", speed: 1, at: null, compare: true, axes: false, stay: true };

export function parseAddress(query: URLSearchParams): TablesAddress {
  const text = (name: string) => query.get(name) ?? "";
  const speed = Number(query.get("speed") ?? 1);
  const at = query.has("at") ? Number(query.get("at")) : NaN;
  const dat = Number(query.get("dat") ?? 0);
  return {
    dat: Number.isInteger(dat) && dat >= 0 ? dat : 0,
    table: text("table"),
    setup: text("setup"),
    style: text("style"),
    motion: text("motion"),
    from: text("from"),
    speed: Number.isFinite(speed) && speed !== 0 ? speed : 1,
    at: Number.isFinite(at) ? at : null,
    compare: query.get("compare") !== "0",
    axes: query.get("axes") === "1",
    stay: query.get("stay") !== "0",
  };
}

/** The part of the address behind `#`. */
export function formatAddress(address: TablesAddress): string {
  const query = new URLSearchParams();
  if (address.dat !== 0) query.set("dat", String(address.dat));
  for (const name of ["table", "setup", "style", "motion", "from"] as const) if (address[name]) query.set(name, address[name]);
  if (address.speed !== 1) query.set("speed", String(address.speed));
  if (address.at !== null) query.set("at", address.at.toFixed(3));
  if (!address.compare) query.set("compare", "0");
  if (address.axes) query.set("axes", "1");
  if (!address.stay) query.set("stay", "0");
  const text = query.toString();
  return text ? `tables?${text}` : "tables";
}
