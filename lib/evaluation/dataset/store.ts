import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import { toStoredJson } from "../../platform/db/stored-json.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { DatasetItem } from "./dataset-item.ts";
import { datasetKey, datasetsList } from "./keys.ts";

const toItem = <Members extends Partial<DatasetItem>>(members: Members) => ({
  ...members,
  ...("inputSchema" in members && { inputSchema: toStoredJson(members.inputSchema) }),
});

/** TENANT#t#DATASETS / id: returns a dataset. */
export const getDataset = (
  db: Database,
  tenantId: TenantId,
  datasetId: string,
): Promise<DatasetItem | undefined> => getItem(db, datasetKey(tenantId, datasetId), DatasetItem);

/** TENANT#t#DATASETS / id: lists the tenant's datasets by id. */
export const listDatasets = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<DatasetItem>> => listPage(db, DatasetItem, { list: datasetsList(tenantId) }, page);

/** Writes a new dataset; returns "taken" when the id exists. */
export const putNewDataset = async (
  db: Database,
  tenantId: TenantId,
  item: DatasetItem,
): Promise<"written" | "taken"> => {
  const stored = { ...listed(datasetKey(tenantId, item.id)), ...toItem(item) };
  return (await putItem(db, { Item: stored, ...ifNew })).written ? "written" : "taken";
};

/** Members of a dataset that a request may change. */
export type DatasetChange = Partial<
  Pick<DatasetItem, "displayName" | "description" | "inputSchema" | "modifiedAt">
>;

/** Changes the members of a dataset that are given; undefined when it does not exist. */
export const changeDataset = (
  db: Database,
  tenantId: TenantId,
  datasetId: string,
  set: DatasetChange,
): Promise<DatasetItem | undefined> =>
  patchItem(db, datasetKey(tenantId, datasetId), DatasetItem, {
    set: toItem(set),
    expect: {},
  });
