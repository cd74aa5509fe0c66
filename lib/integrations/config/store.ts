import * as z from "zod";
import { checkExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { expectMembers, patch } from "../../platform/db/patch-item.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
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
  /** JSON of the content with masked credentials; text, because an item limits nesting. */
  content: z.string(),
  /** The credentials by name, encrypted; null for none. */
  secrets: SealedValue.nullable(),
};

/** The dedicated key of a config that exposes MCP; absent otherwise. */
const mcpKeyId = z.string().optional();

/** Stored integration config, in its latest revision. */
export const IntegrationConfigItem = IntegrationConfig.pick({
  id: true,
  integrationId: true,
  latestRevision: true,
  publishedRevision: true,
  createdAt: true,
  modifiedAt: true,
}).extend({ ...stored, mcpKeyId });
export type IntegrationConfigItem = z.output<typeof IntegrationConfigItem>;

/** Stored revision. */
export const IntegrationRevisionItem = z.object({
  configId: z.string(),
  revision: z.int(),
  createdAt: z.int(),
  createdBy: z.string(),
  ...stored,
});
export type IntegrationRevisionItem = z.output<typeof IntegrationRevisionItem>;

/** TENANT#t / INTEGRATION#id: returns the config in its latest revision. */
export const getIntegrationConfig = (
  db: Database,
  tenantId: TenantId,
  configId: string,
): Promise<IntegrationConfigItem | undefined> =>
  getItem(db, integrationConfigKey(tenantId, configId), IntegrationConfigItem);

/** TENANT#t / INTEGRATION#ids: returns those configs that exist, in their latest revision. */
export const getIntegrationConfigs = async (
  db: Database,
  tenantId: TenantId,
  configIds: readonly string[],
): Promise<IntegrationConfigItem[]> => {
  const keys = configIds.map((id) => integrationConfigKey(tenantId, id));
  const items = await getItems(db, keys, IntegrationConfigItem);
  return items.filter((item) => item !== undefined);
};

/** TENANT#t / INTEGRATION#…: lists the tenant's configs, oldest first. */
export const listIntegrationConfigs = (db: Database, tenantId: TenantId, page: PageRequest) =>
  listPage(db, IntegrationConfigItem, { list: integrationConfigsList(tenantId) }, page);

/** TENANT#t#INTEGRATION#id / REV#n: returns a revision. */
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

/** Writes a new config with its first revision, together with `more`. Returns "changed" when a condition of `more` fails. */
export const putNewIntegrationConfig = async (
  db: Database,
  tenantId: TenantId,
  item: IntegrationConfigItem,
  { revision, more }: { revision: IntegrationRevisionItem; more: readonly TransactionWrite[] },
): Promise<"written" | "changed"> => {
  const Item = { ...listed(integrationConfigKey(tenantId, item.id)), ...item };
  const outcome = await transact(db, [
    { Put: { Item, ...ifNew } },
    putRevision(tenantId, revision),
    ...more,
  ]);
  if (outcome.written) return "written";
  const [isTaken, hasRevision] = outcome.failed;
  if (isTaken || hasRevision) throw new Error(`the new id ${item.id} is taken`);
  return "changed";
};

/** Facts that a permission to expose or publish a config was decided on: its dedicated key and its publication. */
type Exposure = Pick<IntegrationConfigItem, "mcpKeyId" | "publishedRevision">;

const pickExposure = ({ mcpKeyId: keyId, publishedRevision }: Exposure) => ({
  mcpKeyId: keyId,
  publishedRevision,
});

/** Builds the condition that a config has the same dedicated key and published revision as when it was read. */
export const checkSameExposure = (
  tenantId: TenantId,
  config: Exposure & { id: string },
): TransactionWrite => ({
  ConditionCheck: expectMembers(integrationConfigKey(tenantId, config.id), pickExposure(config)),
});

