import type { Schema } from "@cfworker/json-schema";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { sandboxTask } from "../../platform/sandbox/task.ts";
import type * as checkMetaSchemaTask from "./check-meta-schema-task.ts";
import type * as checkSchemaTask from "./check-schema-task.ts";
import { isDeeperThan, isRecord } from "./json.ts";
import { parseJson } from "./parse-json.ts";
import type { SchemaProblem } from "./schema-problem.ts";

const maxSchemaLength = 64 * 1024;
const maxSchemaDepth = 50;

const typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"];
const schemaMaps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const schemas = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const numbers = [
  "maximum",
  "minimum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minItems",
  "minLength",
  "minProperties",
  "multipleOf",
];

const isSchema = (value: unknown): value is Schema | boolean =>
  typeof value === "boolean" || isRecord(value);

/** A JSON Schema, or why it is invalid. */
export type ReadSchema =
  | { readonly ok: true; readonly schema: Schema | boolean }
  | { readonly ok: false; readonly detail: string };

/** Parses a JSON Schema and checks its size, structure and references. */
export const readSchema = (text: string): ReadSchema => {
  if (text.length > maxSchemaLength) return tooLong;
  const parsed = parseJson(text);
  return parsed.ok ? readSchemaValue(parsed.value) : { ok: false, detail: "is not valid JSON" };
};

/** Checks the size, structure and references of a JSON Schema. */
export const readSchemaValue = (schema: unknown): ReadSchema => {
  if (isDeeperThan(schema, maxSchemaDepth)) {
    return { ok: false, detail: `must not be nested deeper than ${maxSchemaDepth} levels` };
  }
  if (JSON.stringify(schema).length > maxSchemaLength) return tooLong;
  const fault = findFault(schema, schema);
  if (fault !== undefined) return { ok: false, detail: `is not a JSON Schema: ${fault}` };
  return isSchema(schema) ? { ok: true, schema } : { ok: false, detail: "is not a JSON Schema" };
};

const tooLong: ReadSchema = {
  ok: false,
  detail: `must have at most ${maxSchemaLength} characters`,
};

const findFault = (schema: unknown, root: unknown): string | undefined => {
  if (typeof schema === "boolean") return undefined;
  if (!isRecord(schema)) return "a schema must be an object or a boolean";
  return (
    findKeywordFault(schema) ??
    findReferenceFault(schema, root) ??
    firstFault(childSchemas(schema), (child) => findFault(child, root))
  );
};

const findKeywordFault = (schema: { readonly [key: string]: unknown }): string | undefined => {
  const { type, required, pattern } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type ?? "null"];
  if (!types.every((name) => typeof name === "string" && typeNames.includes(name))) {
    return `"type" must be one or several of ${typeNames.join(", ")}`;
  }
  const isList = Array.isArray(required) && required.every((name) => typeof name === "string");
  if (required !== undefined && !isList) return '"required" must be an array of strings';
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return '"enum" must be an array';
  const bad = numbers.find((key) => schema[key] !== undefined && typeof schema[key] !== "number");
  if (bad) return `"${bad}" must be a number`;
  const map = schemaMaps.find((key) => schema[key] !== undefined && !isRecord(schema[key]));
  if (map) return `"${map}" must be an object`;
  const list = schemaLists.find((key) => schema[key] !== undefined && !Array.isArray(schema[key]));
  if (list) return `"${list}" must be an array`;
  const patterns = [
    pattern ?? "",
    ...Object.keys(isRecord(schema.patternProperties) ? schema.patternProperties : {}),
  ];
  if (!patterns.every(isPattern)) return "a pattern is not a valid regular expression";
  return undefined;
};

const isPattern = (pattern: unknown): boolean => {
  if (typeof pattern !== "string") return false;
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Finds references that do not resolve within the schema; nothing is fetched. */
const findReferenceFault = (
  schema: { readonly [key: string]: unknown },
  root: unknown,
): string | undefined => {
  for (const key of ["$ref", "$dynamicRef", "$recursiveRef"]) {
    const reference = schema[key];
    if (reference === undefined || reference === "#") continue;
    if (typeof reference !== "string" || !reference.startsWith("#/")) {
      return `"${key}" must lead to a place in the schema, such as #/$defs/name`;
    }
    if (!isSchema(follow(reference, root))) return `"${key}" does not resolve`;
  }
  return undefined;
};

const follow = (reference: string, root: unknown): unknown => {
  let found = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
};

const childSchemas = (schema: { readonly [key: string]: unknown }): unknown[] => {
  const { items } = schema;
  return [
    ...schemaMaps.flatMap((key) => Object.values(isRecord(schema[key]) ? schema[key] : {})),
    ...schemaLists.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [])),
    ...schemas.filter((key) => schema[key] !== undefined).map((key) => schema[key]),
    ...(Array.isArray(items) ? items : items === undefined ? [] : [items]),
  ];
};

const firstFault = <Item>(
  items: readonly Item[],
  find: (item: Item) => string | undefined,
): string | undefined => {
  for (const item of items) {
    const fault = find(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const schemaTask = sandboxTask<typeof checkSchemaTask>(
  new URL("./check-schema-task.ts", import.meta.url),
);
const metaSchemaTask = sandboxTask<typeof checkMetaSchemaTask>(
  new URL("./check-meta-schema-task.ts", import.meta.url),
);

/** Validates a schema against the official meta-schema of its dialect, in the sandbox. */
export const checkMetaSchema = async (
  schema: Schema | boolean,
  processor: ProcessorBudget,
): Promise<readonly SchemaProblem[]> => {
  try {
    const input = { schema: JSON.stringify(schema) };
    return await processor.run(metaSchemaTask, input, processorLimits.documentMs);
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    return [{ pointer: "", detail: "takes too long to check" }];
  }
};

/** Validates a value of checked depth against a schema in the sandbox. */
export const checkSchema = async (
  schema: Schema | boolean,
  value: unknown,
  processor: ProcessorBudget,
): Promise<readonly SchemaProblem[]> => {
  const input = { schema: JSON.stringify(schema), value: JSON.stringify(value) };
  const { schemaMs, documentMs } = processorLimits;
  try {
    return await processor.run(schemaTask, input, schemaMs, documentMs);
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    return [{ pointer: "", detail: "takes too long to check against its jsonSchema" }];
  }
};
