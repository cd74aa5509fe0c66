import { type Json, type JsonObject, setMember } from "../../../json/json.ts";
import { listIn, memberOf, objectIn } from "./read.ts";
import type { Resolver } from "./resolver.ts";

const maxMergedParts = 40;

/** The kinds of value that a parameter's text can stand for; `any` for several, or an unknown one. */
export type Kind = "string" | "integer" | "number" | "boolean" | "array" | "object" | "any";

/**
 * A schema without `$ref` and `allOf` at its top: the properties and required names of all parts together,
 * for any other member the first part that has it. A part that is no schema, or a reference that leads
 * nowhere, allows anything: `{}`.
 */
export function flattenSchema(schema: Json | undefined, resolver: Resolver): JsonObject {
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
}

const kinds = ["string", "integer", "number", "boolean", "array", "object"] as const;

/** The kind of value that a flattened schema asks for; null beside it does not count. */
export function kindOf(schema: JsonObject): Kind {
  const type = memberOf(schema, "type");
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== "null");
  if (types.length > 1) return "any";
  const known = kinds.find((kind) => kind === types[0]);
  if (known) return known;
  if (memberOf(schema, "properties") !== undefined) return "object";
  if (memberOf(schema, "items") !== undefined) return "array";
  const choices = memberOf(schema, "enum");
  const isText = Array.isArray(choices) && choices.every((choice) => typeof choice === "string");
  return isText && choices.length > 0 ? "string" : "any";
}

/** Whether anything is said about the values at all. */
export function saysNothing(schema: JsonObject): boolean {
  const telling = ["type", "properties", "items", "enum", "const", "oneOf", "anyOf"];
  return telling.every((key) => memberOf(schema, key) === undefined);
}

/** The types of values that a schema allows, its alternatives' included; none when it does not say. */
export function typesOf(schema: JsonObject, resolver: Resolver, depth = 0): ReadonlySet<string> {
  const type = memberOf(schema, "type");
  const own = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  const choices = [...listIn(schema, "oneOf"), ...listIn(schema, "anyOf")];
  const theirs = depth < 3 ? choices.slice(0, 20) : [];
  return new Set([
    ...own,
    ...theirs.flatMap((each) => [...typesOf(flattenSchema(each, resolver), resolver, depth + 1)]),
  ]);
}
