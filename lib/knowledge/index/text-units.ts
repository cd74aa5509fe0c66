import { boundedPieces } from "../sources/bounded-pieces.ts";

/** A part of a text that chunks do not divide: a heading, or a sentence with the white space behind it. */
export type TextUnit = {
  readonly text: string;
  readonly begins: "section" | "paragraph" | "sentence";
  /** The text of a heading, without its marks. */
  readonly heading?: string | undefined;
};

const marks = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
/** Characters of a unit; ICU's segmentation of one very long run of text is slow. */
const maxUnitLength = 2_000;
/** Characters of a heading, which every chunk of its section has. */
const maxHeadingLength = 300;

/** Divides a text into units, in order; together they are the text. Holds at most a piece of 32 KiB in memory. */
export async function* textUnits(
  text: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<TextUnit> {
  let begins: TextUnit["begins"] = "section";
  for await (const piece of boundedPieces(text)) {
    for (const line of splitLines(piece)) {
      if (line.trim() === "") {
        yield { text: line, begins: "sentence" };
        begins = "paragraph";
      } else if (marks.test(line)) {
        yield { text: line, begins: "section", heading: parseHeading(line) };
        begins = "sentence";
      } else {
        for (const sentence of splitSentences(line)) {
          yield { text: sentence, begins };
          begins = "sentence";
        }
      }
    }
  }
}

const parseHeading = (line: string): string => {
  const heading = line.replace(marks, "").trim();
  return heading.slice(0, maxHeadingLength).replace(/[\uD800-\uDBFF]$/, "");
};

/** Splits behind each line's end. */
function* splitLines(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    yield text.slice(start, end + 1);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start);
}

function* splitSentences(line: string): Generator<string> {
  for (let start = 0; start < line.length; ) {
    const part = line.slice(start, findPartEnd(line, start));
    for (const { segment } of sentences.segment(part)) yield segment;
    start += part.length;
  }
}

/** Returns where a part of at most `maxUnitLength` characters ends: behind a space where there is one. */
const findPartEnd = (line: string, start: number): number => {
  const end = start + maxUnitLength;
  if (end >= line.length) return line.length;
  const space = line.lastIndexOf(" ", end);
  if (space > start + maxUnitLength / 2) return space + 1;
  const unit = line.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
};
