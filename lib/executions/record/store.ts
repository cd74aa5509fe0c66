import { AgentItem } from "../../agents/agent/store.ts";
import { ifExists, ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems, getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { ExecutionStatus } from "../schemas.ts";
import {
  ifOpen,
  isOpen,
  ListedExecution,
  openIndex,
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

/** AGENT#a with EXEC#id: reads the record of an execution, and its agent. */
export const getAgentAndExecution = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  executionId: string,
): Promise<{ agent: AgentItem; execution: StoredExecution } | undefined> => {
  const found = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    execution: executionKey({ tenantId, agentId, executionId }),
  });
  if (!found.agent || !found.execution) return undefined;
  return {
    agent: AgentItem.parse(found.agent),
    execution: StoredExecution.parse(found.execution),
  };
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

/**
 * Queues a waiting execution: from now on it is among the open ones, and its message counts as lost after `leaseUntil`
 * (Unix milliseconds). Returns "open" for one that runs or is queued, "ended" for one that ended or was deleted.
 */
export const queueWaiting = async (
  db: Database,
  key: ExecutionKey,
  leaseUntil: number,
): Promise<"queued" | "open" | "ended"> => {
  const { written, item } = await updateItem(db, buildQueueWaiting(key, leaseUntil));
  if (written) return "queued";
  return item && isOpen(StoredExecution.parse(item).item) ? "open" : "ended";
};

/** Builds the update by which `queueWaiting` queues an execution. */
export const buildQueueWaiting = (key: ExecutionKey, leaseUntil: number) =>
  buildChange(key, { status: "Queued", leaseUntil, sends: 1, ...openIndex(key.executionId) });

/**
 * Builds the update that counts an answer to a wait of an execution that runs or is queued: its run does not begin to wait
 * before it has read it.
 */
export const buildCountAnswer = (key: ExecutionKey) => ({
  Key: executionKey(key),
  UpdateExpression: "ADD answers :one",
  ConditionExpression: "#status IN (:running, :queued)",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":one": 1, ":running": "Running", ":queued": "Queued" },
});

/**
 * Cancels a waiting execution. It is among the open ones from now on, so that a run counts its usage; a sub-agent's
 * (`leaseUntil` undefined) is counted by the run of its caller. Returns false for one that does not wait.
 */
export const cancelWaitingItem = async (
  db: Database,
  key: ExecutionKey,
  { endTime, leaseUntil }: { endTime: number; leaseUntil: number | undefined },
): Promise<boolean> => {
  const lease = leaseUntil !== undefined && {
    leaseUntil,
    sends: 1,
    ...openIndex(key.executionId),
  };
  const update = buildChange(key, { status: "Cancelled", endTime, ...lease });
  return (await updateItem(db, update)).written;
};

/** Builds the update of a waiting execution. */
const buildChange = (key: ExecutionKey, set: Record<string, unknown>) => {
  const names = Object.keys(set);
  return {
    Key: executionKey(key),
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
    ConditionExpression: "#status = :waiting",
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ":waiting": "Waiting",
    },
  };
};

/** Makes a sub-agent's waiting execution run again, within a run of its caller. */
export const resumeSubExecution = async (db: Database, key: ExecutionKey): Promise<void> => {
  await updateItem(db, {
    Key: executionKey(key),
    UpdateExpression: "SET #status = :running",
    ConditionExpression: "#status = :waiting",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: { ":running": "Running", ":waiting": "Waiting" },
  });
};

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
