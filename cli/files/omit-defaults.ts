import * as z from "zod";
import { isRecord, setMember } from "../../lib/values/json/json.ts";
import { isSame } from "./json-value.ts";

/** Omits the members of a parsed value that equal their schema's default; keeps the schema's order, others last. */
export const omitDefaults = (schema: z.core.$ZodType, value: unknown): unknown => {
  const inner = unwrapSchema(schema);
  if (inner) return omitDefaults(inner, value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => omitDefaults(schema.def.element, item));
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.shape)) {
    if (!Object.hasOwn(value, name) || isDefault(member, value[name])) continue;
    setMember(kept, name, omitDefaults(member, value[name]));
  }
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(schema.shape, name)) setMember(kept, name, member);
  }
  return kept;
};

const isDefault = (schema: z.core.$ZodType, value: unknown): boolean =>
  schema instanceof z.ZodDefault && isSame(schema.def.defaultValue, value);

const unwrapSchema = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodPipe) {
    return schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in;
  }
  return schema instanceof z.ZodDefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
    ? schema.def.innerType
    : undefined;
};
