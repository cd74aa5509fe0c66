import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkValue } from "./input-value.ts";
import { buildPointer, isDeeperThan, maxJsonDepth } from "./json.ts";
import { checkMetaSchema, readSchema } from "./json-schema.ts";
import { convertText, valueOfOption } from "./parameter-value.ts";
import type { ParameterDescriptor } from "./parameters.ts";

/** An error in descriptors; the pointer is relative to their array. */
export type DescriptorProblem = { readonly pointer: string; readonly detail: string };

/** Finds invalid descriptors. */
export const checkDescriptors = async (
  descriptors: readonly ParameterDescriptor[],
  processor: ProcessorBudget,
): Promise<readonly DescriptorProblem[]> => {
  const first = new Map<string, number>();
  const problems: DescriptorProblem[] = [];
  for (const [index, descriptor] of descriptors.entries()) {
    const earlier = first.get(descriptor.name);
    if (earlier === undefined) first.set(descriptor.name, index);
    const found = [
      ...(earlier === undefined
        ? []
        : [{ key: "name", detail: `is taken by ${buildPointer(earlier)}` }]),
      ...checkOptions(descriptor),
      ...checkRange("integerRange", descriptor.integerRange),
      ...checkRange("floatRange", descriptor.floatRange),
      ...(await checkOwnSchema(descriptor, processor)),
    ];
    const all = found.length > 0 ? found : await checkDefault(descriptor, processor);
    problems.push(...all.map(({ key, detail }) => ({ pointer: buildPointer(index, key), detail })));
  }
  return problems;
};

type Found = { readonly key: string; readonly detail: string };

const checkOptions = ({ type, options }: ParameterDescriptor): Found[] => {
  if (type !== "Option") return [];
  if (options.length === 0) return [{ key: "options", detail: "must have at least one option" }];
  const values = options.map(valueOfOption);
  return new Set(values).size === values.length
    ? []
    : [{ key: "options", detail: "must not have the same option twice" }];
};

const checkRange = (key: string, range: ParameterDescriptor["integerRange"]): Found[] => {
  if (!range || range.min === null || range.max === null || range.min <= range.max) return [];
  return [{ key, detail: "must not have a min above its max" }];
};

const checkOwnSchema = async (
  { jsonSchema }: ParameterDescriptor,
  processor: ProcessorBudget,
): Promise<Found[]> => {
  if (jsonSchema === null) return [];
  const key = "jsonSchema";
  const read = readSchema(jsonSchema);
  if (!read.ok) return [{ key, detail: read.detail }];
  const problems = await checkMetaSchema(read.schema, processor);
  return problems.map(({ pointer, detail }) => ({
    key,
    detail: `is not a JSON Schema: ${detail}${pointer === "" ? "" : ` (at ${pointer})`}`,
  }));
};

const checkDefault = async (
  descriptor: ParameterDescriptor,
  processor: ProcessorBudget,
): Promise<Found[]> => {
  const { type, defaultValue } = descriptor;
  if (defaultValue === null) return [];
  const key = "defaultValue";
  const value = convertText(type, defaultValue);
  if (value === undefined) return [{ key, detail: `must be written as a value of type ${type}` }];
  if (isDeeperThan(value, maxJsonDepth)) {
    return [{ key, detail: `must not be nested deeper than ${maxJsonDepth} levels` }];
  }
  const problems = await checkValue(descriptor, value, processor);
  return problems.map(({ pointer, detail }) => ({
    key,
    detail: pointer === "" ? detail : `${detail} (at ${pointer})`,
  }));
};
