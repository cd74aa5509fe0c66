import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { wordDimension } from "../../../lib/engine/models/embed-words.ts";
import { createModelRegistry } from "../../../lib/engine/models/registry.ts";
import { chunksObject, vectorKey } from "../../../lib/knowledge/document/document-item.ts";
import { putNewDocument } from "../../../lib/knowledge/document/store.ts";
import { indexName } from "../../../lib/knowledge/index/index-name.ts";
import { searchAssets } from "../../../lib/knowledge/search/search-assets.ts";
import { median } from "../statistics.ts";
import type { BenchAsset } from "./documents.ts";
import { questions } from "./questions.ts";

const chunksOfDocument = 20;
const compress = promisify(gzip);

/** Adds documents of 20 chunks with random vectors until an asset has a number of them; `texts` are those of the chunks. */
export const fillTo = async (
  { tenant, asset }: BenchAsset,
  texts: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<void> => {
  const { db, objects, vectors } = tenant.deps;
  const place = { tenantId: tenant.ctx.tenant.id, indexId: asset.indexId };
  const index = indexName(place.tenantId, asset.embedding);
  await vectors.createIndex(index, wordDimension);
  const hash = "a-hash";
  for (let at = from; at < to; at += chunksOfDocument) {
    const documentId = `filled-${at}`;
    const chunks = Array.from({ length: chunksOfDocument }, (_, chunk) => ({
      text: texts[(at + chunk) % texts.length] ?? "",
      heading: null,
    }));
    await vectors.put(
      index,
      chunks.map((_, chunk) => ({
        key: vectorKey(place.indexId, { documentId, hash, chunk }),
        values: randomVector(),
        metadata: { asset: place.indexId, document: documentId, name: documentId },
      })),
    );
    await objects.put(
      chunksObject(place, { documentId, hash }),
      await compress(JSON.stringify(chunks)),
    );
    await putNewDocument(db, place, {
      documentId,
      name: documentId,
      link: null,
      metadata: {},
      version: null,
      status: "Indexed",
      error: null,
      indexed: { hash, index, chunkCount: chunksOfDocument, tokens: 0 },
      createdAt: 0,
      modifiedAt: 0,
    });
  }
};

/** Returns the median of searches in an asset and of the query of vectors alone, in milliseconds. */
export const searchTimes = async (
  { tenant, asset }: BenchAsset,
  searches: number,
): Promise<{ search: number; vectors: number }> => {
  const { vectors } = tenant.deps;
  const times: Record<"search" | "vectors", number[]> = { search: [], vectors: [] };
  const measured: Pick<typeof vectors, "query"> = {
    query: async (...of) => {
      const startedAt = performance.now();
      const found = await vectors.query(...of);
      times.vectors.push(performance.now() - startedAt);
      return found;
    },
  };
  const deps = { ...tenant.deps, vectors: measured, models: createModelRegistry() };
  for (let at = 0; at < searches; at += 1) {
    const [query = ""] = questions[at % questions.length] ?? [];
    const startedAt = performance.now();
    await searchAssets(deps, {
      tenantId: tenant.ctx.tenant.id,
      search: {
        assetIds: [asset.id],
        query: `${query} ${at}`,
        topK: 5,
        filter: {},
        signal: new AbortController().signal,
      },
    });
    times.search.push(performance.now() - startedAt);
  }
  return { search: median(times.search), vectors: median(times.vectors) };
};

const randomVector = (): number[] => {
  const values = Array.from({ length: wordDimension }, () => Math.random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
};
