import { isRecord } from "./json.ts";

const plainPath = /^\s*(?:[A-Za-z_]\w*|`[^`]+`)(?:\.(?:[A-Za-z_]\w*|`[^`]+`))*\s*$/;
/** Words that mean something else than a name in some places. */
const reserved = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** The names of an expression that is nothing but a path of names, such as `steps.a.output`. */
export function readPlainPath(source: string): readonly string[] | undefined {
  if (!plainPath.test(source)) return undefined;
  const parts = source.trim().match(/\w+|`[^`]+`/g) ?? [];
  if (parts.some((part) => reserved.has(part))) return undefined;
  return parts.map((part) => (part.startsWith("`") ? part.slice(1, -1) : part));
}

/**
 * What a plain path leads to, found without jsonata; not known where an array is on the way,
 * since jsonata maps over arrays.
 */
export function followPlainPath(
  names: readonly string[],
  scope: unknown,
): { readonly known: true; readonly value: unknown } | { readonly known: false } {
  let value = scope;
  for (const name of names) {
    if (Array.isArray(value)) return { known: false };
    if (!isRecord(value) || !Object.hasOwn(value, name)) return { known: true, value: undefined };
    value = value[name];
  }
  return { known: true, value };
}
