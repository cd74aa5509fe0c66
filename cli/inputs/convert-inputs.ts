import { didYouMean } from "../../lib/platform/http/nearest-name.ts";
import { describeJsonFault } from "../../lib/values/json/find-json-fault.ts";
import { convertText, findMisfit } from "../../lib/values/json/parameter-value.ts";
import { usage } from "../exit.ts";
import { parseJson } from "../parse-json.ts";
import type { DeclaredInput } from "./declared-inputs.ts";
import type { GivenInputs } from "./read-inputs.ts";

/** Words of errors: the option with the texts, and what declares their names. */
export type InputWords = { option: string; noun: string };

const inputWords: InputWords = { option: "--input", noun: "an input of the agent" };

/**
 * Converts the texts of an option, by default `--input`, to the types that are declared, and adds the values of the file.
 * Without declarations a text is JSON, or else text. Throws a usage error that names all inputs that cannot be converted,
 * without their values.
 */
export const convertInputs = (
  { values, texts }: GivenInputs,
  declared: readonly DeclaredInput[] | undefined,
  words = inputWords,
): Record<string, unknown> => {
  const faults: string[] = [];
  const entries = texts.map(([name, text]) => {
    const converted = declared
      ? convertInput(declared, name, text, words)
      : { value: jsonOrText(text) };
    if ("fault" in converted) faults.push(`${words.option} ${name} ${converted.fault}`);
    return [name, "fault" in converted ? undefined : converted.value] as const;
  });
  if (faults.length > 0) throw usage(faults.join("\n"));
  return { ...values, ...Object.fromEntries(entries) };
};

/** Converts a text to the type of a declared input. */
export const convertInput = (
  declared: readonly DeclaredInput[],
  name: string,
  text: string,
  { noun } = inputWords,
): { value: unknown } | { fault: string } => {
  const input = declared.find((parameter) => parameter.name === name);
  if (input === undefined) {
    const names = declared.map((parameter) => parameter.name);
    return { fault: didYouMean(`is not ${noun}`, name, names) };
  }
  if (input.type === "Json") return convertJson(text);
  const value = convertText(input.type, text);
  const misfit = findMisfit(input, value);
  return misfit === undefined ? { value } : { fault: `${misfit}: its type is ${input.type}` };
};

/** A text that starts as an object or a list is meant as JSON. Any other may be text. */
const convertJson = (text: string): { value: unknown } | { fault: string } => {
  const fault = /^\s*[{[]/.test(text) ? describeJsonFault(text) : undefined;
  return fault === undefined ? { value: jsonOrText(text) } : { fault: `is not JSON: ${fault}` };
};

const jsonOrText = (text: string): unknown =>
  parseJson(text) ?? (text.trim() === "null" ? null : text);
