import { usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { readJsonObject } from "../read-json-object.ts";

type Options = { input: readonly string[]; inputFile: string | undefined };

/** Inputs of a command line: JSON values of a file, and texts of options, which have no type yet. */
export type GivenInputs = {
  values: Readonly<Record<string, unknown>>;
  texts: readonly (readonly [name: string, text: string])[];
};

/** Reads the inputs of `--input-file` and of each `--input name=value`. */
export const readInputs = async ({ input, inputFile }: Options, io: Io): Promise<GivenInputs> => ({
  texts: input.map((pair) => parsePair("--input", pair)),
  values:
    inputFile === undefined ? {} : await readJsonObject(inputFile, "a JSON object of inputs", io),
});

/** Parses name=value of an option. Throws a usage error. */
export const parsePair = (option: string, pair: string): [name: string, text: string] => {
  const at = pair.indexOf("=");
  if (at >= 1) return [pair.slice(0, at), pair.slice(at + 1)];
  throw usage(`${option} must be name=value, such as ${option} city=Oslo.`);
};
