import fc from "fast-check";
import { expect, test } from "vitest";
import type { SourceDocument } from "../../vendors/source.ts";
import { chunkCount } from "./chunk-count.ts";
import { countDocuments, TooManyDocuments } from "./count-documents.ts";
import { createTally } from "./tally.ts";

const chunking = { size: 512, overlap: 64 };
const noLimit = () => ({
  signal: new AbortController().signal,
  check: () => undefined,
  charge: () => undefined,
});

/** A counter for which every character is a token. */
const characters = (piece: string): number => piece.length;

const counted = async (documents: AsyncIterable<SourceDocument>, limit = noLimit()) => {
  const tally = createTally(chunking);
  await countDocuments(documents, { tally, count: characters, limit });
  return tally;
};

async function* generateDocuments(lengths: readonly number[]): AsyncGenerator<SourceDocument> {
  for (const [at, length] of lengths.entries()) {
    yield { fileName: `${at}`, text: ["x ".repeat(length).slice(0, length)] };
  }
}

test("the totals are the sums of the documents, which keep their order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5_000), { maxLength: 20 }), async (lengths) => {
      const tally = await counted(generateDocuments(lengths));
      const sum = (numbers: readonly number[]) => numbers.reduce((left, right) => left + right, 0);
      expect(tally.documents.map(({ tokenCount }) => tokenCount)).toEqual(lengths);
      expect(tally.totals()).toEqual({
        tokenCount: sum(lengths),
        chunkCount: sum(lengths.map((length) => chunkCount(length, chunking))),
        documentCount: lengths.length,
      });
    }),
    { numRuns: 50 },
  );
});

test("10,000 documents of 20 kB are counted without being held in memory", {
  tags: "nightly",
}, async () => {
  const text = "some words ".repeat(2_000);
  async function* documents(): AsyncGenerator<SourceDocument> {
    for (let at = 0; at < 10_000; at += 1) {
      yield { fileName: `${at}.md`, text: [Buffer.from(`${at} ${text}`).toString()] };
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
  }
  let most = 0;
  const before = process.memoryUsage().heapUsed;
  expect((await counted(documents())).totals().documentCount).toBe(10_000);
  expect(most - before).toBeLessThan(100 * 1024 * 1024);
});

test("more documents than fit in a response are refused: by number, and by the length of their names", {
  tags: "nightly",
}, async () => {
  const one = (at: number) => ({ fileName: `${at}`, text: [] });
  async function* many(count: number, name = ""): AsyncGenerator<SourceDocument> {
    for (let at = 0; at < count; at += 1) yield { ...one(at), fileName: `${name}${at}` };
  }
  expect((await counted(many(20_000))).totals().documentCount).toBe(20_000);
  await expect(counted(many(20_001))).rejects.toBeInstanceOf(TooManyDocuments);
  await expect(counted(many(15_000, "漢".repeat(190)))).rejects.toBeInstanceOf(TooManyDocuments);
});

test("a long name is cut to 200 whole characters", async () => {
  async function* documents(): AsyncGenerator<SourceDocument> {
    yield { fileName: `x${"😀".repeat(300)}`, text: [] };
  }
  const [document] = (await counted(documents())).documents;
  expect(document?.fileName.length).toBe(199);
  expect(document?.fileName.isWellFormed()).toBe(true);
});

test("a source that never yields its next document is aborted on timeout", async () => {
  const ended = new AbortController();
  const reason = new Error("enough");
  async function* documents(): AsyncGenerator<SourceDocument> {
    yield { fileName: "one", text: ["x"] };
    ended.abort(reason);
    await new Promise(() => {});
  }
  const limit = { signal: ended.signal, check: () => undefined, charge: () => undefined };
  await expect(counted(documents(), limit)).rejects.toBe(reason);
});

test("a source is closed when its documents cannot be counted", async () => {
  let isClosed = false;
  async function* documents(): AsyncGenerator<SourceDocument> {
    try {
      yield { fileName: "one", text: failing() };
    } finally {
      isClosed = true;
    }
  }
  async function* failing(): AsyncGenerator<string> {
    yield "x";
    throw new Error("broken");
  }
  await expect(counted(documents())).rejects.toThrow("broken");
  expect(isClosed).toBe(true);
});
