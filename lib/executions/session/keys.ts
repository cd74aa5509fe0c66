import { createHash } from "node:crypto";
import { agentPartition, type Key, type ListKey, shards } from "../../platform/db/keys.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";

/** Finds a session. `digest`: of its id, which may have any characters. */
export type SessionPlace = { tenantId: TenantId; agentId: string; digest: string };

/** Sessions of a connector's conversations have ids that begin with its id; their digests are adjacent. */
const connectorPrefix = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):/;

const hexLength = 64;

/** Returns the place of a session by its id. */
export const toSessionPlace = (
  tenantId: TenantId,
  agentId: string,
  sessionId: string,
): SessionPlace => {
  const hash = createHash("sha256").update(sessionId).digest("hex");
  const [, connectorId = ""] = connectorPrefix.exec(sessionId) ?? [];
  const prefix = connectorId.replaceAll("-", "");
  return { tenantId, agentId, digest: prefix + hash.slice(0, hexLength - prefix.length) };
};

const partition = (tenantId: TenantId, agentId: string, shard: string): string =>
  `${agentPartition(tenantId, agentId)}#SESSIONS#${shard}`;

/** A session without its turns: who holds it, and who waits for it. */
export const sessionKey = ({ tenantId, agentId, digest }: SessionPlace): Key => ({
  pk: partition(tenantId, agentId, digest.slice(-1)),
  sk: `SESSION#${digest}`,
});

/** A session with its turns, those of deleted instances included. */
export const sessionItemsList = (place: SessionPlace): ListKey => {
  const { pk, sk } = sessionKey(place);
  return { pk, prefix: sk };
};

/** The turns and the summary of one instance: a session that is deleted and begins again is another instance. */
export const sessionInstanceList = (place: SessionPlace, instance: string): ListKey => {
  const { pk, sk } = sessionKey(place);
  return { pk, prefix: `${sk}#${instance}#` };
};

/** A turn. Numbers sort as text. */
export const turnKey = (place: SessionPlace, instance: string, number: number): Key => {
  const { pk, prefix } = sessionInstanceList(place, instance);
  return { pk, sk: `${prefix}TURN#${String(number).padStart(10, "0")}` };
};

/** The summary of the turns that are not kept any more. */
export const sessionSummaryKey = (place: SessionPlace, instance: string): Key => {
  const { pk, prefix } = sessionInstanceList(place, instance);
  return { pk, sk: `${prefix}SUMMARY` };
};

/** All items of an agent's sessions, in 16 shards; of those of a connector, if given. */
export const sessionsLists = (
  tenantId: TenantId,
  agentId: string,
  connectorId?: string,
): ListKey[] =>
  shards.map((shard) => ({
    pk: partition(tenantId, agentId, shard),
    prefix: connectorId === undefined ? "" : `SESSION#${connectorId.replaceAll("-", "")}`,
  }));

/** The listing index has the sessions of an agent. Instances are version 7 UUIDs: keys sort by time. */
export const sessionsIndexList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: `${agentPartition(tenantId, agentId)}#SESSIONS`,
  prefix: "SESSION#",
});

/** Attributes by which a session is in the listing index. */
export const sessionIndexAttributes = (
  { tenantId, agentId }: SessionPlace,
  instance: string,
): Record<string, string> => {
  const { pk, prefix } = sessionsIndexList(tenantId, agentId);
  return {
    [tableAttributes.indexPartitionKey]: pk,
    [tableAttributes.indexSortKey]: prefix + instance,
  };
};

const tenantTombstones = (tenantId: TenantId): string => `TENANT#${tenantId}`;

/** Tombstones: exist until the turns of the deleted instances of a session are removed. */
export const deletedSessionsList = ({ tenantId, agentId, digest }: SessionPlace): ListKey => ({
  pk: tenantTombstones(tenantId),
  prefix: `DELETED#SESSION#${agentId}#${digest}#`,
});

/** Tombstones of the sessions of an agent. */
export const deletedAgentSessionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: tenantTombstones(tenantId),
  prefix: `DELETED#SESSION#${agentId}#`,
});

/** Returns the session that the key of its item names. */
export const parseSessionKey = ({ pk, sk }: Key): SessionPlace => {
  const [, tenantId = "", , agentId = ""] = pk.split("#");
  return { tenantId: TenantId.parse(tenantId), agentId, digest: sk.slice("SESSION#".length) };
};

/** Returns the session, and the instance of it, that the key of its tombstone names. */
export const parseDeletedSessionKey = ({ pk, sk }: Key): SessionPlace & { instance: string } => {
  const [, tenantId = ""] = pk.split("#");
  const [, , agentId = "", digest = "", instance = ""] = sk.split("#");
  return { tenantId: TenantId.parse(tenantId), agentId, digest, instance };
};

/** Tombstone of one instance of a session. */
export const deletedSessionKey = (place: SessionPlace, instance: string): Key => {
  const { pk, prefix } = deletedSessionsList(place);
  return { pk, sk: prefix + instance };
};