/** Builds the update of a config's members and dedicated key, if it has this revision and exposure still. */
const changeConfig = (
  tenantId: TenantId,
  configId: string,
  expect: Exposure & { latestRevision: number },
  { set, keyId }: { set: object; keyId: string | undefined },
) => {
  const key = integrationConfigKey(tenantId, configId);
  const update = patch(key, { set: { ...set, mcpKeyId: keyId }, expect });
  return keyId === undefined
    ? { ...update, UpdateExpression: `${update.UpdateExpression} REMOVE #mcpKeyId` }
    : update;
};

/**
 * Writes a config's dedicated key, without a revision. Returns "changed" when the config was deleted, has another
 * revision, published revision or key by now, or the condition of another write fails.
 */
export const putDedicatedKey = async (
  db: Database,
  tenantId: TenantId,
  before: IntegrationConfigItem,
  {
    keyId,
    more,
    now,
  }: { keyId: string | undefined; more: readonly TransactionWrite[]; now: number },
): Promise<"written" | "changed"> => {
  const change = { set: { modifiedAt: now }, keyId };
  const expect = { ...pickExposure(before), latestRevision: before.latestRevision };
  const outcome = await transact(db, [
    { Update: changeConfig(tenantId, before.id, expect, change) },
    ...more,
  ]);
  return outcome.written ? "written" : "changed";
};

/** Writes a config's next revision and dedicated key. Returns "changed" as `putDedicatedKey` does. */
export const putNextIntegrationRevision = async (
  db: Database,
  tenantId: TenantId,
  item: IntegrationRevisionItem,
  {
    before,
    keyId,
    more,
  }: {
    before: Exposure;
    keyId: string | undefined;
    more: readonly TransactionWrite[];
  },
): Promise<"written" | "changed"> => {
  const { configId, revision, content, secrets, createdAt } = item;
  const set = { latestRevision: revision, content, secrets, modifiedAt: createdAt };
  const expect = { ...pickExposure(before), latestRevision: revision - 1 };
  const outcome = await transact(db, [
    { Update: changeConfig(tenantId, configId, expect, { set, keyId }) },
    putRevision(tenantId, item),
    ...more,
  ]);
  return outcome.written ? "written" : "changed";
};

/**
 * Publishes a revision. Returns "changed" when the config was deleted, or has another dedicated key or published
 * revision by now.
 */
export const putPublishedRevision = async (
  db: Database,
  tenantId: TenantId,
  config: Exposure & Pick<IntegrationConfigItem, "id" | "integrationId">,
  { revision, now }: { revision: number; now: number },
): Promise<"written" | "changed" | "no revision"> => {
  const marker: PublishedConfigItem = { configId: config.id };
  const outcome = await transact(db, [
    {
      Update: patch(integrationConfigKey(tenantId, config.id), {
        set: { publishedRevision: revision, modifiedAt: now },
        expect: pickExposure(config),
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
  return outcome.failed[0] ? "changed" : "no revision";
};

/** An issuer at which a config's client authenticates, for a hash of the config's destinations. */
type SecretIssuer = { destinations: string; issuer: string };

/**
 * TENANT#t / INTEGRATION#id: stores the first issuer at which a config's client authenticates for these destinations. Returns false
 * where it was another one, and for a config that was deleted.
 */
export const putSecretIssuer = async (
  db: Database,
  tenantId: TenantId,
  configId: string,
  { destinations, issuer }: SecretIssuer,
): Promise<boolean> => {
  const { written } = await updateItem(db, {
    Key: integrationConfigKey(tenantId, configId),
    UpdateExpression: "SET #issuer = :issuer",
    ConditionExpression:
      "attribute_exists(pk) AND (attribute_not_exists(#issuer) OR #issuer = :issuer)",
    ExpressionAttributeNames: { "#issuer": `issuer#${destinations}` },
    ExpressionAttributeValues: { ":issuer": issuer },
  });
  return written;
};

/**
 * Deletes a config and its publication. Returns "changed" when it has another dedicated key by now, or the condition
 * of another write fails.
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

/** Deletes all revisions of a deleted config and returns their number. */
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
