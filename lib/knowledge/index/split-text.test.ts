import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { loadTokenCounter, type TokenCounter } from "../sources/token-counter.ts";
import { type Chunk, splitText } from "./split-text.ts";

let count: TokenCounter;
beforeAll(async () => {
  count = await loadTokenCounter();
});

const split = async (text: string | string[], size: number, overlap: number) => {
  const chunks: Chunk[] = [];
  const chunking = { size, overlap };
  for await (const chunk of splitText([text].flat(), { chunking, count })) chunks.push(chunk);
  return chunks;
};

const sentence = "A sentence of seven words is here. ";

describe("chunks", () => {
  test("contain any text in order, within the maximum size", async () => {
    const words = fc
      .array(fc.constantFrom("Some words. ", "\n\n", "# Title\n", "a", "é", "💾", " ", "- item\n"))
      .map((parts) => parts.join(""));
    const text = fc.oneof(words, fc.string({ unit: "grapheme", maxLength: 400 }));
    const sizes = fc.tuple(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 0, max: 3 }));
    const bare = (value: string) => value.replaceAll(/\s/g, "");
    await fc.assert(
      fc.asyncProperty(text, sizes, async (all, [size, overlap]) => {
        const apart = await split(all, size, 0);
        expect(bare(apart.map((chunk) => chunk.text).join(""))).toBe(bare(all));
        const overlapping = await split(all, size, overlap);
        for (const { text: part, tokens, start } of [...apart, ...overlapping]) {
          expect(tokens).toBeLessThanOrEqual(size);
          expect(all.slice(start, start + part.length)).toBe(part);
        }
      }),
    );
  });

  test("do not depend on the pieces in which the text arrives", async () => {
    const text = `# One\n\n${sentence.repeat(40)}\n\n# Two\n\n${sentence.repeat(40)}`;
    expect(await split(text.match(/[\s\S]{1,7}/g) ?? [], 64, 8)).toEqual(await split(text, 64, 8));
  });

  test("end before a heading, else a paragraph, of their second half", async () => {
    const text = `${sentence.repeat(5)}\n\n## Next\n\n${sentence.repeat(5)}\n\n${sentence.repeat(2)}\n`;
    const chunks = await split(text, 64, 0);
    expect(chunks.map((chunk) => chunk.text)).toEqual([
      sentence.repeat(5).trim(),
      `## Next\n\n${sentence.repeat(5).trim()}`,
      sentence.repeat(2).trim(),
    ]);
    expect(chunks.map(({ heading }) => heading)).toEqual([null, "Next", "Next"]);
  });

  test("repeat the last sentences of the chunk before, but not across a heading", async () => {
    const parts = Array.from({ length: 12 }, (_, at) => `This is the sentence number ${at}. `);
    const [first, second] = await split(parts.join(""), 48, 10);
    const repeated = first?.text.split(". ").at(-1) ?? "";
    expect(repeated).toMatch(/^This is the sentence number \d+\.$/);
    expect(second?.text.startsWith(repeated)).toBe(true);
    const sections = await split(`# A\n${parts.slice(0, 5).join("")}\n# B\n${parts[6]}`, 48, 10);
    expect(sections.at(-1)?.text).toBe(`# B\n${parts[6]?.trim()}`);
  });

  test("a text without a word has none", async () => {
    expect(await split(" \n\n \t", 16, 4)).toEqual([]);
  });
});

test("the title of a section is cut to the beginning of a line of thousands of characters", async () => {
  const line = `# ${"A😀 long ".repeat(1_000)}\n\nText.`;
  const chunks = await Array.fromAsync(
    splitText([line], { chunking: { size: 50, overlap: 0 }, count: (text) => text.length }),
  );
  expect(chunks.length).toBeGreaterThan(100);
  for (const { heading } of chunks) {
    expect(heading?.length).toBeLessThanOrEqual(300);
    expect(heading?.isWellFormed()).toBe(true);
  }
});
