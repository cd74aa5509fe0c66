/** Characters after which a piece ends at the last place where it may. */
const usualLength = 32 * 1024;
/** How far back from a piece's end a place to cut is looked for. */
const reach = 4_096;
/** Code points of one kind in a row that are counted as one. */
const longestRun = 512;

/**
 * Places that no token spans, whatever stands before and behind them. The encoding first splits a text into
 * words by a pattern (`O200K_TOKEN_SPLIT_PATTERN` of gpt-tokenizer), and merges bytes within each word alone:
 * no word goes on behind a letter by anything but letters, marks and an apostrophe, behind a digit by anything
 * but digits, from anything visible to a space, or from a line's end to a next line that does not start with "/".
 */
const safePlace =
  /(?<=\p{L})(?=[^\p{L}\p{M}'])|(?<=\p{N})(?=\P{N})|(?<=\S)(?=[^\S\r\n])|(?<=\n)(?=[^\s/])/uy;

/**
 * A text in pieces that are counted one by one: so that no more of it is held, and no piece takes long. Their
 * tokens add up to the tokens of the whole, but for runs of more than 512 letters, marks or signs without
 * anything between: these are cut after every 512, since merging them takes time by their length squared.
 */
export async function* boundedPieces(
  text: Iterable<string> | AsyncIterable<string>,
  pieceLength = usualLength,
): AsyncGenerator<string> {
  let rest = "";
  for await (const given of text) {
    for (let at = 0; at < given.length; at += pieceLength) {
      rest += given.slice(at, at + pieceLength);
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

/** The last place where a text may be cut; where there is none, the last between two characters. */
const lastPlace = (text: string): number => {
  // A pair whose second half is still to come is no character yet.
  const end = isHigh(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
  for (let at = end - 1; at > Math.max(0, end - reach); at -= 1) {
    if (isLow(text.charCodeAt(at))) continue;
    safePlace.lastIndex = at;
    if (safePlace.test(text)) return at;
  }
  return end;
};

const classes = [String.raw`[\p{L}\p{M}]`, String.raw`[^\s\p{L}\p{N}]`, String.raw`[\s/]`];
const longRuns = new RegExp(
  classes.map((each) => `(?<!${each})${each}{${longestRun + 1},}`).join("|"),
  "gu",
);
const parts = new RegExp(`[^]{1,${longestRun}}`, "gu");

function* withoutLongRuns(text: string): Generator<string> {
  let done = 0;
  if (!mayHaveLongRun(text)) {
    if (text !== "") yield text;
    return;
  }
  for (const { 0: run, index } of text.matchAll(longRuns)) {
    if (index < done) continue;
    if (index > done) yield text.slice(done, index);
    for (const [part] of run.matchAll(parts)) yield part;
    done = index + run.length;
  }
  if (done < text.length) yield text.slice(done);
}

const slash = 0x2f;
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
const isSpace = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);

/** False for most texts, several times faster than the pattern; what is not ASCII may belong to any run. */
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
    if (letters > longestRun || signs > longestRun || spaces > longestRun) return true;
  }
  return false;
};
