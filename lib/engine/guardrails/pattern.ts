import { setFlagsFromString } from "node:v8";
import { type FoundText, patternKind } from "./found-text.ts";

/**
 * V8's engine for expressions marked with `l` takes linear time, and refuses those that could take more. The flag makes
 * it available; expressions without the mark are executed as before.
 */
const allowLinearEngine = (): void => setFlagsFromString("--enable-experimental-regexp-engine");

const kept = new Map<string, RegExp>();
const maxKept = 200;

/** Compiles a pattern. Throws a SyntaxError for one that is invalid or cannot be executed in linear time. */
export const compilePattern = (pattern: string): RegExp => {
  const known = kept.get(pattern);
  if (known) return known;
  allowLinearEngine();
  const compiled = new RegExp(pattern, "gl");
  if (kept.size >= maxKept) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
};

/** Returns why a pattern is refused; undefined for one that may be used. */
export const checkPattern = (pattern: string): string | undefined => {
  try {
    if (compilePattern(pattern).test("")) return "must not match the empty text";
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return error.message.endsWith("linear time")
      ? "cannot be executed in linear time: it has a back reference, a lookahead, or too many repetitions"
      : "is not a regular expression";
  }
};

/** Finds the matches of a pattern. */
export const findMatches = (pattern: string, text: string): FoundText[] =>
  [...text.matchAll(compilePattern(pattern))].flatMap(({ 0: match, index }) =>
    match === "" ? [] : [{ kind: patternKind, start: index, end: index + match.length }],
  );
