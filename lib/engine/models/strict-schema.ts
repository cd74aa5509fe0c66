import { isRecord } from "../../values/json/json.ts";

const lists = ["anyOf", "oneOf", "allOf"] as const;
const maps = ["properties", "$defs", "definitions"] as const;

/**
 * Returns whether OpenAI can enforce a JSON Schema: every object sets `additionalProperties: false` and
 * requires all its properties (developers.openai.com, "Structured outputs", "Supported schemas").
 */
export const isStrictSchema = (schema: unknown): boolean => {
  if (!isRecord(schema)) return false;
  const { type, properties, required, items } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if (isObject || properties !== undefined) {
    if (schema.additionalProperties !== false) return false;
    const names = isRecord(properties) ? Object.keys(properties) : [];
    const needed: unknown[] = Array.isArray(required) ? required : [];
    if (!names.every((name) => needed.includes(name))) return false;
  }
  const parts = [
    ...(items === undefined ? [] : [items]),
    ...lists.flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : [])),
    ...maps.flatMap((name) => (isRecord(schema[name]) ? Object.values(schema[name]) : [])),
  ];
  return parts.every(isStrictSchema);
};
