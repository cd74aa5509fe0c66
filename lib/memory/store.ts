import * as z from "zod";
import type { EmbeddingModel } from "../engine/models/embedding-model.ts";
import { checkExists, ifNew } from "../platform/db/conditions.ts";
import type { Database } from "../platform/db/database.ts";
import { deleteTogether } from "../platform/db/delete-together.ts";
import { getItem } from "../platform/db/get-item.ts";
import { getItems } from "../platform/db/get-items.ts";
import { agentKey } from "../platform/db/keys.ts";
import { listIndex } from "../platform/db/list-index.ts";
import { listAll, listPage } from "../platform/db/list-page.ts";
import { tableAttributes } from "../platform/db/table.ts";
import type { TransactionWrite } from "../platform/db/transact.ts";
import { deleteItem, updateItem } from "../platform/db/write-item.ts";
import type { Page, PageRequest } from "../platform/http/paging.ts";
import { computeTtl } from "../tenancy/tenant/retention.ts";
import {
  dueMemoriesLists,
  factKey,
  memoriesList,
  type NamespacePlace,
  namespaceKey,
  namespacesLists,
  parseNamespaceKey,
  toDueAttributes,
} from "./keys.ts";
import { MemoryItem, NamespaceItem } from "./memory-item.ts";

const { indexPartitionKey, indexSortKey } = tableAttributes;

/** #MEMORIES#n / NAMESPACE#digest: reads a namespace; undefined for one that never had a fact. */
export const getNamespace = (
  db: Database,
  place: NamespacePlace,
): Promise<NamespaceItem | undefined> => getItem(db, namespaceKey(place), NamespaceItem);

const PlacedNamespace = z
  .object({ pk: z.string(), sk: z.string() })
  .transform((key) => parseNamespaceKey(key));

/** #MEMORIES#n / NAMESPACE#…: lists the namespaces of an agent. */
export async function* listNamespaces(
  db: Database,
  { tenantId, agentId }: Pick<NamespacePlace, "tenantId" | "agentId">,
): AsyncGenerator<NamespacePlace> {
  for (const list of namespacesLists(tenantId, agentId)) {
    yield* listAll(db, PlacedNamespace, list, { members: ["pk", "sk"] });
  }
}

/** #MEMORIES#n / MEMORY#digest#generation#…: lists the facts of a namespace, newest first. */
export const listFacts = (
  db: Database,
  place: NamespacePlace,
  generation: string,
  page: PageRequest,
): Promise<Page<MemoryItem>> => {
  const list = memoriesList(place, generation);
  return listPage(db, MemoryItem, { list, newestFirst: true, isIndexed: false }, page);
};

/** #MEMORIES#n / MEMORY#digest#generation#uuid: reads facts by the uuids of their ids. */
export const getFacts = (
  db: Database,
  place: NamespacePlace,
  generation: string,
  uuids: readonly string[],
): Promise<(MemoryItem | undefined)[]> =>
  getItems(
    db,
    uuids.map((uuid) => factKey(place, generation, uuid)),
    MemoryItem,
  );

/** A fact without its text: where it is, and when it expires. */
const PlacedFact = MemoryItem.pick({
  pk: true,
  sk: true,
  id: true,
  createdAt: true,
  expiresAt: true,
  index: true,
});
export type PlacedFact = z.output<typeof PlacedFact>;

/** #MEMORIES#n / MEMORY#digest#generation#…: lists where the facts of a namespace are. */
export const listPlacedFacts = (
  db: Database,
  place: NamespacePlace,
  generation: string,
  { newestFirst }: { newestFirst: boolean },
): AsyncGenerator<PlacedFact> => {
  const members = Object.keys(PlacedFact.shape);
  return listAll(db, PlacedFact, memoriesList(place, generation), { newestFirst, members });
};

/** A fact that is embedded again. */
const IndexedFact = MemoryItem.pick({
  pk: true,
  sk: true,
  id: true,
  text: true,
  expiresAt: true,
  index: true,
});
export type IndexedFact = z.output<typeof IndexedFact>;

/** #MEMORIES#n / MEMORY#digest#generation#…: lists the texts of the facts of a namespace, oldest first. */
export const listIndexedFacts = (
  db: Database,
  place: NamespacePlace,
  generation: string,
): AsyncGenerator<IndexedFact> => listAll(db, IndexedFact, memoriesList(place, generation));

/** Sets the model of a namespace that has facts; false when it was deleted, or got another model, since it was seen. */
export const putEmbedding = async (
  db: Database,
  place: NamespacePlace,
  { generation, embedding: seen }: Pick<NamespaceItem, "generation" | "embedding">,
  embedding: EmbeddingModel,
): Promise<boolean> => {
  const { written } = await updateItem(db, {
    Key: namespaceKey(place),
    UpdateExpression: "SET embedding = :embedding",
    ConditionExpression: "generation = :generation AND embedding = :seen",
    ExpressionAttributeValues: {
      ":embedding": embedding,
      ":generation": generation,
      ":seen": seen,
    },
  });
  return written;
};

/** Builds the writes that note the index of facts: the first fails when the namespace was deleted, others for a deleted fact. */
export const moveFacts = (
  place: NamespacePlace,
  generation: string,
  facts: readonly IndexedFact[],
  index: string,
): TransactionWrite[] => [
  {
    ConditionCheck: {
      Key: namespaceKey(place),
      ConditionExpression: "generation = :generation",
      ExpressionAttributeValues: { ":generation": generation },
    },
  },
  ...facts.map(({ pk, sk }) => ({
    Update: {
      Key: { pk, sk },
      UpdateExpression: "SET #index = :index",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: { "#index": "index" },
      ExpressionAttributeValues: { ":index": index },
    },
  })),
];

