import { splitWords } from "./score-words.ts";

/** Maximum characters of a snippet. */
export const maxSnippet = 300;
/** Characters before the first word that matches. */
const before = 60;

const word = /[\p{L}\p{N}]+/gu;
const lowSurrogate = /^[\udc00-\udfff]/;

/**
 * Cuts the part of a text with the most different words of a query, at most `maxSnippet` characters; its beginning, if
 * it has none of them. An ellipsis stands for text that is left out. Takes time linear in the text's length.
 */
export const makeSnippet = (query: string, text: string): string => {
  if (text.length <= maxSnippet) return text;
  const start = toWordStart(text, Math.max(0, findMatch(query, text) - before));
  const isCut = start > 0;
  const room = maxSnippet - (isCut ? 1 : 0);
  const isWhole = text.length - start <= room;
  const end = isWhole ? text.length : toWordEnd(text, start, start + room - 1);
  return `${isCut ? "…" : ""}${text.slice(start, end)}${isWhole ? "" : "…"}`;
};

/** Returns the position from which the most different words of the query follow within a snippet. */
const findMatch = (query: string, text: string): number => {
  const wanted = new Set(splitWords(query));
  const found: { at: number; name: string }[] = [];
  for (const match of text.matchAll(word)) {
    const [name = ""] = splitWords(match[0]);
    if (wanted.has(name)) found.push({ at: match.index, name });
  }
  const counts = new Map<string, number>();
  let best = { at: found[0]?.at ?? 0, words: 0 };
  let next = 0;
  for (const { at, name } of found) {
    for (let last = found[next]; last && last.at < at + maxSnippet - before; last = found[next]) {
      counts.set(last.name, (counts.get(last.name) ?? 0) + 1);
      next += 1;
    }
    if (counts.size > best.words) best = { at, words: counts.size };
    const left = (counts.get(name) ?? 0) - 1;
    if (left > 0) counts.set(name, left);
    else counts.delete(name);
  }
  return best.at;
};

/** Moves a cut to the next word within reach; never into a pair of surrogates. */
const toWordStart = (text: string, at: number): number => {
  if (at === 0) return 0;
  const space = text.slice(at - 1, at + before).search(/\s/);
  const start = space === -1 ? at : at + space;
  return lowSurrogate.test(text.slice(start, start + 1)) ? start + 1 : start;
};

/** Moves a cut to the end of the word before it, within reach; never into a pair of surrogates. */
const toWordEnd = (text: string, start: number, at: number): number => {
  const tail = text.slice(Math.max(start, at - before), at + 1);
  const space = tail.search(/\s\S*$/);
  const end = space > 0 ? at + 1 - tail.length + space : at;
  return lowSurrogate.test(text.slice(end, end + 1)) ? end - 1 : end;
};
