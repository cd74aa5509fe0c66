import {
  isDeeperThan,
  isRecord,
  type Json,
  maxJsonDepth,
  setMember,
} from "../../../values/json/json.ts";
import { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { ToolError, type ToolParameters } from "../tool.ts";
import { createStandalone, type SchemaAllowance } from "./definitions.ts";

/** A parameter of a remote tool. `takesText`: whether a text that is not JSON is a valid value. */
export type RemoteParameter = {
  readonly descriptor: ParameterDescriptor;
  readonly takesText: boolean;
};

type Schema = { readonly [key: string]: unknown };

const maxNameLength = 128;
const maxDescriptionLength = 2_000;
const maxOptions = 1_000;

/**
 * Describes the parameters of a tool by its input schema. Omits schemas that exceed the allowance and members that
 * a descriptor does not have.
 */
export const describeParameters = (
  schema: Schema,
  allowance: SchemaAllowance,
): readonly RemoteParameter[] => {
  const standalone = createStandalone(schema, allowance);
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties)
    .filter(([name]) => name !== "" && name.length <= maxNameLength)
    .map(([name, property], index) => {
      const own = isRecord(property) && !isDeeperThan(property, maxJsonDepth) ? property : {};
      const plain = withoutNull(own);
      const descriptor = ParameterDescriptor.parse({
        name,
        index,
        ...describeType(plain, () => standalone(own)),
        displayName: textIn(own, "title"),
        description: textIn(own, "description") ?? textIn(plain, "description"),
        required: required.has(name),
        defaultValue: defaultIn(own),
      });
      return {
        descriptor,
        takesText: plain.type === undefined || listTypes(plain).includes("string"),
      };
    });
};

/** Converts string arguments to the types of the tool's schema. Throws a ToolError. */
export const toArguments = (
  parameters: readonly RemoteParameter[],
  given: ToolParameters,
): Record<string, Json> => {
  const known = new Map(parameters.map((parameter) => [parameter.descriptor.name, parameter]));
  const values: Record<string, Json> = {};
  for (const [name, text] of Object.entries(given)) {
    const parameter = known.get(name);
    if (!parameter) throw new ToolError(`There is no parameter "${name}".`);
    setMember(values, name, toValue(parameter, text));
  }
  return values;
};

const toValue = ({ descriptor, takesText }: RemoteParameter, text: string): Json => {
  const { name, type } = descriptor;
  if (type === "String" || type === "Option" || type === "Asset") return text;
  const parsed = parseJson(text);
  const value = parsed.ok ? parsed.value : undefined;
  if (type === "Json") {
    if (value !== undefined) return value;
    if (takesText) return text;
    throw new ToolError(`"${name}" must be JSON.`);
  }
  if (type === "Boolean") {
    if (typeof value === "boolean") return value;
    throw new ToolError(`"${name}" must be true or false.`);
  }
  if (typeof value === "number" && (type === "Float" || Number.isInteger(value))) return value;
  throw new ToolError(`"${name}" must be a ${type === "Float" ? "" : "whole "}number.`);
};

const describeType = (schema: Schema, jsonSchema: () => string | null): object => {
  const { type, minimum, maximum } = schema;
  const range = { min: finite(minimum), max: finite(maximum) };
  if (Array.isArray(schema.enum)) {
    const options = [...new Set(schema.enum)];
    const isOption = options.length > 0 && options.every((option) => typeof option === "string");
    if (!isOption) return { type: "Json", jsonSchema: jsonSchema() };
    return options.length > maxOptions ? { type: "String" } : { type: "Option", options };
  }
  if (type === "string") return { type: "String" };
  if (type === "integer") return { type: "Integer", integerRange: range };
  if (type === "number") return { type: "Float", floatRange: range };
  if (type === "boolean") return { type: "Boolean" };
  return { type: "Json", jsonSchema: jsonSchema() };
};

const finite = (value: unknown): number | null => (typeof value === "number" ? value : null);

const listTypes = ({ type }: Schema): readonly unknown[] => (Array.isArray(type) ? type : [type]);

/** Removes null from a schema's types: null arguments are omitted from calls. */
const withoutNull = (schema: Schema): Schema => {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives) && schema.type === undefined) {
    const [only, ...more] = alternatives.filter(
      (alternative) => !isRecord(alternative) || alternative.type !== "null",
    );
    return isRecord(only) && more.length === 0 ? only : schema;
  }
  const [type, ...more] = listTypes(schema).filter((option) => option !== "null");
  return more.length === 0 ? { ...schema, type } : schema;
};

const textIn = (schema: Schema, key: string): string | null => {
  const text = schema[key];
  return typeof text === "string" ? text.slice(0, maxDescriptionLength) : null;
};

const defaultIn = (schema: Schema): string | null => {
  const value = schema.default;
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};
