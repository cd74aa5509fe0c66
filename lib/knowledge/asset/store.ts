import { createHash } from "node:crypto";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "../../platform/db/database.ts";
import { agentAssetKey, agentKey, assetKey, assetsList, listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { Asset } from "./schemas.ts";

/** TENANT#t#ASSETS / id: the tenant's assets, by id in the order of its UTF-8 bytes. */
export const listAssets = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<Asset>> => listPage(db, Asset, { list: assetsList(tenantId) }, page);

/** Assets that `putAssets` takes at once: two writes for each, one for their agent, 100 in a transaction. */
export const mostTogether = 49;

/** An asset that a revision names, without the times of what else happened to it. */
export type NamedAsset = Omit<Asset, "createdAt" | "changedAt">;

/**
 * Writes assets that the next revision of an agent names, each with a mark at the agent by which a purge
 * finds it: all or none. Their ids must differ. "changed" when the agent has another latest revision by
 * now, or is gone; otherwise the ids of those that a later revision has named already.
 */
export const putAssets = async (
  db: Database,
  tenantId: TenantId,
  agent: { id: string; latestRevision: number | null },
  assets: readonly NamedAsset[],
): Promise<"written" | "changed" | { outdated: ReadonlySet<string> }> => {
  const outcome = await transact(db, [
    {
      ConditionCheck: {
        Key: agentKey(tenantId, agent.id),
        ConditionExpression: "latestRevision = :latest",
        ExpressionAttributeValues: { ":latest": agent.latestRevision },
      },
    },
    ...assets.map((asset) => putAsset(tenantId, asset)),
    ...assets.map((asset) => putMark(tenantId, asset)),
  ]);
  if (outcome.written) return "written";
  if (outcome.failed[0]) return "changed";
  const outdated = assets.filter((_, at) => outcome.failed[at + 1]).map(({ id }) => id);
  return { outdated: new Set(outdated) };
};

const putAsset = (tenantId: TenantId, asset: NamedAsset): TransactionWrite => {
  const key = assetKey(tenantId, asset.id);
  const { pk: _pk, sk: _sk, ...index } = listed(key);
  const members = Object.entries({ ...index, ...asset });
  const changes = members.map(([name]) => `#${name} = :${name}`);
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${changes.join(", ")}, createdAt = if_not_exists(createdAt, :modifiedAt)`,
      ConditionExpression:
        "attribute_not_exists(pk) OR (agentId = :agentId AND agentRevision <= :agentRevision) OR (agentId <> :agentId AND modifiedAt <= :modifiedAt)",
      ExpressionAttributeNames: Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        members.map(([name, value]) => [`:${name}`, value]),
      ),
    },
  };
};

/** The id stands beside the key, which has no room for it. */
const putMark = (tenantId: TenantId, { id, agentId }: NamedAsset): TransactionWrite => {
  const digest = createHash("sha256").update(id).digest("hex");
  return { Put: { Item: { ...agentAssetKey(tenantId, agentId, digest), assetId: id } } };
};

/** Notes that an asset's source changed, the latest time of all; false when there is no such asset. */
export const noteAssetChange = async (
  db: Database,
  tenantId: TenantId,
  assetId: string,
  at: number,
): Promise<boolean> => {
  const command = new UpdateCommand({
    TableName: db.table,
    Key: assetKey(tenantId, assetId),
    UpdateExpression: "SET changedAt = :at",
    ConditionExpression:
      "attribute_exists(pk) AND (attribute_not_exists(changedAt) OR changedAt < :at)",
    ExpressionAttributeValues: { ":at": at },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    await db.client.send(command);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item !== undefined;
  }
};

/** Removes an asset, unless an agent other than this one named it last. */
export const removeAssetOf = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  assetId: string,
): Promise<void> => {
  const command = new DeleteCommand({
    TableName: db.table,
    Key: assetKey(tenantId, assetId),
    ConditionExpression: "agentId = :agentId",
    ExpressionAttributeValues: { ":agentId": agentId },
  });
  try {
    await db.client.send(command);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
};
