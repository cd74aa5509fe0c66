import * as z from "zod";
import { malformedJson, Problem, validationFailed } from "../platform/http/problems.ts";
import { decodeUtf8, readJson } from "./read-json.ts";

/** The items of a body of JSON lines, with their line numbers. */
export type ReadLines = { items: unknown[]; numbers: number[] };

/** Parses a body with a JSON value on each line; blank lines are skipped. Throws 400 that names the line. */
export const readLines = (bytes: Uint8Array): ReadLines => {
  const read: ReadLines = { items: [], numbers: [] };
  for (const [at, line] of decodeUtf8(bytes).split("\n").entries()) {
    if (line.trim() === "") continue;
    read.items.push(readJson(line, `Line ${at + 1}`));
    read.numbers.push(at + 1);
  }
  if (read.items.length === 0) throw malformedJson("The body has no lines of JSON.");
  return read;
};

const Errors = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });

/** Replaces the pointers of a 400 into `items` by the lines that were sent, such as `line/3/input`. */
export const atLines = (error: unknown, numbers: readonly number[]): unknown => {
  if (!(error instanceof Problem) || error.slug !== "validation-failed") return error;
  const { errors } = Errors.parse(error.members);
  return validationFailed(
    errors.map(({ pointer, detail }) => {
      const [, at = "", rest = ""] = /^\/items\/(\d+)(.*)$/s.exec(pointer) ?? [];
      const number = at === "" ? undefined : numbers[Number(at)];
      return { pointer: number === undefined ? pointer : `line/${number}${rest}`, detail };
    }),
  );
};
