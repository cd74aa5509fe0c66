import { usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { readJsonObject } from "../read-json-object.ts";

type Given = { parameter: readonly string[]; parametersFile: string | undefined };

/** Reads the parameters of a source: those of the file, then each `name=value`. */
export const readParameters = async (
  { parameter, parametersFile }: Given,
  io: Io,
): Promise<Record<string, string>> => ({
  ...(parametersFile === undefined ? {} : await readParametersFile(parametersFile, io)),
  ...Object.fromEntries(parameter.map(parsePair)),
});

const parsePair = (pair: string): [name: string, value: string] => {
  const at = pair.indexOf("=");
  if (at >= 1) return [pair.slice(0, at), pair.slice(at + 1)];
  throw usage("--parameter must be name=value, such as --parameter repository=acme/handbook.");
};

const readParametersFile = async (file: string, io: Io): Promise<Record<string, string>> => {
  const entries = Object.entries(await readJsonObject(file, "a JSON object of parameters", io));
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string";
  if (entries.every(isText)) return Object.fromEntries(entries);
  const names = entries.filter((entry) => !isText(entry)).map(([name]) => name);
  throw usage(`Parameters must be strings: ${names.join(", ")}.`);
};
