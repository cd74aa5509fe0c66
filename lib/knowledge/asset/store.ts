import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { agentKey, listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { deleteItem, putItem, updateItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { agentAssetKey, assetKey, assetsList } from "../keys.ts";
import { AssetItem } from "./asset-item.ts";
import type { Asset } from "./schemas.ts";

/** Condition of an item that does not exist, or that revisions named without a source. */
const hasNoSource = "attribute_not_exists(#type) OR #type = :null";

/** TENANT#t#ASSETS / id: lists the tenant's assets by id, in UTF-8 byte order. */
export const listAssets = (
  db: Database,
  tenantId: TenantId,
  page: PageRequest,
): Promise<Page<AssetItem>> => listPage(db, AssetItem, { list: assetsList(tenantId) }, page);

/** TENANT#t#ASSETS / id: returns an asset. */
export const getAsset = (
  db: Database,
  tenantId: TenantId,
  assetId: string,
): Promise<AssetItem | undefined> => getItem(db, assetKey(tenantId, assetId), AssetItem);

/** TENANT#t#ASSETS / ids: returns assets in the order of their ids; undefined for one that does not exist. */
export const getAssets = (
  db: Database,
  tenantId: TenantId,
  assetIds: readonly string[],
): Promise<(AssetItem | undefined)[]> =>
  getItems(
    db,
    assetIds.map((id) => assetKey(tenantId, id)),
    AssetItem,
  );

/** Writes a new asset with a source. Returns "taken" when one with this id has a source. */
export const putNewAsset = async (
  db: Database,
  tenantId: TenantId,
  item: AssetItem,
): Promise<"written" | "taken"> => {
  const { written } = await putItem(db, {
    Item: { ...listed(assetKey(tenantId, item.id)), ...item },
    ConditionExpression: hasNoSource,
    ExpressionAttributeNames: { "#type": "type" },
    ExpressionAttributeValues: { ":null": null },
  });
  return written ? "written" : "taken";
};

/** Settings of an asset that a request may change. */
type AssetSettings = Pick<
  AssetItem,
  "displayName" | "refresh" | "embedding" | "parameters" | "secrets" | "modifiedAt"
>;

/** Changes settings of an asset that are given, and its version; undefined when it has another version by now. */
export const changeSettings = (
  db: Database,
  tenantId: TenantId,
  { id, version }: Pick<AssetItem, "id" | "version">,
  set: Partial<AssetSettings>,
): Promise<AssetItem | undefined> =>
  patchItem(db, assetKey(tenantId, id), AssetItem, {
    set: { ...set, version: version + 1 },
    expect: { version },
  });

/** Maximum assets of a `putAssets` call: a transaction has 100 writes, two per asset and one for the agent. */
export const maxPerWrite = 49;

/** An asset of a revision to write. */
export type NamedAsset = Pick<
  Asset,
  "id" | "displayName" | "contentType" | "assetType" | "vectorized" | "link" | "modifiedAt"
> & { agentId: string; agentRevision: number };

/**
 * Writes assets of an agent's next revision, with references that the agent's purge finds: all or
 * none. Ids must be unique. Returns "changed" when the agent was deleted or has a newer revision,
 * or the ids of assets that a later revision has named.
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
      ConditionExpression: `attribute_not_exists(pk) OR ((${hasNoSource}) AND ((agentId = :agentId AND agentRevision <= :agentRevision) OR (agentId <> :agentId AND modifiedAt <= :modifiedAt)))`,
      ExpressionAttributeNames: {
        ...Object.fromEntries(members.map(([name]) => [`#${name}`, name])),
        "#type": "type",
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(members.map(([name, value]) => [`:${name}`, value])),
        ":null": null,
      },
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

/** Deletes an asset that an agent named, unless another agent named it last or it has a source. */
export const deleteAgentAsset = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  assetId: string,
): Promise<void> => {
  await deleteItem(db, {
    Key: assetKey(tenantId, assetId),
    ConditionExpression: `agentId = :agentId AND (${hasNoSource})`,
    ExpressionAttributeNames: { "#type": "type" },
    ExpressionAttributeValues: { ":agentId": agentId, ":null": null },
  });
};
