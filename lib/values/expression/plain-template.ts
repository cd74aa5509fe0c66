import { formatValue, type Json, setMember } from "../json/json.ts";
import { followPlainPath, readPlainPath } from "../json/plain-path.ts";
import type { SizeCache } from "./size-cache.ts";
import { close, isTemplate, maxExpressionsInString, open } from "./template-text.ts";
import { toJson } from "./to-json.ts";

type PlainPart = string | { readonly path: readonly string[] };

/**
 * Returns the parts of a template that has only plain paths as expressions; undefined for any
 * other.
 */
export const readPlainTemplate = (text: string): readonly PlainPart[] | undefined => {
  const parts: PlainPart[] = [];
  let from = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, from)) {
    const end = text.indexOf(close, start);
    const path = end === -1 ? undefined : readPlainPath(text.slice(start + open.length, end));
    if (!path || parts.length > maxExpressionsInString) return undefined;
    if (start > from) parts.push(text.slice(from, start));
    parts.push({ path });
    from = end + close.length;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
};

/** Limits of plain templates' results, in bytes of JSON. */
type Bounds = { readonly perValue: number; readonly total: number };

/** Thrown where JSONata is needed; one for all, because the stack of a new one costs more than the evaluation. */
const notPlain = new Error("not plain");

/**
 * Evaluates templates with plain paths, without JSONata. Returns undefined where JSONata is needed,
 * and for an exceeded limit, which JSONata's evaluation then reports.
 */
export const evaluatePlain = (
  value: unknown,
  scope: unknown,
  sizes: SizeCache,
  bounds: Bounds,
): { readonly value: Json | undefined } | undefined => {
  let bytes = 0;

  const follow = (path: readonly string[]): Json | undefined => {
    const found = followPlainPath(path, scope);
    if (!found.known) throw notPlain;
    if (found.value === undefined) return undefined;
    const value = toJson(found.value, sizes);
    if (sizes.adopt(value).bytes > bounds.perValue) throw notPlain;
    return value;
  };

  const evaluateText = (text: string): Json | undefined => {
    const parts = readPlainTemplate(text);
    if (!parts) throw notPlain;
    const [only] = parts;
    if (parts.length === 1 && typeof only === "object") return follow(only.path);
    const whole = parts
      .map((part) => (typeof part === "string" ? part : formatValue(follow(part.path))))
      .join("");
    if (whole.length > bounds.perValue) throw notPlain;
    return whole;
  };

  const visit = (item: unknown): Json | undefined => {
    if (typeof item === "string") {
      if (!isTemplate(item)) return item;
      const result = evaluateText(item);
      if (result === undefined) return undefined;
      bytes += sizes.measure(result);
      if (bytes > bounds.total) throw notPlain;
      return result;
    }
    if (typeof item === "number" || typeof item === "boolean") return item;
    if (typeof item !== "object" || item === null) return null;
    if (Array.isArray(item)) return item.map((part) => visit(part) ?? null);
    const members: Record<string, Json> = {};
    for (const [key, member] of Object.entries(item)) {
      if (member !== undefined) setMember(members, key, visit(member) ?? null);
    }
    return members;
  };

  try {
    return { value: visit(value) };
  } catch {
    return undefined;
  }
};
