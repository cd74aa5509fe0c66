import { isDeeperThan, isRecord, maxJsonDepth } from "../../../values/json/json.ts";
import { readSchemaValue } from "../../../values/json/json-schema.ts";

type Schema = { readonly [key: string]: unknown };

/** Maximum characters of all schemas of one server's tools, counting definitions each time they are used. */
export const maxSchemaCharacters = 4 * 1024 * 1024;

/** Remaining characters for the schemas of one server's tools. */
export type SchemaAllowance = { left: number };

type Definition = { readonly schema: unknown; readonly length: number; readonly refers: string[] };

const maxSchemaLength = 64 * 1024;
const sections = ["$defs", "definitions"] as const;

/**
 * Returns a function that builds the self-contained JSON Schema of a property, with the definitions of `root` that
 * it refers to. Null for one that is invalid, too long, or exceeds the allowance.
 */
export const createStandalone = (
  root: Schema,
  allowance: SchemaAllowance,
): ((property: Schema) => string | null) => {
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
      if (length > maxSchemaLength) break;
      waiting.push(...definition.refers);
    }
    if (length > maxSchemaLength || length > allowance.left) return null;
    allowance.left -= length;
    if (found.size === 0) return readSchemaValue(property).ok ? text : null;
    const schema = { ...gather(found), ...property };
    return readSchemaValue(schema).ok ? JSON.stringify(schema) : null;
  };
};

const readDefinition = (root: Schema, pointer: string): Definition | undefined => {
  const [section = "", name = ""] = splitPointer(pointer);
  const owner = root[section];
  if (!isRecord(owner) || !Object.hasOwn(owner, name)) return undefined;
  const schema = owner[name];
  if (isDeeperThan(schema, maxJsonDepth)) return undefined;
  const length = JSON.stringify(schema).length;
  return { schema, length, refers: length > maxSchemaLength ? [] : referencesIn(schema) };
};

const gather = (found: ReadonlyMap<string, Definition>): Schema => {
  const entries = sections.flatMap((section) => {
    const own = [...found].filter(([pointer]) => pointer.startsWith(`#/${section}/`));
    const definitions = own.map(
      ([pointer, { schema }]) => [splitPointer(pointer)[1], schema] as const,
    );
    return own.length === 0 ? [] : [[section, Object.fromEntries(definitions)] as const];
  });
  return Object.fromEntries(entries);
};

/** Returns the definitions that a schema refers to, such as `#/$defs/Name`. */
const referencesIn = (schema: unknown): string[] => {
  const found = new Set<string>();
  const waiting: unknown[] = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (key === "$ref" && typeof value === "string") {
        const pointer = value.split("/", 3).join("/");
        if (sections.some((section) => pointer.startsWith(`#/${section}/`))) found.add(pointer);
      } else if (typeof value === "object") waiting.push(value);
    }
  }
  return [...found];
};

/** Returns the unescaped parts of a pointer such as `#/$defs/Name`. */
const splitPointer = (pointer: string): string[] =>
  pointer
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
