import type { Database } from "../../platform/db/database.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { DatasetItem, type Write } from "./dataset-item.ts";
import { datasetKey } from "./keys.ts";
import { getDataset } from "./store.ts";

/** Time after which a change counts as crashed: a function's timeout, and a margin for clock skew. */
const writeMs = 40_000;

/** A dataset, and the change of it that the caller makes. */
export type ClaimedDataset = { dataset: DatasetItem; write: Write };

/**
 * TENANT#t#DATASETS / id: claims the next version of a dataset, so that one change at a time is made. A change that
 * crashed is abandoned: its version is never used. Returns "changed" while another change is made; undefined without a
 * dataset.
 */
export const claimWrite = async (
  db: Database,
  tenantId: TenantId,
  datasetId: string,
  { id, now }: { id: string; now: number },
): Promise<ClaimedDataset | "changed" | undefined> => {
  const before = await getDataset(db, tenantId, datasetId);
  if (!before) return undefined;
  if (before.write && before.write.until > now) return "changed";
  const abandoned = before.write ? [...before.abandoned, before.write.version] : before.abandoned;
  const version = Math.max(before.version, ...abandoned) + 1;
  const write = { id, version, until: now + writeMs };
  const dataset = await patchItem(db, datasetKey(tenantId, datasetId), DatasetItem, {
    set: { write, abandoned },
    expect: { version: before.version, write: before.write, contentId: before.contentId },
  });
  return dataset ? { dataset, write } : "changed";
};

/** Makes a change visible; undefined when its claim was lost. */
export const publishWrite = (
  db: Database,
  tenantId: TenantId,
  { dataset, write }: ClaimedDataset,
  { exampleCount, now }: { exampleCount: number; now: number },
): Promise<DatasetItem | undefined> =>
  patchItem(db, datasetKey(tenantId, dataset.id), DatasetItem, {
    set: { version: write.version, exampleCount, write: null, modifiedAt: now },
    expect: { write },
  });

/**
 * Gives a claim back, so that the next change need not wait until it expires.
 * @param isWritten abandons the version, since some of its rows may exist
 */
export const releaseWrite = async (
  db: Database,
  tenantId: TenantId,
  { dataset, write }: ClaimedDataset,
  { isWritten }: { isWritten: boolean },
): Promise<void> => {
  const abandoned = isWritten ? [...dataset.abandoned, write.version] : dataset.abandoned;
  await patchItem(db, datasetKey(tenantId, dataset.id), DatasetItem, {
    set: { write: null, abandoned },
    expect: { write },
  });
};
