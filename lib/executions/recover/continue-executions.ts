import { AgentItem } from "../../agents/agent/store.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey, type Key } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import {
  claimExecution,
  type ExecutionDeps,
  type ExecutionRecord,
  type ExecutionRun,
  executionPartKey,
  type Lease,
  leaseMs,
  listSteps,
  maxClaims,
  maxExecutionMs,
  type OpenExecution,
  PartItem,
  type RunAgent,
  type RunExecutionMessage,
  removeExecution,
  toExecutionKey,
} from "../record/execution-record.ts";
import { cancelJob, type RunHooks, runOpenExecution, toJob } from "../run/run-execution.ts";
import { carriedAgent, carriedInput } from "../start/start-execution.ts";
import { abandonExecution } from "./abandon-execution.ts";

/**
 * Claims the executions of a message that no run holds, and runs them at the same time until they end, or hands
 * them over shortly before the deadline. Does not repeat finished steps. Does nothing for an execution that is
 * settled or held. Rejects with the first failure once all have ended: a redelivered message does not run the
 * ended ones again.
 * @param deadline when the function times out, Unix milliseconds
 * @param hooksFor called for each execution before it runs; its `onEnded` not after one that was abandoned
 */
export const continueExecutions = async (
  deps: ExecutionDeps,
  { tenantId, runs }: Pick<RunExecutionMessage, "tenantId" | "runs">,
  deadline: number,
  hooksFor?: (item: ExecutionRecord) => RunHooks | undefined,
): Promise<void> => {
  const claims = await Promise.allSettled(runs.map((run) => claim(deps, tenantId, run)));
  const claimed = claims.flatMap((each) => (each.status === "fulfilled" ? (each.value ?? []) : []));
  const lost = claimed.filter(({ lease }) => lease.claims > maxClaims);
  const loaded = await load(
    deps,
    tenantId,
    claimed.filter(({ lease }) => lease.claims <= maxClaims),
  );
  const ended = await Promise.allSettled([
    ...lost.map((execution) => abandonExecution(deps, execution)),
    ...loaded.map((each) =>
      runClaimed(deps, tenantId, each, { deadline, hooks: hooksFor?.(each.execution.item) }),
    ),
  ]);
  for (const each of [...claims, ...ended]) if (each.status === "rejected") throw each.reason;
};

type Claimed = OpenExecution & { lease: Lease & { owner: string }; run: ExecutionRun };

const claim = async (
  { db, runtime }: ExecutionDeps,
  tenantId: TenantId,
  run: ExecutionRun,
): Promise<Claimed | undefined> => {
  const { agentId, executionId } = run;
  const place = { tenantId, agentId, executionId };
  const owner = newUuid(runtime);
  const now = runtime.clock();
  const request = { owner, now, leaseUntil: now + leaseMs, endsBy: now + maxExecutionMs };
  const claimed = await claimExecution(db, place, request);
  return claimed && { ...claimed, lease: { ...claimed.lease, owner }, run };
};

type Loaded = { execution: Claimed; agent: RunAgent };

/**
 * Reads the agents of executions and the inputs that are not in their records, in one round trip, unless the message
 * carries them. Deletes executions whose agent was deleted.
 */
const load = async (
  deps: ExecutionDeps,
  tenantId: TenantId,
  claimed: readonly Claimed[],
): Promise<Loaded[]> => {
  const now = deps.runtime.clock();
  const executions = claimed.map((each) => ({
    ...each,
    input: carriedInput(each, each.run) ?? each.input,
    agent: carriedAgent(each, each.run, now),
  }));
  const keys = new Map<string, Key>();
  for (const { item, input, agent } of executions) {
    const { agentId, id } = item;
    if (!agent) keys.set(`agent ${agentId}`, agentKey(tenantId, agentId));
    if (input && "part" in input) {
      keys.set(`input ${id}`, executionPartKey(tenantId, agentId, id, input.part));
    }
  }
  const found = await getNamedItems(deps.db, Object.fromEntries(keys));
  const orphans = executions.filter(({ agent, item }) => !agent && !found[`agent ${item.agentId}`]);
  await Promise.all(orphans.map(({ item }) => removeExecution(deps, toExecutionKey(item))));
  return executions.flatMap(({ agent: carried, ...execution }) => {
    const { agentId, id } = execution.item;
    const [read, part] = [found[`agent ${agentId}`], found[`input ${id}`]];
    const agent = carried ?? (read && AgentItem.parse(read));
    if (!agent) return [];
    const input = part ? PartItem.parse(part).value : execution.input;
    return [{ execution: { ...execution, input }, agent }];
  });
};

const runClaimed = async (
  deps: ExecutionDeps,
  tenantId: TenantId,
  { execution, agent }: Loaded,
  { deadline, hooks }: { deadline: number; hooks: RunHooks | undefined },
): Promise<void> => {
  const { item, lease } = execution;
  const { owner, claims, limitMs = maxExecutionMs } = lease;
  const longestEnd = lease.endsBy ?? deps.runtime.clock() + maxExecutionMs;
  const endsBy = longestEnd - maxExecutionMs + limitMs;
  const loaded = await toJob(deps, { tenantId, agent, execution }, { owner, endsBy });
  if (!loaded) return;
  const job = { ...loaded, owner };
  const { limit, onEnded } = hooks ?? {};
  if (item.status === "Cancelled") {
    const finished = await cancelJob(deps, job);
    if (finished) await onEnded?.(finished);
    return;
  }
  const completed = claims > 1 ? await listSteps(deps, toExecutionKey(item)) : undefined;
  const run = runOpenExecution(deps, job, {
    deadline,
    inBackground: true,
    limit,
    ...(completed && { completed }),
  });
  const end = await run.ended;
  if (end !== "open") await onEnded?.(end);
};
