/**
 * A text in parts of at most `longest` UTF-16 units: cut after a line, else after a word, else anywhere but
 * inside a character. Nothing is lost between parts but the white space at which they were cut.
 */
export const splitText = (text: string, longest: number): string[] => {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const end = endOfPart(rest, longest);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  parts.push(rest);
  return parts.filter((part) => part.trim() !== "");
};

const endOfPart = (text: string, longest: number): number => {
  const window = text.slice(0, longest + 1);
  for (const sign of ["\n", " "]) {
    const at = window.lastIndexOf(sign);
    if (at >= longest / 2) return at;
  }
  const isInside = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1));
  return isInside && longest > 1 ? longest - 1 : longest;
};
