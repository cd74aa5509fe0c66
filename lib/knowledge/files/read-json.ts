import { FileRefused } from "./file-refused.ts";

const deepest = 200;

/**
 * Converts JSON to text: a line `path.to.member: value` per value, and a paragraph per element of
 * an array at the top. Throws FileRefused for text that is not JSON, or that nests too deeply.
 */
export const jsonToText = (json: string): string => {
  const value = parseJson(json);
  const parts = Array.isArray(value) ? value : [value];
  return parts.map(toParagraph).join("\n\n");
};

/** Like `jsonToText`, for a JSON value in each line. */
export const jsonLinesToText = (lines: string): string =>
  lines
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [toParagraph(parseJson(line, at + 1))]))
    .join("\n\n");

const parseJson = (json: string, line?: number): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    throw new FileRefused(line ? `has a line ${line} that is not JSON.` : "is not valid JSON.");
  }
};

const toParagraph = (value: unknown): string => [...formatLines(value, [])].join("\n");

function* formatLines(value: unknown, path: readonly string[]): Generator<string> {
  if (path.length > deepest) throw new FileRefused(`nests deeper than ${deepest} levels.`);
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* formatLines(member, [...path, name]);
  } else if (value !== null && value !== "") {
    yield path.length === 0 ? String(value) : `${path.join(".")}: ${String(value)}`;
  }
}
