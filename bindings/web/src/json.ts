// JSON as the engine writes it.

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** A JSON object. */
export type JsonObject = { [name: string]: Json };

const ID = /^0x[0-9A-F]{8}$/;

/** Returns the fields of an object with ids as numbers, which the engine writes as `0x50000001`. */
export function withNumbers(fields: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string" && ID.test(value)) fields[name] = Number(value);
  }
  return fields;
}
