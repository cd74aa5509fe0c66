import { getAsset } from "../asset/store.ts";
import type { IndexTextDeps } from "../document/index-text.ts";
import { markSeen } from "../document/store.ts";
import type { SyncAssetMessage } from "../messages.ts";
import { type StartSyncDeps, syncWaitMs } from "./start-sync.ts";
import type { SourceView } from "./sync-documents.ts";
import type { SyncRun } from "./sync-run.ts";
import { releaseSync } from "./sync-store.ts";

const marksAtOnce = 25;

/**
 * Hands a synchronization over to the next worker when its time is over. Marks the documents that
 * were read and had not changed, so that the next worker does not read them. Returns false, and
 * does nothing, when the run made no progress.
 */
export const continueLater = async (
  deps: IndexTextDeps & StartSyncDeps,
  {
    run,
    view: { compared, target },
    message,
  }: { run: SyncRun; view: SourceView; message: SyncAssetMessage },
): Promise<boolean> => {
  const { tenantId, assetId } = run.owner;
  const before = await getAsset(deps.db, tenantId, assetId);
  await run.update();
  const documentCount = run.progress.documentsIndexed + run.progress.documentsRemoved;
  if (compared.size === 0 && documentCount === (before?.sync?.doneBefore ?? 0)) return false;
  const ids = [...compared];
  for (let start = 0; start < ids.length; start += marksAtOnce) {
    const part = ids.slice(start, start + marksAtOnce);
    await Promise.all(part.map((id) => markSeen(deps.db, target.place, id, target.seenIn)));
  }
  const sentAt = deps.clock();
  const waiting = { leaseUntil: sentAt + syncWaitMs, sentAt, doneBefore: documentCount };
  const handed = await releaseSync(deps.db, run.owner, waiting);
  if (handed) await deps.send("syncs", tenantId, message);
  return true;
};
