import type { UnavailableAsset } from "../../engine/flow/knowledge.ts";
import type { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import type { Cost, ModelRegistry } from "../../engine/models/model.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type AssetItem, isManaged, type ManagedAsset } from "../asset/asset-item.ts";
import { describeUnavailable } from "../asset/describe-unavailable.ts";
import { getAssets } from "../asset/store.ts";
import { contentIn, type DocumentItem, readVectorKey } from "../document/document-item.ts";
import { getDocuments } from "../document/store.ts";
import { indexName } from "../index/index-name.ts";
import { maxFound, type VectorStore } from "../index/vector-store.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { inBatches } from "./in-batches.ts";
import { loadChunks } from "./load-chunks.ts";
import { scoreWords } from "./score-words.ts";
import { type SearchFilter, toVectorFilter } from "./search-filter.ts";
import { requireSearchable } from "./unsearchable.ts";

/** Dependencies of a search. */
export type SearchDeps = {
  readonly db: Database;
  readonly objects: Pick<ObjectStore, "get">;
  readonly vectors: Pick<VectorStore, "query">;
  readonly models: ModelRegistry;
  /** Counts the embeddings of a query; absent in an execution, because its trace counts them. */
  readonly countQuery?: ((used: readonly SearchEmbedding[]) => Promise<void>) | undefined;
};

/** A search in assets of a tenant. */
export type Search = {
  readonly assetIds: readonly string[];
  readonly query: string;
  readonly topK: number;
  readonly filter: SearchFilter;
  readonly signal: AbortSignal;
  /**
   * Whether assets that do not exist are refused (`refused`), and also those without a source (`all-refused`); both
   * are ignored by default.
   */
  readonly missing?: "refused" | "all-refused" | undefined;
  /** Those of the assets that are never refused; the result has those without texts. */
  readonly optional?: readonly string[] | undefined;
};

/** A passage that was found; `score` is from 0 to 1. */
export type FoundPassage = {
  assetId: string;
  documentId: string;
  documentName: string;
  chunk: number;
  text: string;
  score: number;
  link: string | null;
};

/** The embedding of a query by one model. */
export type SearchEmbedding = EmbeddingModel & {
  readonly inputTokens: number;
  readonly cost: Cost;
  readonly priced: boolean;
};

/** The best passages first, what the embeddings of the query cost, and the optional assets without texts. */
export type SearchResult = {
  passages: FoundPassage[];
  embeddings: SearchEmbedding[];
  unavailable: UnavailableAsset[];
};

/**
 * Searches assets: the vectors nearest to the query, ranked together with the words that the query
 * and their texts share. Throws UnsearchableAssets unless `missing` allows them, and an
 * UpstreamError when a model fails.
 */
export const searchAssets = async (
  deps: SearchDeps,
  { tenantId, search }: { tenantId: TenantId; search: Search },
): Promise<SearchResult> => {
  const ids = [...new Set(search.assetIds)];
  const named = await getAssets(deps.db, tenantId, ids);
  const { missing, optional = [] } = search;
  if (missing) {
    const ignoresSourceless = missing === "refused";
    const required = ids.filter((id) => !optional.includes(id));
    await requireSearchable(deps.db, tenantId, { ids: required, named, ignoresSourceless });
  }
  const assets = named.flatMap((asset) => (asset && isManaged(asset) ? [asset] : []));
  const groups = Map.groupBy(assets, (asset) => indexName(tenantId, selectModel(asset)));
  const embedded = await Promise.all(
    [...groups].map(([index, members]) => embedQuery(deps, index, members, search)),
  );
  const queries = embedded.filter((query) => query !== undefined);
  const embeddings = queries.map(({ embedding }) => embedding);
  const counting = deps.countQuery?.(embeddings);
  const searching = Promise.all(queries.map((query) => searchIndex(deps, query, search)));
  // A failed search waits for the count, too: the function may end with the response.
  await Promise.allSettled([counting, searching]);
  await counting;
  const candidates = await withTexts(deps, tenantId, assets, (await searching).flat());
  const unavailable = findUnavailable(optional, named);
  return { passages: rank(candidates, search), embeddings, unavailable };
};

const findUnavailable = (
  optional: readonly string[],
  named: readonly (AssetItem | undefined)[],
): UnavailableAsset[] =>
  optional.flatMap((assetId) => {
    const detail = describeUnavailable(named.find((asset) => asset?.id === assetId));
    return detail === undefined ? [] : [{ assetId, detail }];
  });

/** Returns the model of the index that is searched: the one before, until another has embedded all documents. */
const selectModel = ({ indexedWith, embedding }: ManagedAsset): EmbeddingModel =>
  indexedWith ?? embedding;

/** A chunk near to the query; `similarity` is from 0 to 1. */
type Near = {
  indexId: string;
  documentId: string;
  hash: string;
  chunk: number;
  similarity: number;
};

/** A query for the assets of one index. */
type EmbeddedQuery = {
  index: string;
  assets: readonly ManagedAsset[];
  values: readonly number[];
  embedding: SearchEmbedding;
};

/** Embeds a query by the model of an index; undefined when the provider does not exist any more. */
const embedQuery = async (
  { models }: SearchDeps,
  index: string,
  assets: readonly ManagedAsset[],
  { query, signal }: Search,
): Promise<EmbeddedQuery | undefined> => {
  const [first] = assets;
  const provider = first && (await models.resolve(selectModel(first).providerId));
  if (!first || !provider?.embed) return undefined;
  const { model, providerId } = selectModel(first);
  const { inputTokens, vectors } = await provider.embed({ model, texts: [query], signal });
  const usage = { inputTokens, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 };
  const { cost, priced } = await provider.price(model, usage);
  const embedding = { providerId, model, inputTokens, cost, priced };
  return { index, assets, values: vectors[0] ?? [], embedding };
};

const searchIndex = async (
  { vectors }: SearchDeps,
  { index, assets, values }: EmbeddedQuery,
  { filter }: Search,
): Promise<Near[]> => {
  const indexIds = assets.map(({ indexId }) => indexId);
  const found = await vectors.query(index, {
    values,
    topK: maxFound,
    filter: toVectorFilter(indexIds, filter),
  });
  return found.flatMap(({ key, distance }) => {
    const named = readVectorKey(key);
    return named ? [{ ...named, similarity: 1 - distance / 2 }] : [];
  });
};

type Candidate = Omit<FoundPassage, "score"> & { similarity: number };

/** Adds texts and names; leaves out what was reindexed or removed since. */
const withTexts = async (
  { db, objects }: SearchDeps,
  tenantId: TenantId,
  assets: readonly ManagedAsset[],
  near: readonly Near[],
): Promise<Candidate[]> => {
  const byIndex = new Map(assets.map((asset) => [asset.indexId, asset]));
  const documents = Map.groupBy(near, ({ indexId, documentId }) => `${indexId}/${documentId}`);
  const places = [...documents.values()].flatMap(([first]) => (first ? [first] : []));
  const items = await getDocuments(db, tenantId, places);
  const current = [...documents.values()].flatMap((chunks, at) => {
    const item = items[at];
    const asset = byIndex.get(chunks[0]?.indexId ?? "");
    return item && asset ? (toFound(tenantId, asset, item, chunks) ?? []) : [];
  });
  const candidates: Candidate[] = [];
  for (const batch of inBatches(current, ({ tokens }) => tokens + ownTokens, maxTokens)) {
    const loaded = await Promise.all(batch.map((found) => loadTexts(objects, tenantId, found)));
    candidates.push(...loaded.flat());
  }
  return candidates;
};

/** Limit of the tokens of documents that are loaded at the same time, and the overhead that a document counts. */
const maxTokens = 2_000_000;
const ownTokens = 10_000;

/** The chunks that were found of a document's current text, which has `tokens`. */
type Found = {
  assetId: string;
  item: Pick<DocumentItem, "documentId" | "name" | "link">;
  indexId: string;
  hash: string;
  tokens: number;
  chunks: readonly Near[];
};

const toFound = (
  tenantId: TenantId,
  asset: ManagedAsset,
  item: DocumentItem,
  near: readonly Near[],
): Found | undefined => {
  const searched = contentIn(item, indexName(tenantId, selectModel(asset)));
  const chunks = near.filter(({ hash }) => hash === searched?.hash);
  if (!searched || chunks.length === 0) return undefined;
  const { hash, tokens } = searched;
  return { assetId: asset.id, item, indexId: asset.indexId, hash, tokens, chunks };
};

const loadTexts = async (
  objects: SearchDeps["objects"],
  tenantId: TenantId,
  { assetId, item, indexId, hash, chunks }: Found,
): Promise<Candidate[]> => {
  const { documentId, name: documentName, link } = item;
  const texts = await loadChunks(objects, { tenantId, indexId }, { documentId, hash });
  return chunks.flatMap(({ chunk, similarity }) => {
    const text = texts[chunk]?.text;
    const document = { assetId, documentId, documentName, link };
    return text === undefined ? [] : [{ ...document, chunk, text, similarity }];
  });
};

const rank = (candidates: readonly Candidate[], { query, topK }: Search): FoundPassage[] => {
  const scores = fuseRanks([
    candidates.map(({ similarity }) => similarity),
    scoreWords(
      query,
      candidates.map(({ text, documentName }) => `${documentName}\n${text}`),
    ),
  ]);
  return candidates
    .map(({ similarity: _similarity, ...passage }, at) => ({ ...passage, score: scores[at] ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, topK);
};
