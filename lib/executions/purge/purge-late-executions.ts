import * as z from "zod";
import { getAgent } from "../../agents/agent/store.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { PurgeStep, PurgeStorage } from "../../platform/deletion/purge.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import { toDelaySeconds } from "../../platform/queue/delay-seconds.ts";
import type { Send } from "../../platform/queue/send.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import type { PurgeLateExecutionsMessage } from "../messages.ts";
import { executionsLists, parseExecutionKey } from "../record/keys.ts";
import { removeExecution } from "./purge-executions.ts";

/** After this time no request still runs an execution that it writes with its end, in milliseconds. */
const lateMs = 60_000;

const Listed = z.object({ pk: z.string(), sk: z.string() }).transform(parseExecutionKey);

/** Returns the step that requests the deletion of what is written after the purge of an agent. */
export const requestLatePurge =
  (send: Send, { tenantId, agentId }: PurgeRef<PurgeLateExecutionsMessage>): PurgeStep =>
  async () => {
    const message = { type: "purge-late-executions", tenantId, agentId };
    await send("housekeeping", tenantId, message, toDelaySeconds(lateMs));
    return "done";
  };

/**
 * Deletes the executions that requests in progress wrote after the purge of their agent: those from before the agent was created
 * again, or all where it was not. Safe to repeat.
 */
export const purgeLateExecutions = async (
  storage: PurgeStorage,
  { tenantId, agentId }: PurgeRef<PurgeLateExecutionsMessage>,
): Promise<void> => {
  const { db } = storage;
  const agent = await getAgent(db, tenantId, agentId);
  const before = agent?.createdAt ?? Number.POSITIVE_INFINITY;
  for (const list of executionsLists(tenantId, agentId)) {
    for await (const key of listAll(db, Listed, list, { members: ["pk", "sk"] })) {
      if (parseUuidTime(key.executionId) >= before) break;
      await removeExecution(storage, key);
    }
  }
};
