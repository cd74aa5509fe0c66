import { runFlow } from "../../engine/flow/run-flow.ts";
import { sumUsage } from "../../engine/flow/sum-usage.ts";
import { findAudience } from "../../notifications/destination/find-audience.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { spendGuard } from "../../spending/budget/reserve-spend.ts";
import { finishExecution, isPublished } from "../finish/finish-execution.ts";
import {
  type ExecutionDeps,
  interrupted,
  isInterrupted,
  type Job,
  jobSecrets,
  maskInValue,
  type RunOutcome,
  reserveOnRecord,
  toExecutionKey,
} from "../record/execution-record.ts";
import {
  continueElsewhere,
  guardRegistries,
  guardRun,
  isLost,
  type RunOptions,
} from "./run-context.ts";
import { settleSubAgents, sumSubAgents } from "./settle-sub-agents.ts";
import { subAgents } from "./sub-agents.ts";

/**
 * Runs the flow of an execution from its last finished step and records its end. Rejects on storage failures.
 */
export const runJob = async (
  deps: ExecutionDeps,
  job: Job,
  { context, stop, drain, emit, completed, ancestors }: RunOptions,
): Promise<RunOutcome | "open"> => {
  const { tenantId, agent, agentRevision, revision, item, values, session } = job;
  const { db, runtime } = deps;
  const earlier = [...(completed?.values() ?? [])]
    .filter(isInterrupted)
    .flatMap((kept) => kept.spans);
  const finishedSpans = new Set([...(completed?.values() ?? [])].flatMap((kept) => kept.spans));
  const { id, startTime, trigger } = item;
  const children = subAgents(deps, job, context, {
    ancestors,
    resumed: completed !== undefined,
    runJob,
  });
  const key = toExecutionKey(item);
  const guard = spendGuard({ db }, tenantId, agent, {
    executionId: id,
    startTime,
    reserved: item.reserved,
    reserveOnRecord: (more) => reserveOnRecord(key, more),
  });
  const hasUnknownCosts = completed !== undefined && revision.flow.agentIds.length > 0;
  const spend = guardRun([context.limit?.guardFor(id, hasUnknownCosts), guard], context);
  const secrets = jobSecrets(job).inTraces;
  const audience = isPublished(item) ? findAudience(db, tenantId, runtime.clock()) : undefined;
  // endEvents awaits it and handles its failure.
  audience?.catch(() => undefined);
  const result = await runFlow(revision.flow, {
    input: values,
    parameters: values,
    trigger,
    execution: { id, agentId: agent.id, agentRevision, startTime },
    deps: {
      clock: runtime.clock,
      sleep: deps.sleep,
      agents: children.runner,
      ...guardRegistries(deps, tenantId, context),
    },
    signal: stop,
    handOver: context.handOver.signal,
    ...(drain && { drain }),
    processor: context.processor,
    deadline: job.endsBy,
    ...(spend && { spend }),
    ...(revision.defaultLlm && { defaultLlm: revision.defaultLlm }),
    ...(session && { session }),
    ...(emit && { emit }),
    ...(completed && { completed }),
    hide: (value) => maskInValue(value, secrets),
    onStepCompleted: async (outcome) => {
      for (const span of outcome.spans) finishedSpans.add(span);
      await continueElsewhere(context, () => context.steps.keep(job, outcome));
    },
  }).finally(children.ended);
  if (isLost(context)) return "open";
  const { status } = result;
  const keepUnfinished = () => {
    const spans = result.spans.filter((span) => !finishedSpans.has(span));
    return context.steps.keep(job, interrupted(newUuid(runtime), spans));
  };
  if (status === "Interrupted") {
    await keepUnfinished();
    return "open";
  }
  children.assertRecorded();
  const reserved = guard?.reserved() ?? item.reserved;
  const spans = [...earlier, ...result.spans];
  const usage = sumUsage(spans);
  const costOfSubAgents = await sumSubAgents(deps, job, children.costs, completed !== undefined);
  const end = { ...result, status, spans, usage, costOfSubAgents };
  const finished = await finishExecution(deps, job, end, { reserved, audience }).catch(
    async (error: unknown) => {
      // The next run counts the usage of the failed steps.
      await keepUnfinished().catch(() => undefined);
      throw error;
    },
  );
  if (!finished) return "open";
  const mayHaveOthers = revision.flow.agentIds.length > 0 && completed !== undefined;
  if (!mayHaveOthers && !children.areOpen()) return finished;
  return settleSubAgents(deps, job, finished);
};
