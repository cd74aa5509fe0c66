import type { Key, ListKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

const datasetsPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#DATASETS`;

export const datasetKey = (tenantId: TenantId, datasetId: string): Key => ({
  pk: datasetsPartition(tenantId),
  sk: datasetId,
});

export const datasetsList = (tenantId: TenantId): ListKey => ({
  pk: datasetsPartition(tenantId),
  prefix: "",
});

/** Partition of a tenant's deleted datasets that are not purged yet. */
const deletedDatasetsPartition = (tenantId: TenantId): string =>
  `TENANT#${tenantId}#DATASETS#DELETED`;

export const deletedDatasetKey = (
  tenantId: TenantId,
  datasetId: string,
  contentId: string,
): Key => ({ pk: deletedDatasetsPartition(tenantId), sk: `${datasetId}#${contentId}` });

export const deletedDatasetsList = (tenantId: TenantId, datasetId: string): ListKey => ({
  pk: deletedDatasetsPartition(tenantId),
  prefix: `${datasetId}#`,
});

const examplesPartition = (tenantId: TenantId, contentId: string): string =>
  `TENANT#${tenantId}#DATASET#${contentId}`;

const examplePrefix = "EXAMPLE#";
const versionDigits = (version: number): string => String(version).padStart(10, "0");

/** Facts of a row that its key has, so that lists can skip rows without their contents. */
export type RowKey = {
  exampleId: string;
  version: number;
  isDeleted: boolean;
  split: string | null;
};

/** Rows of an example are adjacent and sort by version. */
export const exampleRowKey = (
  tenantId: TenantId,
  contentId: string,
  { exampleId, version, isDeleted, split }: RowKey,
): Key => ({
  pk: examplesPartition(tenantId, contentId),
  sk: `${examplePrefix}${exampleId}#${versionDigits(version)}${isDeleted ? "-" : "+"}#${split ?? ""}`,
});

/** Returns the facts that a row's key has. */
export const readRowKey = ({ sk }: Pick<Key, "sk">): RowKey => {
  const [, exampleId = "", version = "", ...split] = sk.split("#");
  return {
    exampleId,
    version: Number(version.slice(0, -1)),
    isDeleted: version.endsWith("-"),
    split: split.join("#") || null,
  };
};

export const exampleRowsList = (tenantId: TenantId, contentId: string): ListKey => ({
  pk: examplesPartition(tenantId, contentId),
  prefix: examplePrefix,
});

/** Range of the sort keys of all rows behind an example; null for all rows. */
export const rowsAfter = (exampleId: string | null) => ({
  from: exampleId === null ? examplePrefix : `${examplePrefix}${exampleId}#~`,
  to: `${examplePrefix}~`,
});

/** Range of the sort keys of an example's rows up to a version. */
export const rowsUntil = (exampleId: string, version: number) => ({
  from: `${examplePrefix}${exampleId}#`,
  to: `${examplePrefix}${exampleId}#${versionDigits(version)}~`,
});

/** Returns what the names of the objects with a dataset's large examples begin with. */
export const exampleObjects = (tenantId: TenantId, contentId: string): string =>
  `datasets/${tenantId}/${contentId}/`;
