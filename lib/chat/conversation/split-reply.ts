import type { TextLimit } from "../../vendors/chat-provider.ts";

/**
 * Splits a text into parts within the limit: after a line, else after a word, else between characters. Drops only
 * the white space at the splits.
 */
export const splitReply = (text: string, limit: TextLimit): string[] => {
  const parts: string[] = [];
  let rest = text;
  for (let end = findPartEnd(rest, limit); end < rest.length; end = findPartEnd(rest, limit)) {
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  parts.push(rest);
  return parts.filter((part) => part.trim() !== "");
};

const findPartEnd = (text: string, limit: TextLimit): number => {
  const longest = endWithin(text, limit);
  if (longest === text.length) return longest;
  const window = text.slice(0, longest + 1);
  for (const sign of ["\n", " "]) {
    const at = window.lastIndexOf(sign);
    if (at >= longest / 2) return at;
  }
  return longest;
};

/** Returns the end of the characters within the limit; at least one character. */
const endWithin = (text: string, { longest, weigh = countCodeUnits }: TextLimit): number => {
  let [end, weight] = [0, 0];
  for (const character of text) {
    weight += weigh(character);
    if (weight > longest && end > 0) break;
    end += character.length;
  }
  return end;
};

const countCodeUnits = (character: string): number => character.length;

/** Marks a truncated reply. */
const truncationMark = "\n[This reply was truncated: it is too long.]";

/** Splits a text into at most `maxParts` parts; the last one notes that the text was truncated. */
export const splitWithin = (text: string, limit: TextLimit, maxParts: number): string[] => {
  const parts = splitReply(text, limit);
  if (parts.length <= maxParts) return parts;
  const { longest, weigh = countCodeUnits } = limit;
  const markWeight = [...truncationMark].reduce((sum, character) => sum + weigh(character), 0);
  const last = parts[maxParts - 1] ?? "";
  const [kept = ""] = splitReply(last, { ...limit, longest: longest - markWeight });
  return [...parts.slice(0, maxParts - 1), `${kept}${truncationMark}`];
};
