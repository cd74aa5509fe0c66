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

/** A document that an answer is based on. */
export type Citation = {
  readonly assetId: string;
  readonly documentName: string;
  readonly link: string | null;
};
