import type { SpendLimit } from "../../engine/flow/spend-guard.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { forRequest } from "../../platform/runtime/request-scope.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { readProgress } from "../checkpoints/checkpoint-store.ts";
import { abandonExecution } from "../end/abandon-execution.ts";
import { joinEnds } from "../end/join-ends.ts";
import { cancelJob, settleEnded } from "../end/settle-execution.ts";
import type { ExecutionDeps, RunAgent } from "../job/job.ts";
import { toJob } from "../job/load-job.ts";
import {
  claimExecution,
  leaseMs,
  maxClaims,
  maxExecutionMs,
  type OpenExecution,
} from "../lease/execution-lease.ts";
import { removeQueuedBatch } from "../lease/queued-batch.ts";
import type { ExecutionRun, RunExecutionMessage } from "../messages.ts";
import { removeExecution } from "../purge/purge-executions.ts";
import type { ExecutionLease, ExecutionRecord } from "../record/execution-record.ts";
import { queuedBatchKey, toExecutionKey } from "../record/keys.ts";
import type { RunOutcome } from "../record/results.ts";
import { getAgentsAndInputs } from "../record/store.ts";
import { toFinalOutcome } from "../run/run-context.ts";
import { runOpenExecution } from "../run/run-execution.ts";
import { carriedAgent, carriedInput } from "../start/queue-executions.ts";

/** A limit and a listener that an execution has in a worker. */
export type RunHooks = {
  /** A limit of its cost with its sub-agents. */
  limit?: SpendLimit | undefined;
  /** Called after its end was recorded. */
  onEnded?: (outcome: RunOutcome) => Promise<void>;
};

/**
 * Claims the executions of a message that no run holds, and runs them concurrently until they end,
 * or hands them over shortly before the deadline. Does not repeat finished steps. Does nothing for
 * an execution that is settled or held. Rejects with the first failure once all have ended: a
 * message that is delivered again does not repeat the ended ones, but finishes what a crash left after their end.
 * @param input `deadline`: when the function times out, Unix milliseconds
 * `hooksFor`: called for each execution before it runs; its `onEnded` not after one that was
 * abandoned
 */
export const continueExecutions = async (
  deps: ExecutionDeps,
  {
    message: { tenantId, runs, batchId, haveEnded },
    deadline,
    hooksFor,
  }: {
    message: Pick<RunExecutionMessage, "tenantId" | "runs" | "batchId" | "haveEnded">;
    deadline: number;
    hooksFor?: (item: ExecutionRecord) => RunHooks | undefined;
  },
): Promise<void> => {
  const settle = (some: readonly ExecutionRun[]) =>
    some.map(({ agentId, executionId, requestId }) =>
      forRequest(requestId, () => settleEnded(deps, { tenantId, agentId, executionId })),
    );
  if (haveEnded) {
    await Promise.all(settle(runs));
    return;
  }
  const claims = await Promise.allSettled(
    runs.map((run) => forRequest(run.requestId, () => claim(deps, tenantId, run))),
  );
  const claimed = claims.flatMap((claim) =>
    claim.status === "fulfilled" ? (claim.value ?? []) : [],
  );
  const lost = claimed.filter(({ lease }) => lease.claims > maxClaims);
  const loaded = await load(
    deps,
    tenantId,
    claimed.filter(({ lease }) => lease.claims <= maxClaims),
  );
  const unclaimed = runs.filter((_, at) => {
    const outcome = claims[at];
    return outcome?.status === "fulfilled" && !outcome.value;
  });
  const joined = loaded.length > 1 ? joinEnds(deps, { runs: loaded.length }) : undefined;
  const runDeps = { ...deps, joinEnd: joined?.joinEnd };
  const outcomes = await Promise.allSettled([
    ...settle(unclaimed),
    ...lost.map((execution) =>
      forRequest(execution.run.requestId, async () => {
        await abandonExecution(deps, execution);
        return false;
      }),
    ),
    ...loaded.map((execution) =>
      forRequest(execution.execution.run.requestId, () =>
        runClaimed(runDeps, tenantId, execution, {
          deadline,
          hooks: hooksFor?.(execution.execution.item),
        }).finally(joined?.leave),
      ),
    ),
  ]);
  for (const outcome of [...claims, ...outcomes])
    if (outcome.status === "rejected") throw outcome.reason;
  // Where another worker may run one of them, as one that was to be abandoned, recovery removes the batch.
  const haveAllEnded = outcomes.every((outcome) => outcome.status === "fulfilled" && outcome.value);
  if (batchId !== undefined && haveAllEnded) {
    await removeQueuedBatch(deps.db, queuedBatchKey(tenantId, batchId));
  }
};

