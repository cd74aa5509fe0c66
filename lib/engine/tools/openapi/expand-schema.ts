import { isJsonObject, type Json, type JsonObject, setMember } from "../../../values/json/json.ts";
import { getOwnMember } from "./read.ts";
import type { Resolver } from "./resolver.ts";
import { flattenSchema } from "./schemas.ts";

const kept = new Set([
  "type",
  "description",
  "enum",
  "const",
  "format",
  "default",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "required",
  "oneOf",
  "anyOf",
  "items",
  "properties",
  "additionalProperties",
]);
const maxDepth = 5;
const maxSchemas = 50;
const maxTextLength = 200;
const maxListLength = 100;

/**
 * Expands the references of a schema and omits annotations. A part that is too deep, too long or cyclic is replaced
 * by a schema that allows anything.
 */
export const expandSchema = (schema: Json | undefined, resolver: Resolver): JsonObject => {
  let left = maxSchemas;

  const expand = (value: Json | undefined, depth: number, above: readonly Json[]): JsonObject => {
    left -= 1;
    const ref = getOwnMember(value, "$ref");
    const isCircle = ref !== undefined && above.includes(ref);
    if (left < 0 || depth > maxDepth || isCircle) return {};
    const refs = ref === undefined ? above : [...above, ref];
    const flat = flattenSchema(value, resolver);
    const shown: Record<string, Json> = {};
    for (const [key, member] of Object.entries(flat)) {
      if (!kept.has(key)) continue;
      const expanded = expandMember(key, member, (inner) => expand(inner, depth + 1, refs));
      if (expanded !== undefined) shown[key] = expanded;
    }
    return getOwnMember(flat, "nullable") === true ? withNull(shown) : shown;
  };

  return expand(schema, 0, []);
};

const expandMember = (
  key: string,
  member: Json,
  expand: (schema: Json) => JsonObject,
): Json | undefined => {
  switch (key) {
    case "items":
      return Array.isArray(member) ? undefined : expand(member);
    case "additionalProperties":
      return typeof member === "boolean" ? member : expand(member);
    case "oneOf":
    case "anyOf":
      return Array.isArray(member) ? member.slice(0, maxListLength).map(expand) : undefined;
    case "properties": {
      if (!isJsonObject(member)) return undefined;
      const properties: Record<string, Json> = {};
      for (const [name, property] of Object.entries(member).slice(0, maxSchemas)) {
        setMember(properties, name, expand(property));
      }
      return properties;
    }
    case "enum":
    case "required":
      return Array.isArray(member) ? member.slice(0, maxListLength).filter(isShort) : undefined;
    case "description":
    case "format":
      return typeof member === "string" ? member.slice(0, maxTextLength) : undefined;
    default:
      return isShort(member) ? member : undefined;
  }
};

/** Returns whether a value's JSON is short enough for a text; stops at the limit. */
const isShort = (value: Json): boolean => {
  let left = maxTextLength;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= typeof next === "string" ? next.length + 2 : 1;
    if (typeof next === "object" && next !== null) {
      const members = Object.entries(next);
      left -= members.length;
      if (left < 0) return false;
      for (const [key, member] of members) {
        left -= Array.isArray(next) ? 0 : key.length + 3;
        waiting.push(member);
      }
    }
    if (left < 0) return false;
  }
  return true;
};

const withNull = (schema: JsonObject): JsonObject =>
  typeof schema.type === "string" ? { ...schema, type: [schema.type, "null"] } : schema;
