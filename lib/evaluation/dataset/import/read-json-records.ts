import { isRecord } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import type { ImportProblem, ImportRecord } from "./imported.ts";

/** The objects of a file, and problems for its other values. */
export type ReadRecords = { records: ImportRecord[]; problems: ImportProblem[] };

/** Reads the objects of a JSON document (an array, or an object with one in `data` or `items`) or of JSON lines. */
export const readJsonRecords = (text: string): ReadRecords => {
  const whole = parseJson(text);
  const list = whole.ok ? listIn(whole.value) : undefined;
  const read: ReadRecords = { records: [], problems: [] };
  const add = (value: unknown, place: string): void => {
    if (isRecord(value)) read.records.push({ place, members: value });
    else read.problems.push({ place, detail: "is not a JSON object" });
  };
  if (list) for (const [at, value] of list.entries()) add(value, `item ${at + 1}`);
  else {
    for (const [at, line] of text.split("\n").entries()) {
      if (line.trim() === "") continue;
      const parsed = parseJson(line);
      add(parsed.ok ? parsed.value : undefined, `line ${at + 1}`);
    }
  }
  return read;
};

const listIn = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  return [value.data, value.items].find((member) => Array.isArray(member));
};