type Claimed = OpenExecution & { lease: ExecutionLease & { owner: string }; run: ExecutionRun };

const claim = async (
  { db, runtime }: ExecutionDeps,
  tenantId: TenantId,
  run: ExecutionRun,
): Promise<Claimed | undefined> => {
  const { agentId, executionId } = run;
  const key = { tenantId, agentId, executionId };
  const owner = newUuid(runtime);
  const now = runtime.clock();
  const request = { owner, now, leaseUntil: now + leaseMs, endsBy: now + maxExecutionMs };
  const claimed = await claimExecution(db, key, request);
  return claimed && { ...claimed, lease: { ...claimed.lease, owner }, run };
};

type Loaded = { execution: Claimed; agent: RunAgent };

/**
 * Reads the agents of executions and the inputs that are not in their records, in one round trip,
 * unless the message carries them. Deletes executions of deleted agents.
 */
const load = async (
  deps: ExecutionDeps,
  tenantId: TenantId,
  claimed: readonly Claimed[],
): Promise<Loaded[]> => {
  const now = deps.runtime.clock();
  const executions = claimed.map((claim) => ({
    execution: { ...claim, input: carriedInput(claim, claim.run) ?? claim.input },
    carried: carriedAgent(claim, claim.run, now),
  }));
  const unknown = executions.flatMap(({ execution: { item }, carried }) =>
    carried ? [] : [item.agentId],
  );
  const { agents, inputs } = await getAgentsAndInputs(deps.db, tenantId, {
    agentIds: [...new Set(unknown)],
    inputs: executions.map(({ execution }) => execution),
  });
  const loaded = executions.map(({ execution, carried }) => ({
    execution: { ...execution, input: inputs.get(execution.item.id) ?? execution.input },
    agent: carried ?? agents.get(execution.item.agentId),
  }));
  const orphans = loaded.filter(({ agent }) => !agent);
  await Promise.all(
    orphans.map(({ execution: { item } }) => removeExecution(deps, toExecutionKey(item))),
  );
  return loaded.flatMap(({ execution, agent }) => (agent ? [{ execution, agent }] : []));
};

/** Runs a claimed execution. Returns whether this run has ended it, or it waits, with an entry of its own in the index. */
const runClaimed = async (
  deps: ExecutionDeps,
  tenantId: TenantId,
  { execution, agent }: Loaded,
  { deadline, hooks }: { deadline: number; hooks: RunHooks | undefined },
): Promise<boolean> => {
  const { item, lease } = execution;
  const { owner, claims, limitMs = maxExecutionMs } = lease;
  const longestEnd = lease.endsBy ?? deps.runtime.clock() + maxExecutionMs;
  const endsBy = longestEnd - maxExecutionMs + limitMs;
  const loaded = await toJob(deps, { tenantId, agent, execution, leaseTerms: { owner, endsBy } });
  if (!loaded) return false;
  const job = { ...loaded, owner };
  const { limit, onEnded } = hooks ?? {};
  if (item.status === "Cancelled") {
    const finished = await cancelJob(deps, job);
    if (finished) await onEnded?.(finished);
    return finished !== undefined;
  }
  const now = deps.runtime.clock();
  const progress = claims > 1 ? await readProgress(deps, toExecutionKey(item), now) : undefined;
  const run = runOpenExecution(deps, {
    job,
    options: {
      deadline,
      inBackground: true,
      limit,
      // An experiment, or a scorer.
      isAwaited: hooks !== undefined,
      ...(progress && { progress }),
    },
  });
  const end = await run.ended;
  const ended = toFinalOutcome(end);
  if (ended) await onEnded?.(ended);
  return end !== "open";
};
