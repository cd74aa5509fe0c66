import { isAlphanumeric } from "./characters.ts";
import type { FoundText } from "./found-text.ts";

/** Beginnings of keys, and the least number of characters that follow. */
const forms: readonly (readonly [start: string, least: number])[] = [
  ["sk-", 20],
  ["sk_live_", 16],
  ["sk_test_", 16],
  ["rk_live_", 16],
  ["pk_live_", 16],
  ["AKIA", 16],
  ["ASIA", 16],
  ["ghp_", 30],
  ["gho_", 30],
  ["ghu_", 30],
  ["ghs_", 30],
  ["ghr_", 30],
  ["github_pat_", 30],
  ["glpat-", 20],
  ["xoxb-", 20],
  ["xoxp-", 20],
  ["xoxa-", 20],
  ["xapp-", 20],
  ["AIza", 35],
  ["npm_", 30],
  ["SG.", 40],
  ["hf_", 30],
  ["whsec_", 20],
  ["eyJ", 40],
];
const byFirst = Map.groupBy(forms, ([start]) => start[0] ?? "");

const begin = "-----BEGIN ";
const privateKey = "PRIVATE KEY-----";
/** Characters of the name of a key's type. */
const longestType = 40;
const longestPrivateKey = 16_384;

/** Finds keys of services by the form in which they are made, signed tokens, API keys of this product, and private keys. */
export const findKeys = (text: string): FoundText[] => {
  const found: FoundText[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const end = text.startsWith(begin, at) ? readPrivateKey(text, at) : undefined;
    if (end !== undefined) found.push({ kind: "Key", start: at, end });
    if (end !== undefined) at = end - 1;
    else if (isKeyCharacter(text[at])) {
      const wordEnd = findWordEnd(text, at);
      if (isKey(text, at, wordEnd)) found.push({ kind: "Key", start: at, end: wordEnd });
      at = wordEnd;
    }
  }
  return found;
};

const isKeyCharacter = (character: string | undefined): boolean =>
  isAlphanumeric(character) || character === "_" || character === "-" || character === ".";

const findWordEnd = (text: string, start: number): number => {
  let end = start;
  while (isKeyCharacter(text[end])) end += 1;
  while (end > start + 1 && text[end - 1] === ".") end -= 1;
  return end;
};

const isKey = (text: string, start: number, end: number): boolean => {
  const isForm = (byFirst.get(text[start] ?? "") ?? []).some(
    ([form, least]) => end - start >= form.length + least && text.startsWith(form, start),
  );
  if (!isForm) return isOwnKey(text, start, end);
  if (!text.startsWith("eyJ", start)) return true;
  return text.slice(start, end).split(".").length === 3;
};

/** An API key is `<prefix>_live_` and at least 40 letters or digits. */
const isOwnKey = (text: string, start: number, end: number): boolean => {
  const word = text.slice(start, end);
  const at = word.indexOf("_live_");
  return at > 0 && word.length - at >= 46;
};

const readPrivateKey = (text: string, start: number): number | undefined => {
  const first = begin.length + longestType + privateKey.length;
  const name = text.slice(start, start + first).indexOf(privateKey);
  if (name === -1) return undefined;
  const nameEnd = start + name + privateKey.length;
  const close = text.slice(nameEnd, nameEnd + longestPrivateKey).indexOf(privateKey);
  return close === -1 ? nameEnd : nameEnd + close + privateKey.length;
};
