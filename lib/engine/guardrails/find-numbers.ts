import { isAlphanumeric, isDigit } from "./characters.ts";
import type { FoundText } from "./found-text.ts";

/** Digits that follow one another, from `start` up to `end`. */
type Group = { readonly start: number; readonly end: number };

/** Groups of digits with short separators between them. */
type NumberRun = readonly Group[];

/** Returns the kind of a number; `isWhole`: no other groups are next to it. */
type ToKind = (groups: NumberRun, isWhole: boolean) => string | undefined;

/** Digits of the longest number that is looked for. */
const mostDigits = 19;

/** Finds numbers of payment cards: 13 to 19 digits of a known issuer that fulfil Luhn's formula. */
export const findCards = (text: string): FoundText[] =>
  findIn(text, " -", 1, (groups) => {
    const digits = joinDigits(text, groups);
    return digits.length >= 13 && isIssuer(digits) && fulfilsLuhn(digits) ? "Card" : undefined;
  });

/**
 * Finds phone numbers: with `+` and 8 to 15 digits, in the North American form, or with a leading 0 and 9 to 11 digits in
 * groups.
 */
export const findPhones = (text: string): FoundText[] =>
  findIn(text, " -./()", 2, (groups, isWhole) => {
    const digits = joinDigits(text, groups);
    const [first] = groups;
    if (!first) return undefined;
    if (text[first.start - 1] === "+") {
      return digits.length >= 8 && digits.length <= 15 ? "Phone" : undefined;
    }
    if (!isWhole) return undefined;
    const sizes = groups.map(({ start, end }) => end - start).join(" ");
    const isNorthAmerican = sizes === "3 3 4" || (sizes === "1 3 3 4" && digits.startsWith("1"));
    // An area code begins with 2 to 9.
    if (isNorthAmerican) return /^[2-9]/.test(digits.slice(-10)) ? "Phone" : undefined;
    const isNational = digits.length >= 9 && digits.length <= 11 && digits.startsWith("0");
    return isNational && groups.length > 1 && groups.length <= 5 ? "Phone" : undefined;
  });

/**
 * Finds the longest sequences of groups that are numbers of a kind, from the left. Each start reads at most as many digits as
 * a number has.
 */
const findIn = (
  text: string,
  separators: string,
  longestSeparator: number,
  toKind: ToKind,
): FoundText[] => {
  const found: FoundText[] = [];
  for (const run of listRuns(text, separators, longestSeparator)) {
    for (let at = 0; at < run.length; at += 1) {
      const match = findLongest(run, at, toKind);
      if (!match) continue;
      const [first, last] = [run[at], run[match.last]];
      if (!first || !last) continue;
      found.push({ kind: match.kind, start: toStart(text, first.start), end: last.end });
      at = match.last;
    }
  }
  return found;
};

const findLongest = (
  run: NumberRun,
  at: number,
  toKind: ToKind,
): { kind: string; last: number } | undefined => {
  let digits = 0;
  let last = at - 1;
  for (const { start, end } of run.slice(at, at + mostDigits)) {
    digits += end - start;
    if (digits > mostDigits) break;
    last += 1;
  }
  for (; last >= at; last -= 1) {
    const isWhole = at === 0 && last === run.length - 1;
    const kind = toKind(run.slice(at, last + 1), isWhole);
    if (kind) return { kind, last };
  }
  return undefined;
};

/** A number begins with its `+` or `(`. */
const toStart = (text: string, start: number): number => {
  const hasParenthesis = text[start - 1] === "(";
  const before = hasParenthesis ? start - 1 : start;
  return text[before - 1] === "+" ? before - 1 : before;
};

/** Lists runs of groups of digits; letters next to digits belong to another word. */
const listRuns = (text: string, separators: string, longestSeparator: number): NumberRun[] => {
  const runs: Group[][] = [];
  let run: Group[] = [];
  let isOfWord = false;
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text[at])) continue;
    const start = at;
    while (isDigit(text[at + 1])) at += 1;
    const group = { start, end: at + 1 };
    const before = run.at(-1);
    const isNext =
      before && !isOfWord && isSeparated(text, before.end, start, { separators, longestSeparator });
    isOfWord = isWordCharacter(text[start - 1]) || isWordCharacter(text[group.end]);
    if (!isNext) {
      run = [];
      runs.push(run);
    }
    if (!isOfWord) run.push(group);
  }
  return runs.filter(({ length }) => length > 0);
};

const isWordCharacter = (character: string | undefined): boolean =>
  (isAlphanumeric(character) && !isDigit(character)) || character === "_";

const isSeparated = (
  text: string,
  from: number,
  to: number,
  { separators, longestSeparator }: { separators: string; longestSeparator: number },
): boolean => {
  if (to - from > longestSeparator) return false;
  return [...text.slice(from, to)].every((character) => separators.includes(character));
};

const joinDigits = (text: string, groups: NumberRun): string =>
  groups.map(({ start, end }) => text.slice(start, Math.min(end, start + mostDigits + 1))).join("");

const isIssuer = (digits: string): boolean => {
  const four = Number(digits.slice(0, 4));
  const two = Math.floor(four / 100);
  const isMastercard = (two >= 51 && two <= 55) || (four >= 2221 && four <= 2720);
  const isDiners = two === 36 || two === 38 || two === 30;
  const isOther = [34, 37, 35, 60, 62, 64, 65, 50, 56, 57, 58, 63, 67].includes(two);
  return digits.startsWith("4") || isMastercard || isDiners || isOther;
};

const fulfilsLuhn = (digits: string): boolean => {
  if (digits.length > mostDigits) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};
