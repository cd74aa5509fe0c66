import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../values/json/json.ts";
import { type Subject, scored, undetermined, type Verdict } from "./subject.ts";

/** Compares the output with the expected value, or the values of both at a JSON pointer: all members and their types. */
export const compareExactly = (
  path: string | null,
  { output, expected }: Pick<Subject, "output" | "expected">,
): Verdict => {
  if (expected === undefined || expected === null) {
    return undetermined("There is no expected value to compare with.");
  }
  const parts = path ? path.slice(1).split("/").map(unescapePart) : [];
  const wanted = typeof expected === "object" ? follow(expected, parts) : expected;
  if (wanted === undefined) return undetermined(`The expected value has no member at ${path}.`);
  const isEqual = isDeepStrictEqual(follow(output, parts), wanted);
  return scored(isEqual ? 1 : 0);
};

const unescapePart = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** Returns the value at a place; undefined where there is none. */
const follow = (value: Json, parts: readonly string[]): Json | undefined => {
  let found: Json | undefined = value;
  for (const part of parts) {
    if (typeof found !== "object" || found === null) return undefined;
    found = new Map<string, Json>(Object.entries(found)).get(part);
  }
  return found;
};
