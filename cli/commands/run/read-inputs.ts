import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { parseJson } from "../../parse-json.ts";
import { readText } from "../../read-text.ts";

type Given = { input: readonly string[]; inputFile: string | undefined };

/** Reads the inputs of an execution: those of the file, then each `name=value`, whose value is JSON or text. */
export const readInputs = async (
  { input, inputFile }: Given,
  io: Io,
): Promise<Record<string, unknown>> => ({
  ...(inputFile === undefined ? {} : await readFileInputs(inputFile, io)),
  ...Object.fromEntries(input.map(parsePair)),
});

const parsePair = (pair: string): [name: string, value: unknown] => {
  const at = pair.indexOf("=");
  if (at < 1) throw usage("--input must be name=value, such as --input city=Oslo.");
  const text = pair.slice(at + 1);
  return [pair.slice(0, at), parseJson(text) ?? (text === "null" ? null : text)];
};

const readFileInputs = async (file: string, io: Io): Promise<Record<string, unknown>> => {
  const text = await readText(file, io);
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw usage(`${file === "-" ? "Standard input" : file} must be a JSON object of inputs.`);
  }
  return { ...value };
};
