import type { JsonObject } from "../../values/json/json.ts";
import type { Cost } from "../models/model.ts";

/** An asset that a revision names; flows may search those, those of their skills, and no others. */
export type FlowAsset = { readonly id: string; readonly displayName: string | null };

/** A search in assets. */
export type KnowledgeQuery = {
  readonly assetIds: readonly string[];
  readonly query: string;
  readonly topK: number;
  readonly filter: JsonObject;
  readonly signal: AbortSignal;
  /** Those of the assets that may be missing; the others must exist. */
  readonly optional?: readonly string[];
};

/** An optional asset of a search that has no texts; `detail` is the rest of a sentence about it. */
export type UnavailableAsset = { readonly assetId: string; readonly detail: string };

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

/** The result of a search, the best passages first. */
export type FoundKnowledge = {
  readonly passages: readonly Passage[];
  readonly embeddings: readonly QueryEmbedding[];
  readonly unavailable?: readonly UnavailableAsset[];
};

/** A request for a part of a text. */
export type KnowledgeRead = {
  readonly assetId: string;
  /** Name or id of a document; not needed for an asset with one document. */
  readonly document: string | undefined;
  /** The first character; of a list of documents, the first document. */
  readonly offset: number;
  readonly maxLength: number;
};

/** A part of a document's text; or some documents of an asset with several, if the request named none. */
export type KnowledgePart = {
  /** Where the next part begins; null after the last one. */
  readonly nextOffset: number | null;
} & (
  | { readonly documentName: string; readonly text: string; readonly length: number }
  | { readonly documents: readonly { readonly id: string; readonly name: string }[] }
);

/** Searches and reads the assets of a tenant. */
export type Knowledge = {
  /** Throws a ToolError for an invalid filter, an UpstreamError when a model fails. */
  search(query: KnowledgeQuery): Promise<FoundKnowledge>;
  /** Throws a ToolError for an asset or a document that does not exist or is not indexed. */
  read(request: KnowledgeRead): Promise<KnowledgePart>;
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
