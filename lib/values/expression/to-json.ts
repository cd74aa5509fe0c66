import { type Json, maxJsonDepth, setMember } from "../json/json.ts";
import { LimitError } from "./expression-error.ts";
import { isFunctionValue } from "./function-values.ts";
import type { SizeCache } from "./size-cache.ts";

/**
 * Converts an expression's result to plain JSON: removes jsonata's marks from arrays, copies objects, and maps no
 * value to null. Refuses functions. Returns values that the cache knows as plain unchanged.
 */
export const toJson = (value: unknown, sizes: SizeCache, level = 0): Json => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new LimitError("returns a number that is out of range");
      return value;
    case "undefined":
      return null;
    case "object":
      return value === null ? null : objectToJson(value, sizes, level);
    default:
      throw new LimitError("returns a function, which is not a value");
  }
};

const objectToJson = (value: object, sizes: SizeCache, level: number): Json => {
  if (sizes.isPlain(value)) return value;
  if (isFunctionValue(value)) throw new LimitError("returns a function, which is not a value");
  if (level >= maxJsonDepth) {
    throw new LimitError(`makes a value nested deeper than ${maxJsonDepth} levels`);
  }
  if (Array.isArray(value)) return Array.from(value, (item) => toJson(item, sizes, level + 1));
  const result: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) setMember(result, key, toJson(member, sizes, level + 1));
  }
  return result;
};
