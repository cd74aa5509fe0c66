import { isRecord } from "./json.ts";

const stepKeys = new Set(["type", "value", "position"]);
const pathKeys = new Set(["type", "steps", "position"]);

/** The names of a path that is nothing but names, such as `steps.a.output`. */
export function readPlainPath(tree: unknown): readonly string[] | undefined {
  if (!isRecord(tree) || tree.type !== "path" || !Array.isArray(tree.steps)) return undefined;
  if (!Object.keys(tree).every((key) => pathKeys.has(key))) return undefined;
  const names: string[] = [];
  for (const step of tree.steps) {
    if (!isRecord(step) || step.type !== "name" || typeof step.value !== "string") return undefined;
    if (!Object.keys(step).every((key) => stepKeys.has(key))) return undefined;
    names.push(step.value);
  }
  return names;
}

/**
 * What a plain path leads to, found without jsonata; `unknown` where an array is on the way,
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
