/** Control characters, and characters that change the text's direction. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces characters that would control the terminal, because names and details come from other people. */
export const printable = (text: string): string => text.replaceAll(unprintable, "\ufffd");

/** Replaces control characters but line breaks and tabs, for texts of several lines. */
export const printableText = (text: string): string =>
  text.replaceAll(unprintable, (character) => (/[\n\t]/.test(character) ? character : "\ufffd"));

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

const measureWidth = (grapheme: string): number => (wide.test(grapheme) ? 2 : 1);

/** Returns the width of a text in terminal columns. */
export const displayWidth = (text: string): number =>
  [...graphemes.segment(text)].reduce((sum, { segment }) => sum + measureWidth(segment), 0);

/** Cuts a text to `width` columns, ending in `…`. */
export const cutTo = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text;
  let cut = "";
  let taken = 1;
  for (const { segment } of graphemes.segment(text)) {
    taken += measureWidth(segment);
    if (taken > width) break;
    cut += segment;
  }
  return `${cut}…`;
};
