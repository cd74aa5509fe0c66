import { isDeeperThan, isRecord, maxJsonDepth } from "../../../json/json.ts";
import { readSchemaValue } from "../../../json/json-schema.ts";

type Schema = { readonly [key: string]: unknown };

/** Characters of schemas that one server's tools may have in all, counting definitions each time they are used. */
export const mostSchemaCharacters = 4 * 1024 * 1024;

/** What is left of the characters that the schemas of one server's tools may have. */
export type SchemaAllowance = { left: number };

type Definition = { readonly schema: unknown; readonly length: number; readonly refers: string[] };

const longestSchema = 64 * 1024;
const sections = ["$defs", "definitions"] as const;

/**
 * Returns a function that makes the JSON Schema of a property that stands alone: with those definitions of
 * `root` that it refers to. Null for one that can't be used, is too long, or exceeds what is left.
 */
export function createStandalone(
  root: Schema,
  allowance: SchemaAllowance,
): (property: Schema) => string | null {
  const known = new Map<string, Definition | undefined>();
  const definitionAt = (pointer: string): Definition | undefined => {
    if (!known.has(pointer)) known.set(pointer, readDefinition(root, pointer));
    return known.get(pointer);
  };

  return (property) => {
    const text = JSON.stringify(property);
    let length = text.length;
    const found = new Map<string, Definition>();
    const waiting = referencesIn(property);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const definition = found.has(next) ? undefined : definitionAt(next);
      if (definition === undefined) continue;
      found.set(next, definition);
      length += definition.length;
      if (length > longestSchema) break;
      waiting.push(...definition.refers);
    }
    if (length > longestSchema || length > allowance.left) return null;
    allowance.left -= length;
    if (found.size === 0) return readSchemaValue(property).ok ? text : null;
    const schema = { ...gather(found), ...property };
    return readSchemaValue(schema).ok ? JSON.stringify(schema) : null;
  };
}

function readDefinition(root: Schema, pointer: string): Definition | undefined {
  const [section = "", name = ""] = partsOf(pointer);
  const owner = root[section];
  if (!isRecord(owner) || !Object.hasOwn(owner, name)) return undefined;
  const schema = owner[name];
  if (isDeeperThan(schema, maxJsonDepth)) return undefined;
  const length = JSON.stringify(schema).length;
  return { schema, length, refers: length > longestSchema ? [] : referencesIn(schema) };
}

function gather(found: ReadonlyMap<string, Definition>): Schema {
  const entries = sections.flatMap((section) => {
    const own = [...found].filter(([pointer]) => pointer.startsWith(`#/${section}/`));
    const definitions = own.map(([pointer, { schema }]) => [partsOf(pointer)[1], schema] as const);
    return own.length === 0 ? [] : [[section, Object.fromEntries(definitions)] as const];
  });
  return Object.fromEntries(entries);
}

/** The definitions that a schema refers to, such as `#/$defs/Name`. */
function referencesIn(schema: unknown): string[] {
  const found = new Set<string>();
  const waiting: unknown[] = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (key === "$ref" && typeof value === "string") {
        const pointer = value.split("/", 3).join("/");
        if (sections.some((each) => pointer.startsWith(`#/${each}/`))) found.add(pointer);
      } else if (typeof value === "object") waiting.push(value);
    }
  }
  return [...found];
}

/** The unescaped parts of a pointer such as `#/$defs/Name`. */
const partsOf = (pointer: string): string[] =>
  pointer
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
