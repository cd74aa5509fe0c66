import { SandboxLimitError } from "../../../platform/sandbox/sandbox-error.ts";
import type { Json, JsonObject } from "../../../values/json/json.ts";
import type { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { textParameter } from "../system/text-parameter.ts";
import { expandSchema } from "./expand-schema.ts";
import type { PlannedParameter } from "./planned-parameter.ts";
import { getOwnMember, textIn } from "./read.ts";
import type { Resolver } from "./resolver.ts";
import { flattenSchema, getKind, isUnrestricted } from "./schemas.ts";

const maxDescription = 500;
const maxOptions = 200;

/**
 * Describes a tool's parameter. A schema that is not understood, or exceeds the limit of the resolver's work,
 * allows anything.
 */
export const describeParameter = (
  parameter: PlannedParameter,
  resolver: Resolver,
): ParameterDescriptor => {
  const { name, required, description, wireName } = parameter;
  try {
    return describeWhole(parameter, resolver);
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    const text = (description ?? wireName ?? name).slice(0, maxDescription);
    return textParameter(name, text, { required });
  }
};

const describeWhole = (
  { name, required, description, schema, wireName }: PlannedParameter,
  resolver: Resolver,
): ParameterDescriptor => {
  const flat = flattenSchema(schema, resolver);
  const summary = (description ?? textIn(flat, "description") ?? "").slice(0, maxDescription);
  const format = textIn(flat, "format");
  const texts = [summary, format && `Format: ${format.slice(0, maxDescription)}.`];
  const text = texts.filter(Boolean).join(" ").slice(0, maxDescription);
  return {
    ...textParameter(name, text || (wireName ?? name), { required }),
    ...describeType(flat, schema, resolver),
  };
};

type Typed = Pick<ParameterDescriptor, "type"> &
  Partial<Pick<ParameterDescriptor, "options" | "integerRange" | "floatRange" | "jsonSchema">>;

const describeType = (flat: JsonObject, schema: Json | undefined, resolver: Resolver): Typed => {
  switch (getKind(flat)) {
    case "string":
      return readEnum(flat) ?? { type: "String" };
    case "integer":
      return { type: "Integer", integerRange: readRange(flat) };
    case "number":
      return { type: "Float", floatRange: readRange(flat) };
    case "boolean":
      return { type: "Boolean" };
    case "array":
    case "object":
      return { type: "Json", jsonSchema: schemaText(schema, resolver) };
    case "any":
      return isUnrestricted(flat)
        ? { type: "String" }
        : { type: "Json", jsonSchema: schemaText(schema, resolver) };
  }
};

const schemaText = (schema: Json | undefined, resolver: Resolver): string => {
  const text = JSON.stringify(expandSchema(schema, resolver));
  resolver.charge(text.length);
  return text;
};

const readEnum = (flat: JsonObject): Typed | undefined => {
  const choices = getOwnMember(flat, "enum");
  if (!Array.isArray(choices) || choices.length > maxOptions) return undefined;
  const options = choices.filter((choice) => typeof choice === "string");
  const fits = options.length > 0 && options.length <= maxOptions;
  return fits ? { type: "Option", options: [...new Set(options)] } : undefined;
};

const readRange = (flat: JsonObject): ParameterDescriptor["integerRange"] => {
  const numberIn = (key: string) => {
    const value = getOwnMember(flat, key);
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  };
  const range = { min: numberIn("minimum"), max: numberIn("maximum") };
  return range.min === null && range.max === null ? null : range;
};
