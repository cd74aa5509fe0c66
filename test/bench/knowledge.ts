import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder } from "../../infra/local/data-folder.ts";
import { startEngine } from "../../infra/local/storage/dynoxide.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { createTable } from "../harness/create-table.ts";
import type { Topic } from "./bench.ts";
import { connectTable } from "./connect-table.ts";
import { type BenchAsset, createBenchAsset, readPages } from "./knowledge/documents.ts";
import { measureRecall } from "./knowledge/recall.ts";
import { fillTo, searchTimes } from "./knowledge/search-times.ts";
import { syncMemory } from "./knowledge/sync-memory.ts";
import type { Cell } from "./table.ts";

/** Documents that are indexed at a time, as in a synchronization. */
const atOnce = 4;

/**
 * Chunks indexed per second with the built-in model, the time of a search as the index grows, and its quality. Runs in
 * this process: the table is the local engine's, vectors are in the local engine of S3 Vectors, texts in memory.
 */
export const knowledge: Topic = async ({ short }) => {
  const folder = await mkdtemp(join(tmpdir(), "wharf-bench-"));
  const engine = await startEngine(openDataFolder(folder));
  try {
    const rows = await measure(await newTable(engine.endpoint), short);
    return {
      title: "knowledge: indexing and searching an asset",
      columns: ["measure", "value"],
      rows,
      notes: [
        "Chunks have 512 tokens, vectors 256 dimensions. A search reads the texts of 100 candidates.",
        "A synchronized document has 400 tokens; the heap includes garbage that is not collected yet.",
      ],
    };
  } finally {
    await engine.close();
    await rm(folder, { recursive: true });
  }
};

const newTable = async (endpoint: string): Promise<Database> => {
  const { client } = connectTable("", endpoint);
  return connectTable(await createTable(client), endpoint);
};

const measure = async (db: Database, short: boolean): Promise<Cell[][]> => {
  const pages = await createBenchAsset(db);
  const rows: Cell[][] = [["chunks indexed per second", await chunksPerSecond(pages, short)]];
  rows.push(...(await measureRecall(pages)));
  for (const documents of short ? [200] : [1_000, 20_000]) {
    const { first, unchanged, heap, resident } = await syncMemory(db, documents);
    rows.push(
      [`synchronization of ${documents} documents: s`, first],
      ["the same again, without changes: s", unchanged],
      ["heap grows by, MB", heap],
      ["memory of the process grows by, MB", resident],
    );
  }
  const filled = await createBenchAsset(db);
  const texts = readPages().map(([, text]) => text.slice(0, 2_000));
  let from = 0;
  for (const to of short ? [1_000] : [1_000, 10_000, 100_000]) {
    await fillTo(filled, texts, { from, to });
    from = to;
    const times = await searchTimes(filled, short ? 20 : 100);
    rows.push(
      [`search in ${to} chunks: p50, ms`, times.search],
      [`of which the query of vectors: p50, ms`, times.vectors],
    );
  }
  return rows;
};

/** Indexes the pages of docs several times over, with a change at their end every time. */
const chunksPerSecond = async ({ tenant, index }: BenchAsset, short: boolean): Promise<number> => {
  const pages = readPages();
  const texts = Array.from({ length: short ? 1 : 8 }, (_, round) =>
    pages.map(([name, text]): [string, string] => [name, `${text}${"\n".repeat(round)}`]),
  ).flat();
  const startedAt = performance.now();
  const before = tenant.deps.vectors.written();
  const left = texts.toReversed();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = left.pop(); next; next = left.pop()) await index(...next);
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return (tenant.deps.vectors.written() - before) / seconds;
};
