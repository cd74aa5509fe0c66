import * as z from "zod";
import { storedJson } from "../../platform/db/stored-json.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import { Dataset } from "./schemas.ts";

/** The change in progress. */
export const Write = z.object({
  id: z.string(),
  /** The version that it makes. */
  version: z.int(),
  /** After this time it counts as crashed. */
  until: Timestamp,
});
export type Write = z.output<typeof Write>;

/** Stored dataset: what the API returns, and what it does not. */
export const DatasetItem = Dataset.extend({
  inputSchema: storedJson(Dataset.shape.inputSchema),
  /** Names what belongs to this dataset and not to an earlier one of the same id. */
  contentId: z.string(),
  write: Write.nullable(),
  /** Versions of changes that crashed; their rows are ignored. */
  abandoned: z.array(z.int()),
});
export type DatasetItem = z.output<typeof DatasetItem>;

/** A version of a dataset's examples, which stays as it is whatever is written later. */
export const DatasetVersion = DatasetItem.pick({
  contentId: true,
  version: true,
  abandoned: true,
});
export type DatasetVersion = z.output<typeof DatasetVersion>;

/** Returns a version of a dataset, the newest unless given; undefined when it does not exist. */
export const pinVersion = (
  dataset: DatasetItem,
  version: number = dataset.version,
): DatasetVersion | undefined => {
  const { contentId, abandoned } = dataset;
  if (version > dataset.version || abandoned.includes(version)) return undefined;
  return { contentId, version, abandoned: abandoned.filter((other) => other < version) };
};

/** Returns a dataset as the API shows it. */
export const toDataset = (item: DatasetItem): Dataset => Dataset.parse(item);
