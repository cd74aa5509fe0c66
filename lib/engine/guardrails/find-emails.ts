import { isAlphanumeric } from "./characters.ts";
import type { FoundText } from "./found-text.ts";

const localExtras = new Set([..."._%+-'"]);
const longestLocal = 64;
const longestDomain = 253;

/** Finds e-mail addresses: around each `@`, a local part and a domain with a top level of letters. */
export const findEmails = (text: string): FoundText[] => {
  const found: FoundText[] = [];
  let free = 0;
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const start = findStart(text, at, free);
    const end = findEnd(text, at);
    if (start === at || end === undefined) continue;
    found.push({ kind: "Email", start, end });
    free = end;
  }
  return found;
};

const findStart = (text: string, at: number, free: number): number => {
  const least = Math.max(free, at - longestLocal);
  let start = at;
  while (start > least && isLocal(text[start - 1])) start -= 1;
  while (start < at && !isAlphanumeric(text[start])) start += 1;
  return start;
};

const isLocal = (character: string | undefined): boolean =>
  isAlphanumeric(character) || localExtras.has(character ?? "");

const findEnd = (text: string, at: number): number | undefined => {
  const most = Math.min(text.length, at + 1 + longestDomain);
  let end = at + 1;
  while (end < most && (isAlphanumeric(text[end]) || text[end] === "-" || text[end] === "."))
    end += 1;
  while (end > at + 1 && !isAlphanumeric(text[end - 1])) end -= 1;
  const labels = text.slice(at + 1, end).split(".");
  const top = labels.at(-1) ?? "";
  const isDomain = labels.length > 1 && labels.every((label) => label !== "");
  return isDomain && /^(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/.test(top) ? end : undefined;
};
