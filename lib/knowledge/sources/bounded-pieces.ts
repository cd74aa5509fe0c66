/** Characters after which a piece is cut at the last safe place. */
const defaultPieceLength = 32 * 1024;
/** Characters before a piece's end that are searched for a safe place. */
const searchWindow = 4_096;
/** Longest run of letters, signs or spaces that is encoded as a whole. */
const maxRunLength = 512;

/**
 * Matches places that no token spans. The encoding splits a text into words (`O200K_TOKEN_SPLIT_PATTERN` of
 * gpt-tokenizer) and merges bytes only within a word. In a word, a letter is followed by letters, marks or an
 * apostrophe, a digit by digits, a visible character by no space, and a line's end by no line unless it starts
 * with "/".
 */
const safePlace =
  /(?<=\p{L})(?=[^\p{L}\p{M}'])|(?<=\p{N})(?=\P{N})|(?<=\S)(?=[^\S\r\n])|(?<=\n)(?=[^\s/])/uy;

/**
 * Splits a text into pieces to count one at a time, which bounds memory and the time per piece. The pieces' tokens
 * add up to those of the text, except for runs of more than 512 letters, signs or spaces: these are cut every 512,
 * because encoding a run takes quadratic time.
 */
export async function* boundedPieces(
  text: Iterable<string> | AsyncIterable<string>,
  pieceLength = defaultPieceLength,
): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of text) {
    for (let at = 0; at < chunk.length; at += pieceLength) {
      rest += chunk.slice(at, at + pieceLength);
      if (rest.length < pieceLength) continue;
      const end = lastPlace(rest);
      yield* withoutLongRuns(rest.slice(0, end));
      rest = rest.slice(end);
    }
  }
  yield* withoutLongRuns(rest);
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns the last safe place to cut a text, or else the last place between two characters. */
const lastPlace = (text: string): number => {
  // Never cut between the halves of a surrogate pair.
  const end = isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
  for (let at = end - 1; at > Math.max(0, end - searchWindow); at -= 1) {
    if (isLow(text.charCodeAt(at))) continue;
    safePlace.lastIndex = at;
    if (safePlace.test(text)) return at;
  }
  return end;
};

const classes = [String.raw`[\p{L}\p{M}]`, String.raw`[^\s\p{L}\p{N}]`, String.raw`[\s/]`];
const longRuns = new RegExp(
  classes.map((characters) => `(?<!${characters})${characters}{${maxRunLength + 1},}`).join("|"),
  "gu",
);
const parts = new RegExp(`[^]{1,${maxRunLength}}`, "gu");

function* withoutLongRuns(text: string): Generator<string> {
  let nextIndex = 0;
  if (!mayHaveLongRun(text)) {
    if (text !== "") yield text;
    return;
  }
  for (const { 0: run, index } of text.matchAll(longRuns)) {
    if (index < nextIndex) continue;
    if (index > nextIndex) yield text.slice(nextIndex, index);
    for (const [part] of run.matchAll(parts)) yield part;
    nextIndex = index + run.length;
  }
  if (nextIndex < text.length) yield text.slice(nextIndex);
}

const slash = 0x2f;
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
const isSpace = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);

/** Rules out long runs several times faster than the pattern. Characters beyond ASCII count for every kind of run. */
const mayHaveLongRun = (text: string): boolean => {
  let [letters, signs, spaces] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) {
      letters += 1;
      signs += 1;
      spaces += 1;
    } else if (isLetter(unit)) {
      letters += 1;
      signs = spaces = 0;
    } else if (isSpace(unit)) {
      spaces += 1;
      letters = signs = 0;
    } else if (isDigit(unit)) letters = signs = spaces = 0;
    else {
      signs += 1;
      letters = 0;
      spaces = unit === slash ? spaces + 1 : 0;
    }
    if (letters > maxRunLength || signs > maxRunLength || spaces > maxRunLength) return true;
  }
  return false;
};
