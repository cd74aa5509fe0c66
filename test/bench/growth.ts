import { randomUUID } from "node:crypto";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { agentsList } from "../../lib/agents/agent/keys.ts";
import { listAgents } from "../../lib/agents/agent/store.ts";
import { listExecutionsNewestFirst } from "../../lib/executions/read/list-executions.ts";
import { listTenantExecutions } from "../../lib/executions/read/list-tenant-executions.ts";
import { executionsLists } from "../../lib/executions/record/keys.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import type { ListKey } from "../../lib/platform/db/keys.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import type { Topic } from "./bench.ts";
import { connectTable } from "./connect-table.ts";
import { countCalls } from "./count-unit.ts";
import { startCountingProxy } from "./counting-proxy.ts";
import { fillAgents, fillExecutions } from "./fill.ts";
import { type Effort, interleave } from "./interleave.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

const pageSize = 50;
const agentId = "busy";

/** A list and its functions. */
type List = {
  name: string;
  fill: (db: Database, tenantId: TenantId, count: number) => Promise<void>;
  read: (db: Database, tenantId: TenantId, skip: number) => Promise<{ items: unknown[] }>;
  partitions: (tenantId: TenantId) => ListKey[];
};

const lists: readonly List[] = [
  {
    name: "agents",
    fill: fillAgents,
    read: (db, tenantId, skip) => listAgents(db, tenantId, { size: pageSize, skip }),
    partitions: (tenantId) => [agentsList(tenantId)],
  },
  {
    name: "executions",
    fill: (db, tenantId, count) => fillExecutions(db, tenantId, agentId, count),
    read: (db, tenantId, skip) =>
      listExecutionsNewestFirst(
        db,
        { tenantId, agentId },
        { now: Date.now() },
        { size: pageSize, skip },
      ),
    partitions: (tenantId) => executionsLists(tenantId, agentId),
  },
  {
    name: "executions, all agents",
    fill: async (db, tenantId, count) => {
      await fillAgents(db, tenantId, 1);
      await fillExecutions(db, tenantId, "agent-000000", count);
    },
    read: (db, tenantId, skip) =>
      listTenantExecutions(db, tenantId, { now: Date.now() }, { size: pageSize, skip }),
    partitions: (tenantId) => executionsLists(tenantId, "agent-000000"),
  },
];

/** Cost of a list's first page and of a page after a deep skip, as the list grows. */
export const growth: Topic = async ({ short, stack: start }) => {
  const stack = await start();
  const proxy = await startCountingProxy();
  proxy.attach(stack.dynamodbEndpoint);
  const [direct, throughProxy] = [
    connectTable(stack.table, stack.dynamodbEndpoint),
    connectTable(stack.table, proxy.endpoint),
  ];
  const rows: Cell[][] = [];
  for (const list of lists) {
    for (const count of short ? [10, 1_000] : [10, 1_000, 10_000]) {
      const tenantId = TenantId.parse(randomUUID());
      await list.fill(direct, tenantId, count);
      for (const skip of count > pageSize ? [0, count - pageSize] : [0]) {
        const page = () => list.read(direct, tenantId, skip);
        const bare = () => firstItems(direct, list.partitions(tenantId));
        const [ours, alone] = await timed([page, bare], { turns: 21, seconds: short ? 0.4 : 2 });
        proxy.take();
        const { items } = await list.read(throughProxy, tenantId, skip);
        if (items.length !== Math.min(pageSize, count))
          throw new Error(`a page of ${items.length}`);
        const counted = proxy.take();
        const { calls, readUnits } = countCalls(counted);
        const bytes = counted.reduce((sum, { response }) => sum + response.length, 0);
        const read = [calls, readUnits, bytes / 1_000];
        rows.push([list.name, count, skip, ...read, ours ?? 0, alone ?? 0]);
      }
    }
  }
  await proxy.close();
  return {
    title: `growth: a page of ${pageSize} from growing lists`,
    columns: ["list", "items", "skip", "calls", "read units", "KB read", "ms", "bare page, ms"],
    rows,
  };
};

/** Queries a page without skipping or parsing: the cost of the SDK and the engine. */
const firstItems = (db: Database, partitions: readonly ListKey[]) =>
  Promise.all(
    partitions.map(({ pk, prefix }) =>
      db.client.send(
        new QueryCommand({
          TableName: db.table,
          KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
          ExpressionAttributeValues: { ":pk": pk, ":prefix": prefix },
          ConsistentRead: true,
          Limit: Math.ceil((pageSize + 1) / partitions.length),
        }),
      ),
    ),
  );

/** Returns the median milliseconds per work. */
const timed = async (
  works: readonly (() => Promise<unknown>)[],
  effort: Effort,
): Promise<number[]> => {
  const times = works.map((): number[] => []);
  const timing = works.map((work, at) => async () => {
    const startedAt = performance.now();
    await work();
    times[at]?.push(performance.now() - startedAt);
  });
  await interleave(timing, effort);
  return times.map(median);
};
