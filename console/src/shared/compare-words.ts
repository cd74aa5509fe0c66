import { compareLines, type DiffLine } from "./compare-lines.ts";

/** A part of a text: its words that are the same, added or removed. */
export type DiffPart = DiffLine;

/** Compares two texts by their words; white space and signs are words of their own. */
export const compareWords = (before: string, after: string): DiffPart[] => {
  const parts: DiffPart[] = [];
  for (const { type, text } of compareLines(splitWords(before), splitWords(after))) {
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
  }
  return parts;
};

const splitWords = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|./gu) ?? [];
