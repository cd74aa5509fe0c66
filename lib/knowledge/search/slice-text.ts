import type { StoredChunks } from "../document/document-item.ts";

/** Returns the length of the text that chunks are of, without white space at its end. */
export const textLength = (chunks: StoredChunks): number => {
  const last = chunks.at(-1);
  return last ? last.start + last.text.length : 0;
};

/**
 * Returns the part of a text that begins at an offset, from its chunks, which overlap. It has at most `maxLength`
 * characters, and ends with a line where there is one in its second half. Line breaks replace white space between chunks.
 */
export const sliceText = (
  chunks: StoredChunks,
  { offset, maxLength }: { offset: number; maxLength: number },
): string => {
  const end = offset + maxLength;
  const parts: string[] = [];
  let at = offset;
  for (const { start, text } of chunks) {
    if (start + text.length <= at) continue;
    const from = Math.min(Math.max(start, at), end);
    parts.push("\n".repeat(from - at));
    at = from;
    if (start >= end) break;
    at = Math.min(start + text.length, end);
    parts.push(text.slice(from - start, at - start));
  }
  const part = parts.join("");
  return at >= textLength(chunks) ? part : endWithLine(part);
};

const endWithLine = (part: string): string => {
  const line = part.lastIndexOf("\n") + 1;
  return line > part.length / 2 ? part.slice(0, line) : part.replace(/[\uD800-\uDBFF]$/, "");
};
