import { findNoFile } from "./file-value.ts";
import type { Json } from "./json.ts";
import type { ParameterDescriptor, ParameterOption } from "./parameters.ts";
import { parseJson } from "./parse-json.ts";

/** Returns the value of an option. */
export const valueOfOption = (option: ParameterOption): string =>
  typeof option === "string" ? option : option.value;

/** Returns why a value is not of a parameter's type, without its `jsonSchema`; undefined for one that is. */
export const findMisfit = (
  descriptor: Pick<
    ParameterDescriptor,
    "type" | "integerRange" | "floatRange" | "options" | "multiple"
  >,
  value: unknown,
): string | undefined => {
  switch (descriptor.type) {
    case "String":
      return typeof value === "string" ? undefined : "must be a string";
    case "Asset":
      return typeof value === "string" && value !== "" ? undefined : "must be an asset's id";
    case "Boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "Integer":
      if (!Number.isSafeInteger(value)) return "must be a whole number";
      return findOutside(value, descriptor.integerRange);
    case "Float":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
      return findOutside(value, descriptor.floatRange);
    case "Option":
      return findNoOption(value, descriptor.options);
    case "Json":
      return value === undefined ? "must be a JSON value" : undefined;
    case "File":
      return findNoFile(value, descriptor);
  }
};

const findOutside = (
  value: unknown,
  range: { readonly min: number | null; readonly max: number | null } | null,
): string | undefined => {
  if (typeof value !== "number" || !range) return undefined;
  if (range.min !== null && value < range.min) return `must be at least ${range.min}`;
  if (range.max !== null && value > range.max) return `must be at most ${range.max}`;
  return undefined;
};

const findNoOption = (value: unknown, options: readonly ParameterOption[]): string | undefined => {
  const values = options.map(valueOfOption);
  if (typeof value === "string" && values.includes(value)) return undefined;
  const shown = values.slice(0, 20).map((option) => JSON.stringify(option));
  return `must be one of ${shown.join(", ")}${values.length > shown.length ? ", …" : ""}`;
};

/** Converts a text, such as a default, to the type of a parameter; undefined for an invalid one. */
export const convertText = (type: ParameterDescriptor["type"], text: string): Json | undefined => {
  const parsed = parseJson(text);
  switch (type) {
    case "String":
    case "Option":
    case "Asset":
      return text;
    case "Integer":
    case "Float":
      return parsed.ok && typeof parsed.value === "number" ? parsed.value : undefined;
    case "Boolean":
      return parsed.ok && typeof parsed.value === "boolean" ? parsed.value : undefined;
    case "Json":
    case "File":
      return parsed.ok ? parsed.value : undefined;
  }
};