/** Builds the write that requires an agent to be the one that it was: not deleted since. */
export const checkSameAgent = (
  { tenantId, agentId }: Pick<NamespacePlace, "tenantId" | "agentId">,
  createdAt?: number,
): TransactionWrite => {
  const check = checkExists(agentKey(tenantId, agentId)).ConditionCheck;
  if (createdAt === undefined) return { ConditionCheck: check };
  return {
    ConditionCheck: {
      ...check,
      ConditionExpression: "createdAt = :createdAt",
      ExpressionAttributeValues: { ":createdAt": createdAt },
    },
  };
};

/** A namespace that gets facts, with their model; `seen`: as it was read, undefined for a new one. */
export type OpenNamespace = {
  generation: string;
  embedding: EmbeddingModel;
  seen: NamespaceItem | undefined;
};

/** Builds the writes that add facts to a namespace which has not been deleted, or got another model, since. `expiresAt`: of the facts. */
export const putFacts = (
  place: NamespacePlace,
  { generation, embedding, seen }: OpenNamespace,
  { facts, expiresAt }: { facts: readonly MemoryItem[]; expiresAt: number },
): TransactionWrite[] => {
  const due = toDueAttributes(place, expiresAt);
  const namespace: TransactionWrite = !seen
    ? {
        Put: {
          Item: { ...namespaceKey(place), generation, embedding, writes: 1, ...due },
          ...ifNew,
        },
      }
    : {
        Update: {
          Key: namespaceKey(place),
          // The index has the time of the oldest fact.
          UpdateExpression: `SET embedding = :embedding, ${indexPartitionKey} = if_not_exists(${indexPartitionKey}, :partition), ${indexSortKey} = if_not_exists(${indexSortKey}, :due) REMOVE #ttl ADD writes :one`,
          ConditionExpression: `generation = :generation AND ${
            seen.embedding ? "embedding = :seen" : "attribute_not_exists(embedding)"
          }`,
          ExpressionAttributeNames: { "#ttl": tableAttributes.timeToLive },
          ExpressionAttributeValues: {
            ...(seen.embedding && { ":seen": seen.embedding }),
            ":embedding": embedding,
            ":partition": due[indexPartitionKey],
            ":due": due[indexSortKey],
            ":generation": generation,
            ":one": 1,
          },
        },
      };
  return [namespace, ...facts.map((Item) => ({ Put: { Item } }))];
};

/** #MEMORIES#n / MEMORY#digest#generation#uuid: deletes a fact; false when it does not exist. */
export const deleteFact = async (
  db: Database,
  place: NamespacePlace,
  generation: string,
  uuid: string,
): Promise<boolean> => {
  const Key = factKey(place, generation, uuid);
  return (await deleteItem(db, { Key, ConditionExpression: "attribute_exists(pk)" })).written;
};

/** Deletes facts that expired, or that a namespace has no room for. */
export const deleteFacts = (db: Database, facts: readonly PlacedFact[]): Promise<void> =>
  deleteTogether(db, facts);

/** Days for which a deleted namespace refuses earlier turns: no execution waits longer. */
const erasedDays = 400;

/** Builds the write that gives a namespace a new generation, whether it exists or not. */
export const eraseNamespace = (
  place: NamespacePlace,
  seen: NamespaceItem | undefined,
  { generation, now }: { generation: string; now: number },
): TransactionWrite => ({
  Put: {
    Item: {
      ...namespaceKey(place),
      generation,
      // The index may have vectors until they are purged.
      ...(seen?.embedding && { embedding: seen.embedding }),
      erasedAt: now,
      [tableAttributes.timeToLive]: computeTtl(now, erasedDays),
    },
    ...(seen
      ? {
          ConditionExpression: "generation = :seen",
          ExpressionAttributeValues: { ":seen": seen.generation },
        }
      : ifNew),
  },
});

/** Index DUE-MEMORIES#n: lists namespaces with facts that expire until a time; it may miss a recent change. */
export async function* listDueNamespaces(
  db: Database,
  until: number,
): AsyncGenerator<NamespacePlace> {
  for (const request of dueMemoriesLists(until)) {
    for await (const keys of listIndex(db, request)) {
      for (const key of keys) yield parseNamespaceKey(key);
    }
  }
}

/**
 * Sets when the oldest fact of a namespace expires, Unix milliseconds; undefined for one without facts. Does nothing when it was
 * deleted, or got facts, since it was seen.
 */
export const putDue = async (
  db: Database,
  place: NamespacePlace,
  { generation, writes }: Pick<NamespaceItem, "generation" | "writes">,
  { oldest, now }: { oldest: number | undefined; now: number },
): Promise<void> => {
  const seen = { ":generation": generation, ":writes": writes };
  const ConditionExpression = "generation = :generation AND writes = :writes";
  await updateItem(db, {
    Key: namespaceKey(place),
    ConditionExpression,
    ...(oldest === undefined
      ? {
          UpdateExpression: `SET #ttl = :ttl REMOVE ${indexPartitionKey}, ${indexSortKey}`,
          ExpressionAttributeNames: { "#ttl": tableAttributes.timeToLive },
          ExpressionAttributeValues: { ...seen, ":ttl": computeTtl(now, erasedDays) },
        }
      : {
          UpdateExpression: `SET ${indexSortKey} = :due`,
          ExpressionAttributeValues: {
            ...seen,
            ":due": toDueAttributes(place, oldest)[indexSortKey],
          },
        }),
  });
};
