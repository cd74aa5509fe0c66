import { type PurgeStep, purgeItems, purgeObjects } from "../../platform/deletion/purge.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import type { PurgeDatasetMessage } from "../messages.ts";
import { listStoredKeys } from "./example-store.ts";
import { exampleObjects } from "./keys.ts";

/** Returns the steps that delete the examples of a dataset, in all versions. */
export const purgeDataset = ({
  tenantId,
  contentId,
}: PurgeRef<PurgeDatasetMessage>): readonly PurgeStep[] => [
  purgeItems({ list: (db) => listStoredKeys(db, tenantId, contentId) }),
  purgeObjects(exampleObjects(tenantId, contentId)),
];
