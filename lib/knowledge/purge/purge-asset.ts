import { type PurgeStep, purgeObjects } from "../../platform/deletion/purge.ts";
import { purgeList } from "../../platform/deletion/purge-list.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { removeDueSync } from "../asset/due-store.ts";
import { chunksPrefix, startedPrefix } from "../document/document-item.ts";
import { removeVectors } from "../document/remove-contents.ts";
import { listStoredDocuments, removeDocuments } from "../document/store.ts";
import type { VectorStore } from "../index/vector-store.ts";
import type { PurgeAssetMessage } from "../messages.ts";

/** Returns the steps that delete the vectors, texts, documents and files of an asset. */
export const purgeAsset = (
  { tenantId, indexId }: PurgeRef<PurgeAssetMessage>,
  vectors: VectorStore,
): readonly PurgeStep[] => [
  (run) =>
    purgeList(
      listStoredDocuments(run.db, tenantId, indexId),
      async (documents) => {
        await removeVectors(vectors, indexId, documents);
        await removeDocuments(run.db, { tenantId, indexId }, documents);
      },
      run,
    ),
  purgeObjects(chunksPrefix({ tenantId, indexId })),
  purgeObjects(startedPrefix({ tenantId, indexId })),
  async ({ db }) => {
    await removeDueSync(db, { tenantId, indexId });
    return "done";
  },
];
