import type { AgentItem } from "../../agents/agent/store.ts";
import type { FlowError } from "../../engine/flow/flow-result.ts";
import { sumUsage, totalUsage } from "../../engine/flow/sum-usage.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { listSteps, listSubExecutions } from "../checkpoints/checkpoint-store.ts";
import { listWaits } from "../checkpoints/wait-store.ts";
import type { EndInput, ExecutionDeps } from "../job/job.ts";
import { maxClaims, type OpenExecution } from "../lease/execution-lease.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import {
  addTreeCosts,
  noTreeCost,
  readTreeCost,
  type TreeCost,
  toErrorMembers,
  toTreeMembers,
} from "../record/results.ts";
import { getAgentAndExecution } from "../record/store.ts";
import { finalStatuses } from "../schemas.ts";
import { endExecution } from "./end-execution.ts";
import { closeWaits } from "./settle-execution.ts";

type Abandonment = {
  owner: string | null;
  status: "Failed" | "Cancelled";
  /** Whether to rely on the record alone, because an earlier worker failed to abandon the execution. */
  isLastResort: boolean;
};

/**
 * Ends an execution that many workers claimed and none could end, and its sub-agents' executions. Uses the
 * records alone, since a revision, input or trace may be the cause. Counts the usage of finished steps where
 * they can be read; the trace is empty.
 */
export const abandonExecution = async (
  deps: ExecutionDeps,
  { item, lease: { owner, claims } }: OpenExecution,
): Promise<void> => {
  const key = toExecutionKey(item);
  log("execution-abandoned", key);
  const isLastResort = claims > maxClaims + 1;
  await endFromRecord(deps, key, { owner, status: "Failed", isLastResort });
};

const endFromRecord = async (
  deps: ExecutionDeps,
  key: ExecutionKey,
  abandonment: Abandonment,
): Promise<TreeCost> => {
  const { db } = deps;
  const { tenantId, agentId, executionId } = key;
  const found = await getAgentAndExecution(db, tenantId, agentId, executionId);
  if (!found) return noTreeCost;
  const { agent, execution } = found;
  const { item } = execution;
  if (finalStatuses.has(item.status) && item.status !== "Cancelled") {
    return readTreeCost(item);
  }
  const children = await orElse(
    abandonment,
    () => listSubExecutions(db, tenantId, executionId),
    [],
  );
  let subAgentsCost = noTreeCost;
  for (const child of children) {
    const cancelled = { ...abandonment, owner: null, status: "Cancelled" } as const;
    const end = () => endFromRecord(deps, { tenantId, ...child }, cancelled);
    subAgentsCost = addTreeCosts(subAgentsCost, await orElse(abandonment, end, noTreeCost));
  }
  const end = await planEnd(deps, key, { agent, item }, { ...abandonment, subAgentsCost });
  const buildEvents = () => deps.endHooks.prepareEvents(deps, item)(end);
  const events = [
    ...(await orElse(abandonment, buildEvents, [])),
    ...(await orElse(abandonment, () => deps.endHooks.beforeEnd(deps, end), [])),
  ];
  const ended = await endExecution(deps, { end, events, from: "open" });
  await orElse(
    abandonment,
    async () => closeWaits(deps, { key, open: await listWaits(deps.db, key) }),
    undefined,
  );
  if (!ended) await endExecution(deps, { end, events, from: "cancelled" });
  else await Promise.all(events.map((event) => enqueueEvent(deps.send, event)));
  return readTreeCost(item.settled ? item : end.outcome.item);
};

const planEnd = async (
  deps: ExecutionDeps,
  key: ExecutionKey,
  { agent, item }: { agent: AgentItem; item: ExecutionRecord },
  abandonment: Abandonment & { subAgentsCost: TreeCost },
): Promise<EndInput> => {
  const { owner, status, isLastResort, subAgentsCost } = abandonment;
  const steps = isLastResort
    ? new Map<never, never>()
    : await listSteps(deps, key, deps.runtime.clock());
  const usage = sumUsage([...steps.values()].flatMap(({ spans }) => spans));
  const { tokens, cost, priced } = totalUsage(usage);
  const detail = `${maxClaims} workers claimed the execution and none could end it. Its last step may need too much memory, or its input or revision may be unreadable.`;
  const error: FlowError | null =
    status === "Failed" ? { slug: "execution-failed", detail, step: null } : null;
  const ended = {
    ...item,
    status,
    ...toErrorMembers(error),
    endTime: deps.runtime.clock(),
    hasResult: false,
    hasTrace: false,
    ...tokens,
    ...cost,
    priced,
    ...toTreeMembers({ cost: cost.totalCost, priced }, subAgentsCost),
  };
  const outcome = { item: ended, output: null, error, trace: [] };
  return { tenantId: key.tenantId, agent, owner, outcome, usage };
};

/** Runs optional work: its failure is thrown the first time, and only logged as the last resort. */
const orElse = async <Result>(
  { isLastResort }: Pick<Abandonment, "isLastResort">,
  work: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (!isLastResort) throw error;
    log("execution-abandon-incomplete", { error: asError(error) });
    return otherwise;
  }
};
