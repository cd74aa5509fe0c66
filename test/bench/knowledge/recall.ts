import { embedWords } from "../../../lib/engine/models/embed-words.ts";
import { createModelRegistry } from "../../../lib/engine/models/registry.ts";
import { splitText } from "../../../lib/knowledge/index/split-text.ts";
import { scoreWords } from "../../../lib/knowledge/search/score-words.ts";
import { searchAssets } from "../../../lib/knowledge/search/search-assets.ts";
import { loadTokenCounter } from "../../../lib/knowledge/sources/token-counter.ts";
import type { Cell } from "../table.ts";
import { type BenchAsset, readPages } from "./documents.ts";
import { questions } from "./questions.ts";

const topK = 5;

/** Measures how many questions have a passage of the right page among the first five, by each way of searching. */
export const measureRecall = async ({ tenant, asset, deps }: BenchAsset): Promise<Cell[][]> => {
  const count = await loadTokenCounter();
  const chunks: { page: string; text: string; vector: number[] }[] = [];
  for (const [page, text] of readPages()) {
    for await (const chunk of splitText([text], { chunking: deps.chunking, count })) {
      chunks.push({ page, text: chunk.text, vector: embedWords(chunk.text) });
    }
  }
  const texts = chunks.map(({ page, text }) => `${page}\n${text}`);
  const best = (scores: readonly number[]): string[] =>
    chunks
      .map(({ page }, at) => ({ page, score: scores[at] ?? 0 }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, topK)
      .map(({ page }) => page);
  const ways: Record<string, (question: string) => Promise<string[]> | string[]> = {
    "vector alone": (question) => {
      const query = embedWords(question);
      return best(chunks.map(({ vector }) => product(query, vector)));
    },
    "words alone (BM25)": (question) => best(scoreWords(question, texts)),
    hybrid: async (query) => {
      const search = { assetIds: [asset.id], query, topK, filter: {} };
      const { passages } = await searchAssets(
        { ...tenant.deps, models: createModelRegistry() },
        {
          tenantId: tenant.ctx.tenant.id,
          search: { ...search, signal: new AbortController().signal },
        },
      );
      return passages.map(({ documentName }) => documentName);
    },
  };
  const rows: Cell[][] = [];
  for (const [way, search] of Object.entries(ways)) {
    let right = 0;
    for (const [question, page] of questions) {
      if ((await search(question)).includes(page)) right += 1;
    }
    rows.push([`recall at ${topK}, ${way}`, right / questions.length]);
  }
  return rows;
};

const product = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
