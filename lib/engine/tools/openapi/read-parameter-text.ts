import {
  isDeeperThan,
  isJsonObject,
  type Json,
  type JsonObject,
  maxJsonDepth,
} from "../../../values/json/json.ts";
import { jsonOrText, parseJson } from "../../../values/json/parse-json.ts";
import { ToolError } from "../tool.ts";
import { getOwnMember } from "./read.ts";
import type { Resolver } from "./resolver.ts";
import { flattenSchema, getKind, isUnrestricted, type Kind, listSchemaTypes } from "./schemas.ts";

/**
 * Parses a parameter's text by its schema: a list may be JSON or separated by commas. Undefined for an empty text
 * where the schema requires another type than text. Throws a ToolError that names the parameter.
 */
export const readParameterText = (
  name: string,
  text: string,
  schema: Json | undefined,
  resolver: Resolver,
): Json | undefined => createReader(name, flattenSchema(schema, resolver), resolver)(text);

/** Creates a parser of texts for one flattened schema. */
const createReader = (
  name: string,
  flat: JsonObject,
  resolver: Resolver,
): ((text: string) => Json | undefined) => {
  const kind = isUnrestricted(flat) ? "string" : getKind(flat);
  if (kind === "string") return (text) => text;
  const types = kind === "any" ? listSchemaTypes(flat, resolver) : new Set<string>();
  return (text) => {
    if (text.trim() === "") return undefined;
    if (kind === "array") return readList(name, text, getOwnMember(flat, "items"), resolver);
    if (kind === "any") return checkDepth(name, readAny(text, types));
    return readOther(name, text, kind);
  };
};

/** Returns parsed JSON of an allowed type, else the text. */
const readAny = (text: string, types: ReadonlySet<string>): Json => {
  const value = jsonOrText(text);
  if (typeof value === "string" || !types.has("string")) return value;
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const isAllowed = types.has(type) || (Number.isInteger(value) && types.has("integer"));
  return isAllowed ? value : text;
};

const readOther = (
  name: string,
  text: string,
  kind: Exclude<Kind, "array" | "string" | "any">,
): Json => {
  const parsed = parseJson(text);
  const value = parsed.ok ? parsed.value : undefined;
  switch (kind) {
    case "integer":
      if (typeof value === "number" && Number.isSafeInteger(value)) return value;
      throw wrong(name, "a whole number, such as 3");
    case "number":
      if (typeof value === "number" && Number.isFinite(value)) return value;
      throw wrong(name, "a number, such as 1.5");
    case "boolean":
      if (typeof value === "boolean") return value;
      throw wrong(name, "true or false");
    case "object":
      if (value !== undefined && isJsonObject(value)) return checkDepth(name, value);
      throw wrong(name, "a JSON object");
  }
};

const readList = (
  name: string,
  text: string,
  items: Json | undefined,
  resolver: Resolver,
): readonly Json[] => {
  if (text.trimStart().startsWith("[")) {
    const parsed = parseJson(text);
    if (parsed.ok && Array.isArray(parsed.value)) {
      checkDepth(name, parsed.value);
      return parsed.value;
    }
  }
  const item = flattenSchema(items, resolver);
  const kind = getKind(item);
  if (kind === "object" || kind === "array") throw wrong(name, "a JSON array");
  const read = createReader(name, item, resolver);
  return text.split(",").flatMap((part) => read(part.trim()) ?? []);
};

const checkDepth = (name: string, value: Json): Json => {
  if (!isDeeperThan(value, maxJsonDepth)) return value;
  throw new ToolError(`"${name}" must not be nested deeper than ${maxJsonDepth} levels.`);
};

const wrong = (name: string, wanted: string): ToolError =>
  new ToolError(`"${name}" must be ${wanted}.`);
