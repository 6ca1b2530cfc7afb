// The state of the Tables view as a part of the address, so that a link opens the same view.

export interface Shown {
  table: string;
  setup: string;
  style: string;
  motion: string;
  from: string;
  speed: number;
  at: number | null;
  compare: boolean;
  axes: boolean;
  stay: boolean;
}

export const BLANK: Shown = { table: "", setup: "", style: "", motion: "", from: "", speed: 1, at: null, compare: true, axes: false, stay: true };

export function read(query: URLSearchParams): Shown {
  const text = (name: string) => query.get(name) ?? "";
  const speed = Number(query.get("speed") ?? 1);
  const at = query.has("at") ? Number(query.get("at")) : NaN;
  return {
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

export function write(shown: Shown): string {
  const query = new URLSearchParams();
  for (const name of ["table", "setup", "style", "motion", "from"] as const) if (shown[name]) query.set(name, shown[name]);
  if (shown.speed !== 1) query.set("speed", String(shown.speed));
  if (shown.at !== null) query.set("at", shown.at.toFixed(3));
  if (!shown.compare) query.set("compare", "0");
  if (shown.axes) query.set("axes", "1");
  if (!shown.stay) query.set("stay", "0");
  const text = query.toString();
  return text ? `tables?${text}` : "tables";
}
