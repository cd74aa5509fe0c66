/** Dimension of the vectors. */
export const wordDimension = 256;

const word = /[\p{L}\p{N}]+/gu;
/** Length of the parts of words that count too, so that "deploy" is near "deployment". */
const partLength = 4;
const partWeight = 0.25;

/**
 * Embeds a text by its words: every word, and every part of it of 4 characters, adds to one
 * dimension, chosen by a hash. Repetitions of a word count less and less. The vector has length 1.
 * A text without words has a vector, too.
 */
export const embedWords = (text: string): number[] => {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) =>
    weights.set(term, (weights.get(term) ?? 0) + weight);
  for (const [found] of text.normalize("NFKC").toLowerCase().matchAll(word)) {
    add(found, 1);
    for (let at = 0; at + partLength <= found.length; at += 1) {
      add(`#${found.slice(at, at + partLength)}`, partWeight);
    }
  }
  const vector = new Array<number>(wordDimension).fill(0);
  for (const [term, weight] of weights) {
    const hash = hashTerm(term);
    const at = hash % wordDimension;
    const sign = hash & 0x8000_0000 ? -1 : 1;
    vector[at] = (vector[at] ?? 0) + sign * Math.sqrt(weight);
  }
  const length = Math.hypot(...vector);
  if (length === 0) return vector.with(0, 1);
  return vector.map((value) => value / length);
};

/** Hashes by FNV-1a. http://www.isthe.com/chongo/tech/comp/fnv/ */
const hashTerm = (text: string): number => {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  }
  // The lowest bits of FNV are weak; mixes the higher ones in.
  return (hash ^ (hash >>> 15)) >>> 0;
};
