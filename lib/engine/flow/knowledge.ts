import type { JsonObject } from "../../values/json/json.ts";
import type { Cost } from "../models/model.ts";

/** An asset that a revision names; flows may search those and no others. */
export type FlowAsset = { readonly id: string; readonly displayName: string | null };

/** A search in assets. */
export type KnowledgeQuery = {
  readonly assetIds: readonly string[];
  readonly query: string;
  readonly topK: number;
  readonly filter: JsonObject;
  readonly signal: AbortSignal;
};

/** A passage of a document; `score` is from 0 to 1. */
export type Passage = {
  readonly assetId: string;
  readonly documentId: string;
  readonly documentName: string;
  readonly text: string;
  readonly score: number;
  readonly link: string | null;
};

/** The embedding of a query, which counts as a call of its model. */
export type QueryEmbedding = {
  readonly providerId: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cost: Cost;
  readonly priced: boolean;
};

/** Searches the assets of a tenant. */
export type Knowledge = {
  /** Returns the best passages first. Throws a ToolError for an invalid filter, an UpstreamError when a model fails. */
  search(
    query: KnowledgeQuery,
  ): Promise<{ passages: readonly Passage[]; embeddings: readonly QueryEmbedding[] }>;
};

/** Maximum citations of a step, and of an execution. */
export const maxCitations = 50;

/** Returns the first `maxCitations` passages without duplicates, as citations. */
export const toCitations = (passages: readonly Passage[]): readonly Passage[] => {
  const found = new Map<string, Passage>();
  for (const { assetId, documentId, documentName, link, text, score } of passages) {
    if (found.size >= maxCitations) break;
    const key = JSON.stringify([assetId, documentId, text]);
    if (!found.has(key)) {
      found.set(key, { assetId, documentId, documentName, link, text, score });
    }
  }
  return [...found.values()];
};
