import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { countDocuments } from "../../lib/knowledge/sources/count-documents.ts";
import { createSourceFetch } from "../../lib/knowledge/sources/source-fetch.ts";
import { createTally } from "../../lib/knowledge/sources/tally.ts";
import { loadTokenCounter } from "../../lib/knowledge/sources/token-counter.ts";
import { createSource as createGithub } from "../../lib/vendors/github/source.ts";
import type { SourceDocument } from "../../lib/vendors/source.ts";
import { startSourceServer } from "../harness/source-server.ts";
import type { Topic } from "./bench.ts";
import { interleave } from "./interleave.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

const chunking = { size: 512, overlap: 64 };
const ordinary = { disallowedSpecial: new Set<string>() };
const megabyte = 1024 * 1024;

/** Throughput of an estimate compared to the tokenizer alone, and its memory as the number of documents grows. */
export const estimate: Topic = async ({ short }) => {
  const count = await loadTokenCounter();
  const text = readFileSync(new URL("../../docs/flows.md", import.meta.url), "utf8");
  const texts = Array.from({ length: 40 }, (_, at) => `${at} ${text}`);
  const tokens = texts.reduce((sum, text) => sum + countTokens(text, ordinary), 0);
  const times: Record<"ours" | "alone", number[]> = { ours: [], alone: [] };
  await interleave(
    [
      async () => times.ours.push(await timed(() => counted(toDocuments(texts), count))),
      async () =>
        times.alone.push(
          await timed(async () => {
            for (const text of texts) countTokens(text, ordinary);
          }),
        ),
    ],
    { turns: 15, seconds: short ? 0.5 : 3 },
  );
  const perSecond = (times: number[]): number => Math.round((tokens / median(times)) * 1_000);
  const rows: Cell[][] = [
    ["tokens per second, estimate", perSecond(times.ours)],
    ["tokens per second, tokenizer alone", perSecond(times.alone)],
  ];
  for (const documents of short ? [100, 1_000] : [100, 1_000, 10_000]) {
    rows.push([
      `${documents} documents of 4 KB over HTTP: heap grows by, MB`,
      await measureHeap(documents),
    ]);
  }
  return {
    title: "estimate: counting an asset source",
    columns: ["measure", "value"],
    rows,
    notes: ["The heap includes garbage that is not collected yet, and the fake source's own work."],
  };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

async function* toDocuments(texts: readonly string[]): AsyncGenerator<SourceDocument> {
  for (const [at, text] of texts.entries()) yield { fileName: `${at}`, text: [text] };
}

const counted = async (
  documents: AsyncIterable<SourceDocument>,
  count: (piece: string) => number,
): Promise<void> => {
  const { signal } = new AbortController();
  const limit = { signal, check: () => undefined, charge: () => undefined };
  await countDocuments(documents, { tally: createTally(chunking), count, limit });
};

/** Returns the maximum growth of the heap, in MB, while a repository of that many files is counted. */
const measureHeap = async (documents: number): Promise<number> => {
  const text = "Some words that stand for a text. ".repeat(120);
  const files = Object.fromEntries(
    Array.from({ length: documents }, (_, at) => [`${at}.md`, `${at} ${text}`]),
  );
  const server = await startSourceServer({ files });
  const { signal } = new AbortController();
  const fetch = createSourceFetch({
    outgoing: { allowPrivateAddresses: true },
    clock: Date.now,
    sleep,
    until: Date.now() + 600_000,
    signal,
  });
  const source = createGithub({ apiUrl: server.url });
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }, 10);
  try {
    const read = source.read(
      { repository: "acme/app", ref: "trunk" },
      { fetch, signal, charge: () => undefined },
    );
    await counted(read, await loadTokenCounter());
  } finally {
    clearInterval(watch);
    await server.close();
  }
  return most / megabyte;
};
