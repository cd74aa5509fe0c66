import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkValue } from "./input-value.ts";
import {
  buildPointer,
  isDeeperThan,
  isRecord,
  type Json,
  maxJsonDepth,
  setMember,
} from "./json.ts";
import { convertText } from "./parameter-value.ts";
import type { ParameterDescriptor } from "./parameters.ts";

/** An invalid input; the pointer starts with `/input`. */
export type InputProblem = { readonly pointer: string; readonly detail: string };

/** The inputs with defaults, or all errors. */
export type CheckedInputs =
  | { readonly ok: true; readonly values: { readonly [name: string]: Json } }
  | { readonly ok: false; readonly errors: readonly InputProblem[] };

const maxErrors = 50;

const isJson = (value: unknown): value is Json => value !== undefined;

/**
 * Validates named inputs against their descriptors: required ones, types, options, ranges and JSON Schemas;
 * unknown inputs are errors. Applies defaults. Converts no value.
 */
export const checkInputs = async (
  descriptors: readonly ParameterDescriptor[],
  input: unknown,
  processor: ProcessorBudget,
): Promise<CheckedInputs> => {
  const given = input ?? {};
  if (!isRecord(given))
    return { ok: false, errors: [{ pointer: "/input", detail: "must be an object" }] };
  if (isDeeperThan(given, maxJsonDepth)) {
    const detail = `must not be nested deeper than ${maxJsonDepth} levels`;
    return { ok: false, errors: [{ pointer: "/input", detail }] };
  }
  const known = new Set(descriptors.map(({ name }) => name));
  const errors: InputProblem[] = Object.keys(given)
    .filter((name) => !known.has(name))
    .slice(0, maxErrors)
    .map((name) => ({
      pointer: buildPointer("input", name),
      detail: "is not an input of this agent",
    }));
  const values: Record<string, Json> = {};
  for (const descriptor of descriptors) {
    const { name } = descriptor;
    const pointer = buildPointer("input", name);
    const value = Object.hasOwn(given, name) ? given[name] : resolveDefault(descriptor);
    if (!isJson(value)) {
      if (descriptor.required) errors.push({ pointer, detail: "is required" });
      continue;
    }
    const problems = await checkValue(descriptor, value, processor);
    for (const problem of problems) {
      errors.push({ pointer: pointer + problem.pointer, detail: problem.detail });
    }
    if (problems.length === 0) setMember(values, name, value);
  }
  return errors.length > 0
    ? { ok: false, errors: errors.slice(0, maxErrors) }
    : { ok: true, values };
};

const resolveDefault = ({ type, defaultValue }: ParameterDescriptor): Json | undefined =>
  defaultValue === null ? undefined : convertText(type, defaultValue);
