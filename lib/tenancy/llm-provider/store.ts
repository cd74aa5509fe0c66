import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { providerTypes } from "../../engine/models/provider-settings.ts";
import type { Database } from "../../platform/db/database.ts";
import { listed, providerKey, providersList } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { LlmProvider } from "./schemas.ts";

/** A provider as it is stored. */
export const ProviderItem = LlmProvider.extend({
  type: z.enum(providerTypes),
  /** Null where none is needed. */
  apiKey: SealedValue.nullable(),
  /** Goes up by one with every change. */
  version: z.int(),
});
export type ProviderItem = z.output<typeof ProviderItem>;

/** TENANT#t / PROVIDER#id: the provider whole. */
export const getProvider = async (
  db: Database,
  tenantId: TenantId,
  providerId: string,
): Promise<ProviderItem | undefined> => {
  const Key = providerKey(tenantId, providerId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && ProviderItem.parse(Item);
};

/** TENANT#t / PROVIDER#…: the tenant's own providers, by id. */
export const listProviders = (db: Database, tenantId: TenantId, page: PageRequest) =>
  listPage(db, ProviderItem, { list: providersList(tenantId) }, page);

/** Writes a new provider; says so when the id is taken. */
export const putNewProvider = (
  db: Database,
  tenantId: TenantId,
  item: ProviderItem,
): Promise<"written" | "refused"> =>
  putProvider(db, tenantId, item, { ConditionExpression: "attribute_not_exists(pk)" });

/** Writes a provider in place of the version that it was read at; refused when that is gone. */
export const replaceProvider = (
  db: Database,
  tenantId: TenantId,
  item: ProviderItem,
): Promise<"written" | "refused"> =>
  putProvider(
    db,
    tenantId,
    { ...item, version: item.version + 1 },
    {
      ConditionExpression: "version = :version",
      ExpressionAttributeValues: { ":version": item.version },
    },
  );

const putProvider = async (
  db: Database,
  tenantId: TenantId,
  item: ProviderItem,
  condition: { ConditionExpression: string; ExpressionAttributeValues?: Record<string, unknown> },
): Promise<"written" | "refused"> => {
  const Item = { ...listed(providerKey(tenantId, item.id)), ...item };
  try {
    await db.client.send(new PutCommand({ TableName: db.table, Item, ...condition }));
    return "written";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "refused";
    throw error;
  }
};

/** Removes a provider; whether there was one. */
export const removeProvider = async (
  db: Database,
  tenantId: TenantId,
  providerId: string,
): Promise<boolean> => {
  const { Attributes } = await db.client.send(
    new DeleteCommand({
      TableName: db.table,
      Key: providerKey(tenantId, providerId),
      ReturnValues: "ALL_OLD",
    }),
  );
  return Attributes !== undefined;
};
