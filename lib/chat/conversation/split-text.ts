/** How long a text may be, and how much of that a character takes: its UTF-16 units where it is left out. */
export type TextLimit = { longest: number; weigh?: (character: string) => number };

/**
 * A text in parts within the limit: cut after a line, else after a word, else anywhere but inside a character.
 * Nothing is lost between parts but the white space at which they were cut.
 */
export const splitText = (text: string, limit: TextLimit): string[] => {
  const parts: string[] = [];
  let rest = text;
  for (let end = endOfPart(rest, limit); end < rest.length; end = endOfPart(rest, limit)) {
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  parts.push(rest);
  return parts.filter((part) => part.trim() !== "");
};

const endOfPart = (text: string, limit: TextLimit): number => {
  const longest = endWithin(text, limit);
  if (longest === text.length) return longest;
  const window = text.slice(0, longest + 1);
  for (const sign of ["\n", " "]) {
    const at = window.lastIndexOf(sign);
    if (at >= longest / 2) return at;
  }
  return longest;
};

/** Where the characters end that the limit allows, of which there is one at least. */
const endWithin = (text: string, { longest, weigh = lengthOf }: TextLimit): number => {
  let [end, weight] = [0, 0];
  for (const character of text) {
    weight += weigh(character);
    if (weight > longest && end > 0) break;
    end += character.length;
  }
  return end;
};

const lengthOf = (character: string): number => character.length;

/** What ends an answer that is longer than people are to read. */
const cutMark = "\n[This answer was cut: it is too long.]";

/** The same in so many parts at most; where it is longer than that, the last part says so. */
export const splitWithin = (text: string, limit: TextLimit, mostParts: number): string[] => {
  const parts = splitText(text, limit);
  if (parts.length <= mostParts) return parts;
  const { longest, weigh = lengthOf } = limit;
  const markWeight = [...cutMark].reduce((sum, character) => sum + weigh(character), 0);
  const last = parts[mostParts - 1] ?? "";
  const [kept = ""] = splitText(last, { ...limit, longest: longest - markWeight });
  return [...parts.slice(0, mostParts - 1), `${kept}${cutMark}`];
};
