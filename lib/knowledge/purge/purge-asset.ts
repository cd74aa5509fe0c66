import type { Database } from "../../platform/db/database.ts";
import type { PurgedObjects } from "../../platform/db/large-value.ts";
import { purgeList } from "../../platform/db/purge-list.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { deleteTombstone, getDeletedAsset } from "../asset/deletion-store.ts";
import { removeDueSync } from "../asset/due-store.ts";
import { requestPurge } from "../asset/request-purge.ts";
import { chunksPrefix, startedPrefix } from "../document/document-item.ts";
import { removeVectors } from "../document/remove-contents.ts";
import { listAllDocuments, removeDocuments } from "../document/store.ts";
import type { PurgeAssetMessage } from "../messages.ts";
import type { VectorStore } from "../vectors/store.ts";

/** Deletes the subscriptions of an asset; "more" when time ran out. */
export type RemoveSubscriptions = (
  db: Database,
  tenantId: TenantId,
  subscriber: { type: "Asset"; id: string },
  isTimeOver: () => boolean,
) => Promise<"done" | "more">;

/** Dependencies of a purge. `until`: when to stop, Unix milliseconds. */
export type PurgeAssetDeps = {
  readonly db: Database;
  readonly objects: PurgedObjects;
  readonly vectors: VectorStore;
  readonly send: Send;
  readonly clock: Clock;
  readonly until: number;
  readonly removeSubscriptions: RemoveSubscriptions;
};

/**
 * Removes the vectors, texts, documents, files and subscriptions of a deleted asset; a no-op for an existing one. Idempotent;
 * requests another run when time runs out, and when a synchronization may still write.
 */
export const purgeAsset = async (
  { tenantId, assetId, indexId }: Omit<PurgeAssetMessage, "type">,
  { db, objects, vectors, send, clock, until, removeSubscriptions }: PurgeAssetDeps,
): Promise<void> => {
  const deleted = await getDeletedAsset(db, tenantId, { assetId, indexId });
  if (!deleted) return;
  const isTimeOver = () => clock() >= until;
  const outcomes = [
    await removeSubscriptions(db, tenantId, { type: "Asset", id: assetId }, isTimeOver),
    await purgeList(
      listAllDocuments(db, tenantId, indexId),
      async (documents) => {
        await removeVectors(vectors, indexId, documents);
        await removeDocuments(db, { tenantId, indexId }, documents);
      },
      { isTimeOver },
    ),
  ];
  if (outcomes.includes("more")) return requestPurge(send, tenantId, { assetId, indexId });
  await objects.removeUnder(chunksPrefix({ tenantId, indexId }));
  await objects.removeUnder(startedPrefix({ tenantId, indexId }));
  const busyMs = deleted.busyUntil - clock();
  if (busyMs > 0) return requestPurge(send, tenantId, { assetId, indexId }, busyMs);
  await removeDueSync(db, { tenantId, indexId });
  await deleteTombstone(db, tenantId, deleted);
};
