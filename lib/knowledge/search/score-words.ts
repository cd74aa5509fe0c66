const word = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text in lower case. */
export const splitWords = (text: string): string[] =>
  [...text.normalize("NFKC").toLowerCase().matchAll(word)].map(([found]) => found);

/** Parameters of BM25: how soon repeated words stop to count, and how much a text's length does. */
const saturation = 1.2;
const lengthWeight = 0.75;

/**
 * Scores texts by the words that they share with a query: BM25, with frequencies in these texts.
 * https://en.wikipedia.org/wiki/Okapi_BM25
 */
export const scoreWords = (query: string, texts: readonly string[]): number[] => {
  const wanted = new Set(splitWords(query));
  const documents = texts.map((text) => {
    const words = splitWords(text);
    const counts = new Map<string, number>();
    for (const word of words) if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { length: words.length, counts };
  });
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / texts.length || 1;
  const rarity = new Map(
    [...wanted].map((word) => {
      const having = documents.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))] as const;
    }),
  );
  return documents.map(({ length, counts }) => {
    const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / averageLength);
    let score = 0;
    for (const [word, count] of counts) {
      score += ((rarity.get(word) ?? 0) * count * (saturation + 1)) / (count + norm);
    }
    return score;
  });
};
