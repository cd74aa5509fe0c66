import { randomInt } from "node:crypto";

/** Characters; shorter secrets occur in texts by chance, and are found only where they are the whole text. */
const shortestInText = 6;
/** Most lengths of secrets that are found as they are: a text is read once for every length. */
const maxLengths = 32;
/** Characters of the parts by which longer secrets are found where there are more lengths. */
const partLength = 32;

/** Part of a text that is in a secret, from its character `from` on. `at`: position of the secret in their list. */
export type FoundSecret = { start: number; end: number; at: number; from: number };

/** Finds secrets in texts. */
export type SecretFinder = {
  /** Returns the position of the secret that a whole text is; undefined for none. */
  findWhole(text: string): number | undefined;
  /** Returns parts of a text that cover every secret in it, by their start, longest first. Some may overlap. */
  find(text: string): readonly FoundSecret[];
};

const finders = new WeakMap<readonly string[], SecretFinder>();

/** Returns the finder of secrets; the same one for the same list. */
export const findSecrets = (secrets: readonly string[]): SecretFinder => {
  const known = finders.get(secrets);
  if (known) return known;
  const finder = createFinder(secrets);
  finders.set(secrets, finder);
  return finder;
};

/**
 * Its time grows with the length of the text and that of the secrets, not with their product, whatever they are: secrets and
 * texts are those of tenants, and `indexOf` of a single text takes minutes with the wrong two of 500 kB.
 */
const createFinder = (secrets: readonly string[]): SecretFinder => {
  const places = new Map(secrets.map((secret, at) => [secret, at]));
  const hidden = [...places].filter(([{ length }]) => length >= shortestInText);
  const lengths = new Set(hidden.map(([{ length }]) => length));
  const isInParts = lengths.size > maxLengths;
  const groups = new Map<number, Map<string, Place>>();
  const add = (text: string, place: Place): void => {
    const group = groups.get(text.length) ?? new Map<string, Place>();
    groups.set(text.length, group.set(text, place));
  };
  for (const [secret, at] of hidden) {
    if (!isInParts || secret.length <= partLength) add(secret, { at, from: 0 });
    else
      for (const from of listParts(secret.length))
        add(secret.slice(from, from + partLength), { at, from });
  }
  const searches = [...groups].map(([length, texts]) => createSearch(length, texts));
  return {
    findWhole: (text) => places.get(text),
    find: (text) =>
      searches
        .flatMap((search) => search(text))
        .toSorted((one, other) => one.start - other.start || other.end - one.end),
  };
};

type Place = Pick<FoundSecret, "at" | "from">;

/** Returns where the parts of a secret begin. Neighbours overlap, so that they are found as one. */
const listParts = (length: number): number[] => {
  const last = length - partLength;
  const count = Math.ceil(last / (partLength - 1));
  return [...Array.from({ length: count }, (_, at) => at * (partLength - 1)), last];
};

/** Odd and random: the hash of a text, modulo 2^32, is not known to a tenant. */
const base = randomInt(2 ** 30, 2 ** 31) * 2 + 1;

const nextHash = (hash: number, code: number): number => (Math.imul(hash, base) + code) | 0;

const hashText = (text: string): number => {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = nextHash(hash, text.charCodeAt(at));
  return hash;
};

/** Returns the place of a hash in a filter: texts that differ in their last characters alone have hashes of the same first bits. */
const toPlace = (hash: number, bits: number): number => Math.imul(hash, base) >>> (32 - bits);

/** Places of a filter for every text: most positions of another text are ruled out by it. */
const filterSize = 32;
const leastBits = 12;
/** Most different beginnings of texts that are looked for first, which takes a tenth of the time. */
const maxStarts = 4;

/** Part of a long text after which another one is compared to the secrets, so that all comparisons take as long as reading. */
const comparedPart = 16;

/** Returns the search for texts of one length, by a rolling hash (Rabin-Karp). */
const createSearch = (length: number, texts: ReadonlyMap<string, Place>) => {
  const bits = Math.max(leastBits, Math.ceil(Math.log2(texts.size * filterSize)));
  const filter = new Uint8Array(2 ** bits);
  for (const text of texts.keys()) filter[toPlace(hashText(text), bits)] = 1;
  let leading = 1;
  for (let at = 0; at < length; at += 1) leading = Math.imul(leading, base);
  // A position just after a long text that was found is not compared: the rest of that text is not whole.
  const step = length > partLength ? Math.ceil(length / comparedPart) : 1;
  const starts = [...new Set([...texts.keys()].map((known) => known.slice(0, shortestInText)))];
  const mayHave = (text: string): boolean =>
    starts.length > maxStarts || starts.some((start) => text.includes(start));
  return (text: string): FoundSecret[] => {
    if (text.length < length || !mayHave(text)) return [];
    const found: FoundSecret[] = [];
    let hash = 0;
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at));
      if (at >= length) hash = (hash - Math.imul(text.charCodeAt(at - length), leading)) | 0;
      const start = at - length + 1;
      if (start < from || filter[toPlace(hash, bits)] !== 1) continue;
      const place = texts.get(text.slice(start, at + 1));
      if (!place) continue;
      found.push({ start, end: at + 1, ...place });
      from = start + step;
    }
    return found;
  };
};

/** Replaces the parts of a text that are in secrets: those that overlap, together. */
export const replaceFound = (
  text: string,
  found: readonly FoundSecret[],
  replace: (parts: readonly FoundSecret[]) => string,
): string => {
  let shown = "";
  let end = 0;
  for (const parts of joinOverlapping(found)) {
    shown += text.slice(end, parts.start) + replace(parts.parts);
    end = parts.end;
  }
  return end === 0 ? text : shown + text.slice(end);
};

type JoinedParts = { start: number; end: number; parts: FoundSecret[] };

const joinOverlapping = (found: readonly FoundSecret[]): readonly JoinedParts[] => {
  const joined: JoinedParts[] = [];
  for (const part of found) {
    const last = joined.at(-1);
    if (last && part.start < last.end) {
      last.end = Math.max(last.end, part.end);
      last.parts.push(part);
    } else joined.push({ start: part.start, end: part.end, parts: [part] });
  }
  return joined;
};

/** Returns the last position at or before `end` that is not inside of what was found. */
export const lastOutside = (found: readonly FoundSecret[], end: number): number =>
  joinOverlapping(found).find((parts) => parts.start < end && end < parts.end)?.start ?? end;
