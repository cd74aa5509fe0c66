import { randomUUID } from "node:crypto";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { AgentItem } from "../../lib/agents/agent/store.ts";
import { noCost, noTokens } from "../../lib/engine/models/sums.ts";
import { type ExecutionRecord, toStored } from "../../lib/executions/record/execution-record.ts";
import {
  executionKey,
  recordsIndexPartition,
  toExecutionKey,
} from "../../lib/executions/record/keys.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { agentKey, listed } from "../../lib/platform/db/keys.ts";
import { tableAttributes } from "../../lib/platform/db/table.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { uuidAt } from "../../lib/platform/runtime/runtime.ts";
import { packJson } from "../harness/pack-json.ts";

const largestBatch = 25;
const writers = 4;
const firstTime = Date.UTC(2026, 10, 1);

/** Writes agents in batches, in the format of `putNewAgent`. */
export const fillAgents = (db: Database, tenantId: TenantId, count: number): Promise<void> =>
  fill(db, count, (at) => {
    const id = `agent-${String(at).padStart(6, "0")}`;
    const agent: Omit<AgentItem, "usedBy" | "budget" | "onlineEvaluation" | "isScheduled"> = {
      id,
      displayName: `Agent ${at}`,
      description: "Answers what customers ask about their orders, and hands over when it cannot.",
      deployedRevision: 1,
      latestRevision: 3,
      avatarFileId: null,
      createdAt: firstTime,
      modifiedAt: firstTime,
      deployedSubAgents: [],
    };
    return { ...listed(agentKey(tenantId, id)), ...agent };
  });

/** Writes finished executions in batches, one second apart. */
export const fillExecutions = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  count: number,
): Promise<void> =>
  fill(db, count, (at) => {
    const startTime = firstTime + at * 1_000;
    const id = uuidAt(startTime, Buffer.from(randomUUID().replaceAll("-", ""), "hex"));
    const execution: ExecutionRecord = {
      id,
      agentId,
      agentRevision: 1,
      startTime,
      endTime: startTime + 800,
      ...noTokens,
      hasResult: true,
      hasTrace: false,
      isSample: false,
      trigger: { type: 0, id: randomUUID(), provider: null },
      traceId: id.replaceAll("-", ""),
      destinations: [],
      environmentSlug: "production",
      createdAt: startTime,
      tenantId,
      ...noCost,
      totalCostWithSubAgents: 0,
      priced: true,
      pricedWithSubAgents: true,
      status: "Succeeded",
      errorType: null,
      errorDetail: null,
      session: null,
      reserved: 0,
    };
    return {
      ...executionKey(toExecutionKey(execution)),
      [tableAttributes.recordsIndexPartitionKey]: recordsIndexPartition(toExecutionKey(execution)),
      ...toStored(execution),
      input: packJson({ input: { name: "Ada" } }),
    };
  });

const fill = async (
  db: Database,
  count: number,
  itemAt: (at: number) => Record<string, unknown>,
): Promise<void> => {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < count) {
      const start = next;
      next += largestBatch;
      const batch = Array.from({ length: Math.min(largestBatch, count - start) }, (_, at) => ({
        PutRequest: { Item: itemAt(start + at) },
      }));
      await db.client.send(new BatchWriteCommand({ RequestItems: { [db.table]: batch } }));
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
};
