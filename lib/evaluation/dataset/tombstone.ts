import * as z from "zod";
import type { TombstoneKind } from "../../platform/deletion/tombstone.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import type { PurgeDatasetMessage } from "../messages.ts";
import { deletedDatasetKey } from "./keys.ts";

/** A deleted dataset that is not purged yet. */
export const DatasetTombstone = z.object({
  datasetId: z.string(),
  contentId: z.string(),
  /** Until when a change may still write examples. */
  busyUntil: Timestamp,
});
export type DatasetTombstone = z.output<typeof DatasetTombstone>;

/** TENANT#t#DATASETS#DELETED / id#content: a deleted dataset that is not purged. */
export const datasetTombstones: TombstoneKind<PurgeDatasetMessage, DatasetTombstone> = {
  type: "purge-dataset",
  key: ({ tenantId, datasetId, contentId }) => deletedDatasetKey(tenantId, datasetId, contentId),
  schema: DatasetTombstone,
  busyUntil: ({ busyUntil }) => busyUntil,
};
