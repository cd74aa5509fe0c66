import { describeJsonFault } from "../lib/values/json/find-json-fault.ts";
import { isRecord } from "../lib/values/json/json.ts";
import { usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { parseJson } from "./parse-json.ts";
import { readText } from "./read-text.ts";

/**
 * Reads a JSON object from a file, or from standard input for `-`. Throws a usage error with the line and column of
 * the first fault. `content` names the object in errors, such as "a JSON object of inputs".
 */
export const readJsonObject = async (
  file: string,
  content: string,
  io: Io,
): Promise<Record<string, unknown>> => {
  const text = await readText(file, io);
  const name = file === "-" ? "Standard input" : file;
  const fault = describeJsonFault(text);
  if (fault !== undefined) throw usage(`${name} is not JSON: ${fault}.`);
  const value = parseJson(text);
  if (isRecord(value)) return { ...value };
  throw usage(`${name} must be ${content}.`);
};
