import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { agentKey, listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { agentAssetKey, assetKey, assetsList } from "../keys.ts";
import { Asset } from "./schemas.ts";

/** TENANT#t#ASSETS / id: lists the tenant's assets by id, in UTF-8 byte order. */
export const listAssets = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<Asset>> => listPage(db, Asset, { list: assetsList(tenantId) }, page);

/** Maximum assets of a `putAssets` call: a transaction has 100 writes, two per asset and one for the agent. */
export const maxPerWrite = 49;

/** An asset of a revision to write. */
export type NamedAsset = Omit<Asset, "createdAt" | "changedAt">;

/**
 * Writes assets of an agent's next revision, each with a reference that the agent's purge finds: all or none. Ids
 * must be unique. Returns "changed" when the agent was deleted or has a newer revision, or the ids of assets that a
 * later revision has named.
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
    ...assets.map((asset) => putReference(tenantId, asset)),
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

/** The id is a separate attribute because it may be too long for the key, which has its hash. */
const putReference = (tenantId: TenantId, { id, agentId }: NamedAsset): TransactionWrite => {
  const digest = createHash("sha256").update(id).digest("hex");
  return { Put: { Item: { ...agentAssetKey(tenantId, agentId, digest), assetId: id } } };
};

/** Records when an asset's source last changed; false when the asset does not exist. */
export const recordAssetChange = async (
  db: Database,
  tenantId: TenantId,
  assetId: string,
  at: number,
): Promise<boolean> => {
  const { written, item } = await updateItem(db, {
    Key: assetKey(tenantId, assetId),
    UpdateExpression: "SET changedAt = :at",
    ConditionExpression:
      "attribute_exists(pk) AND (attribute_not_exists(changedAt) OR changedAt < :at)",
    ExpressionAttributeValues: { ":at": at },
  });
  return written || item !== undefined;
};

/** Deletes an asset, unless another agent named it last. */
export const deleteAssetOfAgent = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  assetId: string,
): Promise<void> => {
  await deleteItem(db, {
    Key: assetKey(tenantId, assetId),
    ConditionExpression: "agentId = :agentId",
    ExpressionAttributeValues: { ":agentId": agentId },
  });
};
