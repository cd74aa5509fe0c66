import type { ManagedAsset } from "../asset/asset-item.ts";
import { recordEmbeddings } from "../asset/usage-store.ts";
import type { IndexKey } from "./document-item.ts";
import { createEmbedder, type EmbedderDeps } from "./embedder.ts";
import { type IndexTextDeps, indexText, type TextDocument } from "./index-text.ts";

/** Dependencies of indexing one document. */
export type IndexDocumentDeps = IndexTextDeps & EmbedderDeps;

/**
 * Indexes one document of an asset and counts the embedded tokens, those before a failure too. An unchanged document is
 * not embedded. The model is that of the index that is searched. Throws UpstreamError when the model fails; the earlier
 * text stays searchable.
 */
export const indexDocument = async (
  deps: IndexDocumentDeps,
  {
    asset,
    place,
    signal,
    document,
  }: { document: TextDocument; asset: ManagedAsset; place: IndexKey; signal: AbortSignal },
): Promise<{ documentId: string; tokens: number; embedded: boolean }> => {
  const embedding = asset.indexedWith ?? asset.embedding;
  const embedder = await createEmbedder(deps, { tenantId: place.tenantId, embedding, signal });
  const searched = embedder.index;
  try {
    const outcome = await indexText(deps, {
      target: { place, embedder, seenIn: "", searched },
      document,
    });
    return { documentId: document.documentId, ...outcome };
  } finally {
    const time = { id: asset.indexId, at: deps.clock() };
    const used = embedder.takeUsage();
    await recordEmbeddings(deps, place.tenantId, asset, { ...time, used });
  }
};
