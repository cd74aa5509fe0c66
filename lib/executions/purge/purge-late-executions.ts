import * as z from "zod";
import { getAgent } from "../../agents/agent/store.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { PurgeStep, PurgeStorage } from "../../platform/deletion/purge.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { toDelaySeconds } from "../../platform/queue/delay-seconds.ts";
import type { Send } from "../../platform/queue/send.ts";
import { type Clock, parseUuidTime } from "../../platform/runtime/runtime.ts";
import { unwrittenMs } from "../lease/execution-lease.ts";
import type { PurgeLateExecutionsMessage } from "../messages.ts";
import { executionsLists, parseExecutionKey } from "../record/keys.ts";
import { removeExecution } from "./purge-executions.ts";

const Listed = z
  .object({ pk: z.string(), sk: z.string(), agentCreatedAt: z.int().default(0) })
  .transform(({ agentCreatedAt, ...key }) => ({ key: parseExecutionKey(key), agentCreatedAt }));

const members = ["pk", "sk", "agentCreatedAt"];

/** Returns the step that requests the deletion of what is written after the purge of an agent. */
export const requestLatePurge =
  (send: Send, { tenantId, agentId }: PurgeRef<PurgeLateExecutionsMessage>): PurgeStep =>
  async () => {
    const message = { type: "purge-late-executions", tenantId, agentId };
    await send("housekeeping", tenantId, message, toDelaySeconds(unwrittenMs));
    return "done";
  };

/**
 * Deletes the executions that requests and deliveries in progress wrote after the purge of their agent: those from before the agent was created
 * again, or from before now where it was not. Keeps those of the new agent that have the time of an earlier cause. Safe to repeat.
 */
export const purgeLateExecutions = async (
  { clock, ...storage }: PurgeStorage & { clock: Clock },
  { tenantId, agentId }: PurgeRef<PurgeLateExecutionsMessage>,
): Promise<void> => {
  const { db } = storage;
  // Before the agent is read: it may be created right after that, and run.
  const now = clock();
  const agent = await getAgent(db, tenantId, agentId);
  const before = agent?.createdAt ?? now;
  for (const list of executionsLists(tenantId, agentId)) {
    for await (const { key, agentCreatedAt } of listAll(db, Listed, list, { members })) {
      if (parseUuidTime(key.executionId) >= before) break;
      if (agentCreatedAt < before) await removeExecution(storage, key);
    }
  }
};
