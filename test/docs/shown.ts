import * as z from "zod";

/**
 * Pages show the output of a command with `…` as a wildcard: at the end of a string, an object or a
 * list, or as a whole value. IDs, times and keys match any other.
 */

const uuid = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
const isoTime = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`;
const isoDate = String.raw`\d{4}-\d\d-\d\d`;
const milliseconds = String.raw`1[5-9]\d{11}`;
const port = String.raw`(?<=://127\.0\.0\.1):\d+`;
const anyPlaceholder = new RegExp(`${uuid}|${isoTime}|${isoDate}|${milliseconds}|${port}|…`, "g");

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const toPattern = (text: string): RegExp => {
  const wildcard = (found: string): string =>
    [uuid, isoTime, isoDate, milliseconds, port].find((pattern) =>
      new RegExp(`^${pattern.replace(/^\(\?<=.*?\)/, "")}$`).test(found),
    ) ?? "[^]*?";
  let pattern = "";
  let end = 0;
  for (const { 0: found, index } of text.matchAll(anyPlaceholder)) {
    pattern += escaped(text.slice(end, index)) + wildcard(found);
    end = index + found.length;
  }
  return new RegExp(`(?:^|\\n)${pattern}${escaped(text.slice(end))}$`);
};

const Json = z.json();
type Json = z.output<typeof Json>;

const more = "…";

/**
 * Parses JSON with `…` for a value or for the rest of an object or list; undefined for other text.
 */
const parseShown = (text: string): Json | undefined => {
  const quoted = text.replace(
    /"(?:[^"\\]|\\.)*"|(?:(?<!:\s*)…(?<rest>\s*}))|…/g,
    (found: string, rest: string | undefined) =>
      found.startsWith('"') ? found : rest === undefined ? `"${more}"` : `"${more}": 0}`,
  );
  try {
    return Json.parse(JSON.parse(quoted));
  } catch {
    return undefined;
  }
};

const parsePrinted = (text: string): Json | undefined => {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const isText = (shown: string, printed: string): boolean =>
  toPattern(shown).exec(printed)?.[0] === printed;

const isTime = (value: Json): value is number =>
  typeof value === "number" && new RegExp(`^${milliseconds}$`).test(String(value));

const matches = (shown: Json, printed: Json | undefined): boolean => {
  if (printed === undefined) return false;
  if (typeof shown === "string") {
    return shown === more || (typeof printed === "string" && isText(shown, printed));
  }
  if (isTime(shown)) return isTime(printed);
  if (shown === null || typeof shown !== "object") return shown === printed;
  if (Array.isArray(shown)) {
    const isOpen = shown.at(-1) === more;
    const items = isOpen ? shown.slice(0, -1) : shown;
    if (!Array.isArray(printed)) return false;
    if (isOpen ? printed.length < items.length : printed.length !== items.length) return false;
    return items.every((item, at) => matches(item, printed[at]));
  }
  if (printed === null || typeof printed !== "object" || Array.isArray(printed)) return false;
  const { [more]: open, ...members } = shown;
  const isWhole = Object.keys(printed).every((name) => Object.hasOwn(members, name));
  return (
    (open !== undefined || isWhole) &&
    Object.entries(members).every(([name, value]) => matches(value, printed[name]))
  );
};

/** Returns whether the output matches the page: JSON as a line or at the end, other text at the end. */
export const endsAsShown = (shown: string, printed: string): boolean => {
  const lines = printed.trimEnd().split("\n");
  const json = parseShown(shown);
  if (json !== undefined && typeof json === "object") {
    return lines.some(
      (line, at) =>
        matches(json, parsePrinted(line)) ||
        matches(json, parsePrinted(lines.slice(at).join("\n"))),
    );
  }
  return toPattern(shown.trimEnd()).test(lines.map((line) => line.trimEnd()).join("\n"));
};
