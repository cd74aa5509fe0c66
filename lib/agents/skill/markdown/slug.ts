import { trimEnd } from "../../../platform/runtime/trim-end.ts";

const maxCharacters = 128;
const maxTextLength = 1_000;

/** Letters that Unicode does not decompose, with their usual ASCII spelling. */
const spelled = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ł", "l"],
  ["ı", "i"],
]);

/**
 * Converts a text to an id: lower-case ASCII letters, digits, dots and underscores, dashes for other
 * characters, accents removed. "" when nothing remains, such as for another script.
 */
export const toSlug = (text: string): string =>
  trimmed(
    text
      .slice(0, maxTextLength)
      .normalize("NFKD")
      .toLowerCase()
      .replaceAll(/[ßæœøđðþłı]/g, (letter) => spelled.get(letter) ?? "")
      .replaceAll(/[\p{M}'’]/gu, "")
      .replaceAll(/[^a-z0-9._]+/g, "-"),
  );

const trimmed = (slug: string): string =>
  trimEnd(slug.replace(/^[-._]+/, "").slice(0, maxCharacters), "-._");
