import type { Database } from "../../platform/db/database.ts";
import { agentKey, agentPartition } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { type ExecutionItem, isOpen, ListedExecution } from "../execution/items.ts";
import { executionsLists } from "../execution/keys.ts";
import { movedUsageKey } from "./keys.ts";
import type { DayCounts, Move, UndatedCounter } from "./plan-moves.ts";
import { type EarlierCounter, listEarlierUsage } from "./store.ts";
import { toAttributes, toStoredModel } from "./stored-names.ts";
import { fromUnits, toUnits } from "./units.ts";

/** An agent as it was read: one of the same id that was created later is another. */
export type ReadAgent = { tenantId: TenantId; id: string; createdAt: number };

/** TENANT#t#AGENT#a / USAGE#…: reads the counters without days of an agent by revision. */
export const readUndated = async (
  db: Database,
  { tenantId, id }: ReadAgent,
  revision: number | "*" = "*",
): Promise<Map<number, UndatedCounter[]>> => {
  const counters = await Array.fromAsync(listEarlierUsage(db, tenantId, id, revision));
  return new Map(
    [...Map.groupBy(counters, ({ sk }) => Number(sk.split("#")[1]))].map(([of, each]) => [
      of,
      each.map(toUndated),
    ]),
  );
};

const toUndated = ({
  sk,
  providerId,
  modelId,
  moves,
  ...measures
}: EarlierCounter): UndatedCounter => ({
  sk,
  model: providerId === undefined || modelId === undefined ? undefined : { providerId, modelId },
  units: toUnits(measures),
  moves,
});

/** Members of a record that tell when and what it used; input and result stay out of memory. */
const members = [
  "pk",
  "sk",
  "agentRevision",
  "status",
  "settled",
  "trigger",
  "inputTokens",
  "outputTokens",
  "cachedTokens",
  "inputCost",
  "outputCost",
  "cachedCost",
  "thinkingCost",
  "totalCost",
];

/** TENANT#t#AGENT#a / EXEC#…: lists the executions of an agent whose usage is counted, partition by partition. */
export async function* listCounted(
  db: Database,
  { tenantId, id }: ReadAgent,
  shardCount: number,
): AsyncGenerator<ExecutionItem> {
  for (const list of executionsLists(tenantId, id, shardCount)) {
    for await (const item of listAll(db, ListedExecution, list, { members })) {
      if (!isOpen(item)) yield item;
    }
  }
}

/**
 * Moves counts to counters of days, all or nothing. Returns "changed" when another writer changed an undated counter,
 * or when the agent was deleted.
 */
export const writeMove = async (
  db: Database,
  agent: ReadAgent,
  revision: number,
  { from, to }: Move,
): Promise<"written" | "changed"> => {
  const { written } = await transact(db, [
    {
      ConditionCheck: {
        Key: agentKey(agent.tenantId, agent.id),
        ConditionExpression: "createdAt = :createdAt",
        ExpressionAttributeValues: { ":createdAt": agent.createdAt },
      },
    },
    ...from.map((each) => reduce(agent, each)),
    ...to.map((each) => addToDay(agent, revision, each)),
  ]);
  return written ? "written" : "changed";
};

/** Every writer changes `executionCount`, or `moves`, of a counter. */
const reduce = (
  { tenantId, id }: ReadAgent,
  { counter: { sk, units, moves }, left }: Move["from"][number],
): TransactionWrite => {
  const movesSeen = moves === 0 ? "attribute_not_exists(moves)" : "moves = :moves";
  const unchanged = {
    Key: { pk: agentPartition(tenantId, id), sk },
    ConditionExpression: `executionCount = :seen AND ${movesSeen}`,
  };
  const seen = {
    ":seen": fromUnits(units).executionCount,
    ...(moves > 0 && { ":moves": moves }),
  };
  if (!left) return { Delete: { ...unchanged, ExpressionAttributeValues: seen } };
  const { failedCount: _notCounted, ...counts } = fromUnits(left);
  const sets = Object.entries({ ...counts, moves: moves + 1 });
  return {
    Update: {
      ...unchanged,
      UpdateExpression: `SET ${sets.map(([name], at) => `${name} = :v${at}`).join(", ")}`,
      ExpressionAttributeValues: {
        ...seen,
        ...Object.fromEntries(sets.map(([, value], at) => [`:v${at}`, value])),
      },
    },
  };
};

const addToDay = (
  { tenantId, id }: ReadAgent,
  revision: number,
  { day, trigger, part, executions, models }: DayCounts,
): TransactionWrite => {
  const counts = [
    ...toAttributes(fromUnits(executions), ""),
    ...models.flatMap(({ model, units }) =>
      toAttributes(fromUnits(units), toStoredModel(model).token),
    ),
  ];
  const names = models.map(({ model }) => toStoredModel(model).name);
  const adds = [...counts.map((_, at) => `#${at} :${at}`), ...(names.length > 0 ? ["m :m"] : [])];
  return {
    Update: {
      Key: movedUsageKey(tenantId, id, { day, revision, trigger, part }),
      UpdateExpression: `SET d = :d ADD ${adds.join(",")}`,
      ExpressionAttributeNames: Object.fromEntries(counts.map(([name], at) => [`#${at}`, name])),
      ExpressionAttributeValues: {
        ":d": Number(day.slice(8)),
        ...Object.fromEntries(counts.map(([, amount], at) => [`:${at}`, amount])),
        ...(names.length > 0 && { ":m": new Set(names) }),
      },
    },
  };
};
