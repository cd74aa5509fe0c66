import * as z from "zod";
import { checkExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import {
  integrationConfigKey,
  integrationConfigsList,
  integrationRevisionKey,
  integrationRevisionsList,
  publishedConfigKey,
} from "../keys.ts";
import type { PublishedConfigItem } from "./published-store.ts";
import { IntegrationConfig } from "./schemas.ts";

const stored = {
  /** JSON of the content, every credential masked: what it holds may be nested deeper than an item. */
  content: z.string(),
  /** The credentials, by name; null for none. */
  secrets: SealedValue.nullable(),
};

/** The dedicated key of a config that exposes MCP; absent for one that does not. */
const mcpKeyId = z.string().optional();

/** An integration config as it is stored: its latest revision, and which one is published. */
export const IntegrationConfigItem = IntegrationConfig.pick({
  id: true,
  integrationId: true,
  latestRevision: true,
  publishedRevision: true,
  createdAt: true,
  modifiedAt: true,
}).extend({ ...stored, mcpKeyId });
export type IntegrationConfigItem = z.output<typeof IntegrationConfigItem>;

/** A revision as it is stored. */
export const IntegrationRevisionItem = z.object({
  configId: z.string(),
  revision: z.int(),
  createdAt: z.int(),
  createdBy: z.string(),
  ...stored,
});
export type IntegrationRevisionItem = z.output<typeof IntegrationRevisionItem>;

/** TENANT#t / INTEGRATION#id: the config as of its latest revision. */
export const getIntegrationConfig = (
  db: Database,
  tenantId: TenantId,
  configId: string,
): Promise<IntegrationConfigItem | undefined> =>
  getItem(db, integrationConfigKey(tenantId, configId), IntegrationConfigItem);

/** TENANT#t / INTEGRATION#…: the tenant's configs, oldest first. */
export const listIntegrationConfigs = (db: Database, tenantId: TenantId, page: PageRequest) =>
  listPage(db, IntegrationConfigItem, { list: integrationConfigsList(tenantId) }, page);

/** TENANT#t#INTEGRATION#id / REV#n: what did this revision hold? */
export const getIntegrationRevision = (
  db: Database,
  tenantId: TenantId,
  configId: string,
  revision: number,
): Promise<IntegrationRevisionItem | undefined> =>
  getItem(db, integrationRevisionKey(tenantId, configId, revision), IntegrationRevisionItem);

const putRevision = (tenantId: TenantId, item: IntegrationRevisionItem) => ({
  Put: {
    Item: { ...integrationRevisionKey(tenantId, item.configId, item.revision), ...item },
    ...ifNew,
  },
});

/** Writes a new config with its first revision, and what else is new with it. */
export const putNewIntegrationConfig = async (
  db: Database,
  tenantId: TenantId,
  item: IntegrationConfigItem,
  { revision, more }: { revision: IntegrationRevisionItem; more: readonly TransactionWrite[] },
): Promise<void> => {
  const Item = { ...listed(integrationConfigKey(tenantId, item.id)), ...item };
  const outcome = await transact(db, [
    { Put: { Item, ...ifNew } },
    putRevision(tenantId, revision),
    ...more,
  ]);
  if (!outcome.written) throw new Error(`the new id ${item.id} is taken`);
};

/** Whether a config still has the dedicated key, or none, that it had when it was read. */
const hasKeyStill = (keyId: string | undefined): string =>
  keyId === undefined ? "attribute_not_exists(mcpKeyId)" : "mcpKeyId = :keyBefore";

/**
 * Writes a config's dedicated key alone, as of its latest revision; "changed" when another revision or another
 * key came first, the config is gone, or a condition of what else is written does not hold.
 */
export const putDedicatedKey = async (
  db: Database,
  tenantId: TenantId,
  { id, latestRevision, mcpKeyId: before }: IntegrationConfigItem,
  {
    keyId,
    more,
    now,
  }: { keyId: string | undefined; more: readonly TransactionWrite[]; now: number },
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: integrationConfigKey(tenantId, id),
        UpdateExpression:
          "SET modifiedAt = :now" +
          (keyId === undefined ? " REMOVE mcpKeyId" : ", mcpKeyId = :keyId"),
        ConditionExpression: `latestRevision = :latest AND ${hasKeyStill(before)}`,
        ExpressionAttributeValues: {
          ":latest": latestRevision,
          ":now": now,
          ":keyId": keyId,
          ":keyBefore": before,
        },
      },
    },
    ...more,
  ]);
  return outcome.written ? "written" : "changed";
};

