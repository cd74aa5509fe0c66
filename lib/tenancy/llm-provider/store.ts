import * as z from "zod";
import { providerTypes } from "../../engine/models/provider-settings.ts";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { providerKey, providersList } from "./keys.ts";
import { LlmProvider } from "./schemas.ts";

/** Stored representation of a provider. */
export const ProviderItem = LlmProvider.extend({
  type: z.enum(providerTypes),
  /** Null where none is needed. */
  apiKey: SealedValue.nullable(),
  /** Incremented by every change, for optimistic locking. */
  version: z.int(),
});
export type ProviderItem = z.output<typeof ProviderItem>;

/** TENANT#t / PROVIDER#id: reads a provider. */
export const getProvider = (
  db: Database,
  tenantId: TenantId,
  providerId: string,
): Promise<ProviderItem | undefined> =>
  getItem(db, providerKey(tenantId, providerId), ProviderItem);

/** TENANT#t / PROVIDER#…: lists the tenant's own providers by id. */
export const listProviders = (db: Database, tenantId: TenantId, page: PageRequest) =>
  listPage(db, ProviderItem, { list: providersList(tenantId) }, page);

/** Writes a new provider; "taken" when the id exists. */
export const putNewProvider = async (
  db: Database,
  tenantId: TenantId,
  item: ProviderItem,
): Promise<"written" | "taken"> => {
  const { written } = await putItem(db, { Item: storedAs(tenantId, item), ...ifNew });
  return written ? "written" : "taken";
};

/** Replaces the version of a provider that was read; "changed" when it was changed or deleted since. */
export const replaceProvider = async (
  db: Database,
  tenantId: TenantId,
  item: ProviderItem,
): Promise<"written" | "changed"> => {
  const { written } = await putItem(db, {
    Item: storedAs(tenantId, { ...item, version: item.version + 1 }),
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": item.version },
  });
  return written ? "written" : "changed";
};

const storedAs = (tenantId: TenantId, item: ProviderItem) => ({
  ...listed(providerKey(tenantId, item.id)),
  ...item,
});

/** Deletes a provider; returns whether it existed. */
export const removeProvider = async (
  db: Database,
  tenantId: TenantId,
  providerId: string,
): Promise<boolean> => {
  const Key = providerKey(tenantId, providerId);
  return (await deleteItem(db, { Key, ...ifExists })).written;
};
