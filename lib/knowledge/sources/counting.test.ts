import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { beforeAll, expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { boundedPieces } from "./bounded-pieces.ts";
import { chunkCount } from "./chunk-count.ts";
import { loadTokenCounter, type TokenCounter } from "./token-counter.ts";

let count: TokenCounter;
beforeAll(async () => {
  count = await loadTokenCounter();
});

const directly = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

const inPieces = async (pieces: Iterable<string>, pieceLength?: number): Promise<number> => {
  let tokens = 0;
  for await (const piece of boundedPieces(pieces, pieceLength)) tokens += count(piece);
  return tokens;
};

/**
 * Characters that the encoding treats specially: letters of both cases, marks, contractions,
 * digits, ends of lines, pairs.
 */
const letters = [
  "a",
  "B",
  "é",
  "e\u0301",
  "漢",
  "ǅ",
  "ʰ",
  "한",
  "न",
  "ि",
  "𝐀",
  "𠀀",
  "'s",
  "'LL",
  "'",
  "’",
];
const others = [
  "1",
  "23",
  "٣",
  "½",
  " ",
  "  ",
  "\t",
  "\u00a0",
  "\u2028",
  "\n",
  "\r\n",
  "\r",
  "/",
  "!",
  "==",
  "😀",
  "👩‍👩‍👧",
  "\u200b",
  "<|endoftext|>",
  "\u0000",
];
/** Words that are one token as a whole, or that end in a line's end and a slash. */
const whole = [" don't", " I'm", " can't", " it's", "*/\n\n/", ";\n/", "//\n/"];
const nasty = fc.array(fc.constantFrom(...letters, ...others, ...whole), { maxLength: 60 });

/**
 * Long enough to be cut several times, and without runs that are long enough to be counted in
 * parts.
 */
const long = (parts: readonly string[]): string => {
  const text = [...parts, ". 1"].join("");
  return text.repeat(Math.ceil(9_000 / text.length));
};

test("the tokens of the pieces are those of the whole text, wherever it is cut", {
  tags: "nightly",
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(nasty, fc.integer({ min: 1, max: 5_000 }), async (parts, size) => {
      const text = long(parts);
      const given = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(await inPieces(given, 600)).toBe(directly(text));
    }),
    { numRuns: propertyRuns(300, 60) },
  );
});

test("a text in single characters has the same tokens", async () => {
  const text = long(["It's 1 word—", "漢字 ", "😀", "\n\n", "  x"]).repeat(8).slice(0, 70_001);
  expect(await inPieces(text.split(""))).toBe(directly(text));
});

test("names of special tokens are ordinary text", async () => {
  expect(await inPieces(["a <|endoftext|> b<|endofprompt|>"])).toBe(
    directly("a <|endoftext|> b<|endofprompt|>"),
  );
  expect(directly("<|endoftext|>")).toBeGreaterThan(1);
});

test.each([
  ["one letter", "a"],
  ["an ideograph", "漢"],
  ["spaces", " "],
  ["ends of lines", "\n"],
  ["signs", "="],
  ["emoji", "😀"],
  ["marks", "\u0301"],
  ["signs and ends of lines", "=\n"],
  ["letters and marks", "a\u0301"],
])(
  "a megabyte of %s has no word of more than 1,100 characters, and at most 1 in 100 tokens off",
  { tags: "nightly" },
  async (_, character) => {
    const text = character.repeat(Math.ceil(1_000_000 / character.length));
    // The encoder merges within each word in time by its length squared.
    for await (const piece of boundedPieces([text])) {
      const words = [...piece.matchAll(O200K_TOKEN_SPLIT_REGEX)];
      expect(Math.max(...words.map(([word]) => [...word].length))).toBeLessThanOrEqual(1_100);
    }
    const tokens = await inPieces([text]);
    const sample = directly(character.repeat(8_192 / character.length));
    const expected = (sample * 1_000_000) / 8_192;
    expect(Math.abs(tokens - expected) / expected).toBeLessThan(0.01);
  },
);

test("no piece of letters alone is long, and none ends within a character", async () => {
  const text = "𠀀".repeat(100_000);
  for await (const piece of boundedPieces([text.slice(0, 40_001), text.slice(40_001)])) {
    expect(piece.length).toBeLessThanOrEqual(1_024);
    expect(piece.isWellFormed()).toBe(true);
  }
});

test("chunks are the windows that cover the tokens", () => {
  const windows = (tokens: number, size: number, overlap: number): number => {
    let windowCount = 0;
    for (let start = 0; start < tokens; start += size - overlap) {
      windowCount += 1;
      if (start + size >= tokens) break;
    }
    return windowCount;
  };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 1, max: 600 }),
      fc.nat(599),
      (tokens, size, overlap) => {
        fc.pre(overlap < size);
        expect(chunkCount(tokens, { size, overlap })).toBe(windows(tokens, size, overlap));
      },
    ),
  );
  const usual = { size: 512, overlap: 64 };
  expect([0, 1, 512, 513, 960, 961].map((tokens) => chunkCount(tokens, usual))).toEqual([
    0, 1, 1, 2, 2, 3,
  ]);
});
