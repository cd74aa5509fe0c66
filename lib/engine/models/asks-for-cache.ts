import type { JsonObject } from "../../values/json/json.ts";

/** Returns whether the parameters of a call name a cache. */
export const asksForCache = (parameters: JsonObject): boolean =>
  /cache/i.test(JSON.stringify(parameters));
