import { createHash } from "node:crypto";
import {
  agentPartition,
  type Key,
  type ListKey,
  shards,
  tenantPartition,
} from "../platform/db/keys.ts";
import type { ListRequest } from "../platform/db/list-request.ts";
import { tableAttributes } from "../platform/db/table.ts";
import { TenantId } from "../platform/db/tenant-id.ts";

/** Finds a namespace of an agent's memories. `digest`: of its name, which may have any characters. */
export type NamespacePlace = { tenantId: TenantId; agentId: string; digest: string };

/** Hexadecimal digits of the digest of a namespace. */
const digestLength = 32;

/** Returns the place of a namespace by its name. */
export const toNamespacePlace = (
  tenantId: TenantId,
  agentId: string,
  namespace: string,
): NamespacePlace => {
  const digest = createHash("sha256").update(namespace).digest("hex").slice(0, digestLength);
  return { tenantId, agentId, digest };
};

const memoryIdForm = /^([\da-f]{32})-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Returns the id of a fact: the digest of its namespace, by which it is found, and a version 7 uuid. */
export const toMemoryId = ({ digest }: Pick<NamespacePlace, "digest">, uuid: string): string =>
  `${digest}-${uuid}`;

/** Returns the digest and the uuid of a fact's id; undefined for another form. */
export const readMemoryId = (memoryId: string): { digest: string; uuid: string } | undefined => {
  const [, digest, uuid] = memoryIdForm.exec(memoryId) ?? [];
  return digest === undefined || uuid === undefined ? undefined : { digest, uuid };
};

const partition = (tenantId: TenantId, agentId: string, shard: string): string =>
  `${agentPartition(tenantId, agentId)}#MEMORIES#${shard}`;

/** A namespace without its facts: its generation, which changes when it is deleted. */
export const namespaceKey = ({ tenantId, agentId, digest }: NamespacePlace): Key => ({
  pk: partition(tenantId, agentId, digest.slice(-1)),
  sk: `NAMESPACE#${digest}`,
});

/** Returns the namespace that the key of its item names. */
export const parseNamespaceKey = ({ pk, sk }: Key): NamespacePlace => {
  const [, tenantId = "", , agentId = ""] = pk.split("#");
  const digest = sk.slice("NAMESPACE#".length);
  return { tenantId: TenantId.parse(tenantId), agentId, digest };
};

/** The facts of one generation of a namespace. Their ids sort by time. */
export const memoriesList = (place: NamespacePlace, generation: string): ListKey => ({
  pk: namespaceKey(place).pk,
  prefix: `MEMORY#${place.digest}#${generation}#`,
});

/** A fact. */
export const factKey = (place: NamespacePlace, generation: string, uuid: string): Key => {
  const { pk, prefix } = memoriesList(place, generation);
  return { pk, sk: prefix + uuid };
};

/** The deletion of a person, in the agent's memories. `person`: their mark. */
export const erasedPersonKey = (tenantId: TenantId, agentId: string, person: string): Key => ({
  pk: partition(tenantId, agentId, person.slice(-1)),
  sk: `PERSON#${person}`,
});

/** All items of an agent's memories, in 16 shards. */
export const agentMemoriesLists = (tenantId: TenantId, agentId: string): ListKey[] =>
  shards.map((shard) => ({ pk: partition(tenantId, agentId, shard), prefix: "" }));

/** The namespaces of an agent, in 16 shards. */
export const namespacesLists = (tenantId: TenantId, agentId: string): ListKey[] =>
  shards.map((shard) => ({ pk: partition(tenantId, agentId, shard), prefix: "NAMESPACE#" }));

/** Attributes by which a namespace is in the index of those with a fact that expires at a time, Unix milliseconds. */
export const toDueAttributes = (
  { tenantId, agentId, digest }: NamespacePlace,
  at: number,
): Record<string, string> => ({
  [tableAttributes.indexPartitionKey]: `DUE-MEMORIES#${digest.slice(-1)}`,
  [tableAttributes.indexSortKey]: `${new Date(at).toISOString()}#${tenantId}#${agentId}#${digest}`,
});

/** Namespaces with facts that expire until a time, in 16 shards of the index. */
export const dueMemoriesLists = (until: number): readonly ListRequest[] =>
  shards.map((shard) => ({
    list: { pk: `DUE-MEMORIES#${shard}`, prefix: "" },
    between: { from: "0", to: `${new Date(until).toISOString()}#~` },
  }));

/** Tombstone of one generation of a namespace: exists until its facts and their vectors are removed. */
export const deletedNamespaceKey = (place: NamespacePlace, generation: string): Key => {
  const { pk, prefix } = deletedNamespacesList(place);
  return { pk, sk: prefix + generation };
};

/** Tombstones of the deleted generations of a namespace. */
export const deletedNamespacesList = ({ tenantId, agentId, digest }: NamespacePlace): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: `DELETED#MEMORIES#${agentId}#${digest}#`,
});

/** A deletion of a person of an agent. `person`: their mark. */
export type ErasureRef = {
  tenantId: TenantId;
  agentId: string;
  person: string;
  erasureId: string;
};

/** Tombstones of the deletions of a person. */
export const deletedPersonsList = ({
  tenantId,
  agentId,
  person,
}: Omit<ErasureRef, "erasureId">): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: `DELETED#PERSON#${agentId}#${person}#`,
});

/** Tombstone of one deletion of a person: exists until nothing of them is left. */
export const deletedPersonKey = ({ tenantId, agentId, person, erasureId }: ErasureRef): Key => {
  const { pk, prefix } = deletedPersonsList({ tenantId, agentId, person });
  return { pk, sk: prefix + erasureId };
};
