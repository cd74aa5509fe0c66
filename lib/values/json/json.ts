/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Maximum nesting of values in a flow; deeper ones could exhaust the stack. */
export const maxJsonDepth = 100;

/** Returns whether a value is an object that is neither null nor an array. */
export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns whether a JSON value is an object. */
export const isJsonObject = (value: Json): value is JsonObject => isRecord(value);

/** Returns whether a value is nested deeper than `limit`; does not recurse. */
export const isDeeperThan = (value: unknown, limit: number): boolean => {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
};

/** Sets a member as JSON.parse does, including `__proto__`. */
export const setMember = <Value>(
  target: Record<string, Value>,
  key: string,
  value: Value,
): void => {
  if (key !== "__proto__") target[key] = value;
  else {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
};

/** Builds a JSON pointer from unescaped parts. */
export const buildPointer = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Formats a value within a text: strings unchanged, undefined as an empty text, others as JSON. */
export const formatValue = (value: Json | undefined): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};