/**
 * Writes a config's next revision, its dedicated key, and what else changes with them; "changed" when another
 * revision or another key came first, the config is gone, or a condition of what else is written does not hold.
 */
export const putNextIntegrationRevision = async (
  db: Database,
  tenantId: TenantId,
  item: IntegrationRevisionItem,
  {
    keyBefore,
    keyId,
    more,
  }: {
    keyBefore: string | undefined;
    keyId: string | undefined;
    more: readonly TransactionWrite[];
  },
): Promise<"written" | "changed"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: integrationConfigKey(tenantId, item.configId),
        UpdateExpression:
          "SET latestRevision = :next, content = :content, secrets = :secrets, modifiedAt = :now" +
          (keyId === undefined ? " REMOVE mcpKeyId" : ", mcpKeyId = :keyId"),
        ConditionExpression: `latestRevision = :latest AND ${hasKeyStill(keyBefore)}`,
        ExpressionAttributeValues: {
          ":next": item.revision,
          ":latest": item.revision - 1,
          ":content": item.content,
          ":secrets": item.secrets,
          ":now": item.createdAt,
          ":keyId": keyId,
          ":keyBefore": keyBefore,
        },
      },
    },
    putRevision(tenantId, item),
    ...more,
  ]);
  return outcome.written ? "written" : "changed";
};

/** Makes a revision the published one; says what of it does not exist. */
export const putPublishedRevision = async (
  db: Database,
  tenantId: TenantId,
  config: Pick<IntegrationConfigItem, "id" | "integrationId">,
  { revision, now }: { revision: number; now: number },
): Promise<"written" | "no config" | "no revision"> => {
  const marker: PublishedConfigItem = { configId: config.id };
  const outcome = await transact(db, [
    {
      Update: patch(integrationConfigKey(tenantId, config.id), {
        set: { publishedRevision: revision, modifiedAt: now },
      }),
    },
    checkExists(integrationRevisionKey(tenantId, config.id, revision)),
    {
      Put: {
        Item: { ...publishedConfigKey(tenantId, config.integrationId, config.id), ...marker },
      },
    },
  ]);
  if (outcome.written) return "written";
  return outcome.failed[0] ? "no config" : "no revision";
};

/**
 * Removes a config, that it is published, and what goes with it; "changed" when it has another dedicated key
 * by now, or a condition of what else is written does not hold.
 */
export const removeIntegrationConfig = async (
  db: Database,
  tenantId: TenantId,
  { id, integrationId, mcpKeyId: keyId }: IntegrationConfigItem,
  more: readonly TransactionWrite[],
): Promise<"written" | "changed"> => {
  const hasKey =
    keyId === undefined
      ? { ConditionExpression: "attribute_not_exists(mcpKeyId)" }
      : {
          ConditionExpression: "attribute_not_exists(pk) OR mcpKeyId = :keyId",
          ExpressionAttributeValues: { ":keyId": keyId },
        };
  const outcome = await transact(db, [
    { Delete: { Key: integrationConfigKey(tenantId, id), ...hasKey } },
    { Delete: { Key: publishedConfigKey(tenantId, integrationId, id) } },
    ...more,
  ]);
  return outcome.written ? "written" : "changed";
};

/** Removes every revision of a config that is gone; how many there were. */
export const removeIntegrationRevisions = async (
  db: Database,
  tenantId: TenantId,
  configId: string,
): Promise<number> => {
  const list = integrationRevisionsList(tenantId, configId);
  const revisions = await Array.fromAsync(
    listAll(db, IntegrationRevisionItem.pick({ revision: true }), list),
  );
  await deleteTogether(
    db,
    revisions.map(({ revision }) => integrationRevisionKey(tenantId, configId, revision)),
  );
  return revisions.length;
};
