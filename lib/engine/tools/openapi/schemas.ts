import { type Json, type JsonObject, setMember } from "../../../values/json/json.ts";
import { getOwnMember, listIn, objectIn } from "./read.ts";
import type { Resolver } from "./resolver.ts";

const maxMergedParts = 40;

/** Types of a parameter's value; `any` for several, or an unknown one. */
export type Kind = "string" | "integer" | "number" | "boolean" | "array" | "object" | "any";

/**
 * Merges a schema's `$ref` and `allOf`: properties and required names of all parts together, any other member from
 * the first part that has it. An invalid part or an unresolved reference allows anything: `{}`.
 */
export const flattenSchema = (schema: Json | undefined, resolver: Resolver): JsonObject => {
  const merged: Record<string, Json> = {};
  const properties: Record<string, Json> = {};
  const required: Json[] = [];
  let hasProperties = false;
  const waiting: (Json | undefined)[] = [schema];
  for (let count = 0; waiting.length > 0 && count < maxMergedParts; count += 1) {
    const part = resolver.find(waiting.shift());
    if (part === undefined) continue;
    const own = objectIn(part, "properties");
    const members = Object.keys(part).length + Object.keys(own ?? {}).length;
    const lists = ["required", "allOf", "enum", "type"].map((key) => listIn(part, key).length);
    resolver.charge(lists.reduce((sum, length) => sum + length, members));
    waiting.push(...listIn(part, "allOf").slice(0, maxMergedParts));
    hasProperties ||= own !== undefined;
    for (const [name, property] of Object.entries(own ?? {})) {
      if (!Object.hasOwn(properties, name)) setMember(properties, name, property);
    }
    for (const name of listIn(part, "required")) required.push(name);
    for (const [key, value] of Object.entries(part)) {
      if (key === "allOf" || key === "properties" || key === "required") continue;
      if (!Object.hasOwn(merged, key)) setMember(merged, key, value);
    }
  }
  return {
    ...merged,
    ...(hasProperties ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
};

const kinds = ["string", "integer", "number", "boolean", "array", "object"] as const;

/** Returns the type of a flattened schema, ignoring null. */
export const getKind = (schema: JsonObject): Kind => {
  const type = getOwnMember(schema, "type");
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== "null");
  if (types.length > 1) return "any";
  const known = kinds.find((kind) => kind === types[0]);
  if (known) return known;
  if (getOwnMember(schema, "properties") !== undefined) return "object";
  if (getOwnMember(schema, "items") !== undefined) return "array";
  const choices = getOwnMember(schema, "enum");
  const isText = Array.isArray(choices) && choices.every((choice) => typeof choice === "string");
  return isText && choices.length > 0 ? "string" : "any";
};

/** Returns whether a schema restricts its values. */
export const isUnrestricted = (schema: JsonObject): boolean => {
  const restrictingKeys = ["type", "properties", "items", "enum", "const", "oneOf", "anyOf"];
  return restrictingKeys.every((key) => getOwnMember(schema, key) === undefined);
};

/** Returns the types that a schema and its alternatives allow; empty when unrestricted. */
export const listSchemaTypes = (
  schema: JsonObject,
  resolver: Resolver,
  depth = 0,
): ReadonlySet<string> => {
  const type = getOwnMember(schema, "type");
  const own = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  const choices = [...listIn(schema, "oneOf"), ...listIn(schema, "anyOf")];
  const theirs = depth < 3 ? choices.slice(0, 20) : [];
  return new Set([
    ...own,
    ...theirs.flatMap((part) => [
      ...listSchemaTypes(flattenSchema(part, resolver), resolver, depth + 1),
    ]),
  ]);
};
