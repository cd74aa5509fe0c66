import type { Json } from "../../values/json/json.ts";

/** Returns JSONata's truth value: false for empty values and arrays without a true member. */
export const isTruthy = (value: Json): boolean => {
  if (Array.isArray(value)) return value.some(isTruthy);
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
};
