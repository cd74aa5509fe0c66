import { isRecord } from "./json.ts";

const plainPath = /^\s*(?:[A-Za-z_]\w*|`[^`]+`)(?:\.(?:[A-Za-z_]\w*|`[^`]+`))*\s*$/;
/** Words that JSONata may read as operators instead of names. */
const reserved = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** Returns the names of an expression that is a plain path, such as `steps.a.output`; undefined for any other. */
export const readPlainPath = (source: string): readonly string[] | undefined => {
  if (!plainPath.test(source)) return undefined;
  const parts = source.trim().match(/\w+|`[^`]+`/g) ?? [];
  if (parts.some((part) => reserved.has(part))) return undefined;
  return parts.map((part) => (part.startsWith("`") ? part.slice(1, -1) : part));
};

/**
 * Resolves a plain path without jsonata; unknown for arrays in the path, over which jsonata maps.
 */
export const followPlainPath = (
  names: readonly string[],
  scope: unknown,
): { readonly known: true; readonly value: unknown } | { readonly known: false } => {
  let value = scope;
  for (const name of names) {
    if (Array.isArray(value)) return { known: false };
    if (!isRecord(value) || !Object.hasOwn(value, name)) return { known: true, value: undefined };
    value = value[name];
  }
  return { known: true, value };
};
