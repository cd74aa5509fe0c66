import { AgentItem } from "../../agents/agent/store.ts";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems, getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import type { ExecutionStatus } from "../schemas.ts";
import {
  ifOpen,
  ListedExecution,
  StoredExecution,
  type StoredValue,
  withoutExpired,
} from "./execution-record.ts";
import { type ExecutionKey, executionKey, executionPartKey } from "./keys.ts";
import type { TreeCost } from "./results.ts";
import { PartItem } from "./values.ts";

/** Writes the record of a new execution, and `more` with it; returns "exists" when it was written before. */
export const putNewExecution = async (
  db: Database,
  record: Record<string, unknown>,
  more?: TransactionWrite,
): Promise<"written" | "exists"> => {
  const put = { Item: record, ...ifNew };
  const { written } = more ? await transact(db, [{ Put: put }, more]) : await putItem(db, put);
  return written ? "written" : "exists";
};

/** AGENT#a with EXEC#id: reads the record of an execution, and its agent; undefined where there is none. */
export const findAgentAndExecution = async (
  db: Database,
  key: ExecutionKey,
): Promise<{ agent: AgentItem | undefined; execution: StoredExecution | undefined }> => {
  const { agent, execution } = await getNamedItems(db, {
    agent: agentKey(key.tenantId, key.agentId),
    execution: executionKey(key),
  });
  return {
    agent: agent && AgentItem.parse(agent),
    execution: execution && StoredExecution.parse(execution),
  };
};

/** AGENT#a with EXEC#id: reads the record of an execution, and its agent; undefined unless both exist. */
export const getAgentAndExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<{ agent: AgentItem; execution: StoredExecution } | undefined> => {
  const { agent, execution } = await findAgentAndExecution(db, { tenantId, agentId, executionId });
  return agent && execution && { agent, execution };
};

/** AGENT#a with EXEC#id: reads the record of an execution of an existing agent. */
export const getExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<StoredExecution | undefined> =>
  (await getAgentAndExecution(db, tenantId, agentId, executionId))?.execution;

/** AGENT#a with EXEC#id: as `getExecution`, without what has expired. */
export const getKeptExecution = async (
  db: Database,
  tenantId: TenantId,
  { agentId, executionId, now }: { agentId: string; executionId: string; now: number },
): Promise<StoredExecution | undefined> =>
  withoutExpired(await getExecution(db, tenantId, agentId, executionId), now);

/** AGENT#a with EXEC#id, for each agent: finds the record of an execution of one of them, unless it has expired. */
export const findExecutionOfAgents = async (
  db: Database,
  tenantId: TenantId,
  { agentIds, executionId, now }: { agentIds: readonly string[]; executionId: string; now: number },
): Promise<StoredExecution | undefined> => {
  const keys = agentIds.map((agentId) => executionKey({ tenantId, agentId, executionId }));
  const found = await getItems(db, keys, StoredExecution);
  return withoutExpired(
    found.find((execution) => execution !== undefined),
    now,
  );
};

/** Builds the write that adds US dollars to the reservation of an execution that has not ended. */
export const reserveOnRecord = (key: ExecutionKey, more: number): TransactionWrite => ({
  Update: {
    Key: executionKey(key),
    UpdateExpression: "ADD reserved :more",
    ConditionExpression: ifOpen.expression,
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":more": more, ...ifOpen.values },
  },
});

/** Corrects the cost of an ended execution with its sub-agents, some of which ended after it. */
export const putCostWithSubAgents = (
  db: Database,
  key: ExecutionKey,
  { cost, priced }: TreeCost,
): Promise<unknown> =>
  transact(db, [
    {
      Update: {
        Key: executionKey(key),
        UpdateExpression: "SET totalCostWithSubAgents = :cost, pricedWithSubAgents = :priced",
        ...ifExists,
        ExpressionAttributeValues: { ":cost": cost, ":priced": priced },
      },
    },
  ]);

const Status = ListedExecution.transform(({ id, status }) => ({ id, status }));

/** TENANT#t#AGENT#a#EXEC#n / EXEC#id: reads the statuses of executions, by id; leaves out deleted ones. */
export const readStatuses = async (
  db: Database,
  executions: readonly ExecutionKey[],
): Promise<Map<string, ExecutionStatus>> => {
  const found = await getItems(db, executions.map(executionKey), Status);
  return new Map(found.flatMap((item) => (item ? [[item.id, item.status]] : [])));
};

/**
 * AGENT#a with PARTS#… / EXEC#id#…: reads agents of a tenant, and the inputs of executions that are not in their records, in
 * one round trip.
 */
export const getAgentsAndInputs = async (
  db: Database,
  tenantId: TenantId,
  wanted: { agentIds: readonly string[]; inputs: readonly StoredExecution[] },
): Promise<{ agents: Map<string, AgentItem>; inputs: Map<string, StoredValue> }> => {
  const agentKeys = wanted.agentIds.map((id) => [`agent ${id}`, agentKey(tenantId, id)] as const);
  const inputKeys = wanted.inputs.flatMap(({ item: { agentId, id }, input }) =>
    "part" in input
      ? [[`input ${id}`, executionPartKey(tenantId, agentId, id, input.part)] as const]
      : [],
  );
  const found = await getNamedItems(db, Object.fromEntries([...agentKeys, ...inputKeys]));
  const agents = new Map<string, AgentItem>();
  for (const id of wanted.agentIds) {
    const agent = found[`agent ${id}`];
    if (agent) agents.set(id, AgentItem.parse(agent));
  }
  const inputs = new Map<string, StoredValue>();
  for (const { item, input } of wanted.inputs) {
    const part = found[`input ${item.id}`];
    inputs.set(item.id, part ? PartItem.parse(part).value : input);
  }
  return { agents, inputs };
};
