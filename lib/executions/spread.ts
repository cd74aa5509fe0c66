import { type AgentItem, addExecutionShards, getAgent } from "../agents/agent/store.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import { timeOfUuid } from "../platform/runtime/runtime.ts";
import type { ExecutionDeps } from "./context.ts";
import { type ExecutionPlace, executionKey, shardAmong, shardCounts } from "./keys.ts";

/** Where the record of a new execution is written. */
export type NewPlace = { id: string; agentId: string; shard: string };

/**
 * Time from the moment that an agent's executions are spread further to the first id for which it counts, in
 * milliseconds. Longer than clocks differ: whoever reads the agent after the time of an id then derives the same place
 * from both, so that a cause that is processed twice finds the execution that it started.
 */
const spreadAfterMs = 10_000;

const countAt = (
  { executionShards }: Pick<AgentItem, "executionShards">,
  executionId: string,
): number => {
  const time = timeOfUuid(executionId);
  return executionShards.findLast(({ from }) => from <= time)?.count ?? 1;
};

/** Returns the place of a new execution: its shard follows from its id and the agent, which was read after its time. */
export const newPlace = (
  agent: Pick<AgentItem, "id" | "executionShards">,
  executionId: string,
): NewPlace => ({
  id: executionId,
  agentId: agent.id,
  shard: shardAmong(executionId, countAt(agent, executionId)),
});

/**
 * Writes the record of an execution. When its partition is at DynamoDB's limit, spreads the agent's next executions over
 * more partitions: 4, then 16. Best effort; the write itself is retried where it is.
 */
export const writeRecord = async <Result>(
  deps: Pick<ExecutionDeps, "db" | "runtime">,
  place: ExecutionPlace,
  write: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await write();
  } finally {
    await spreadIfHot(deps, [place]);
  }
};

/** Does the same after executions were written. */
export const spreadIfHot = async (
  deps: Pick<ExecutionDeps, "db" | "runtime">,
  places: readonly ExecutionPlace[],
): Promise<void> => {
  for (const place of places) {
    if (deps.db.hotPartitions.take(executionKey(place).pk)) await spreadMore(deps, place);
  }
};

const spreadMore = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  { tenantId, agentId, executionId }: ExecutionPlace,
): Promise<void> => {
  try {
    const agent = await getAgent(db, tenantId, agentId);
    if (!agent) return;
    const before = agent.executionShards.at(-1)?.count ?? 1;
    const count = shardCounts.find((each) => each > before);
    // Executions from before the last time are not in its shards.
    if (count === undefined || countAt(agent, executionId) !== before) return;
    const from = runtime.clock() + spreadAfterMs;
    if (!(await addExecutionShards(db, tenantId, agent, { count, from }))) return;
    log().warn("executions of an agent are spread over more partitions", {
      tenantId,
      agentId,
      partitions: count,
    });
  } catch (error) {
    log().warn("executions of an agent could not be spread", { agentId, error: asError(error) });
  }
};
