import { createHash } from "node:crypto";
import * as z from "zod";
import {
  type Deployed,
  loadDeployed,
  missingDetails,
} from "../../agents/revision/load-deployed.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import { type RunOutcome, readOutcome, readTreeCost } from "../../executions/record/results.ts";
import { getExecution } from "../../executions/record/store.ts";
import { toFinalOutcome } from "../../executions/run/run-context.ts";
import { startRun } from "../../executions/run/run-execution.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import { planStart, type StartPlan } from "../../executions/start/plan-start.ts";
import { LeasedElsewhereError } from "../../platform/queue/leased-elsewhere.ts";
import { parseUuidTime, uuidAt } from "../../platform/runtime/runtime.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import { formatInputProblems } from "../../values/json/format-input-problems.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { Scorer } from "./schemas.ts";
import { type ScoreContext, type Subject, scored, undetermined, type Verdict } from "./subject.ts";

const AgentScore = z.object({
  value: z.union([z.number(), z.boolean()]),
  comment: z.string().nullish(),
});

/**
 * Runs the deployed revision of an agent on a finished execution, and takes its output as the
 * score. Its execution is a sample with the scored one as trigger; it starts once per scorer and
 * execution.
 */
export const scoreWithAgent = async (
  deps: ExecutionDeps,
  {
    scorer,
    subject,
    context,
  }: { scorer: Pick<Scorer, "id" | "agentId">; subject: Subject; context: ScoreContext },
): Promise<Verdict> => {
  const { tenantId, processor } = context;
  const agentId = scorer.agentId ?? "";
  const deployed = await loadDeployed(deps, { tenantId, agentId });
  if ("missing" in deployed)
    return undetermined(`"${agentId}": ${missingDetails[deployed.missing]}`);
  const input = selectInput(deployed, subject);
  const { executionId, limit } = context;
  const digest = createHash("sha256").update(`${executionId}/${scorer.id}`).digest();
  const request = {
    tenantId,
    executionId: uuidAt(parseUuidTime(executionId), digest),
    trigger: { type: triggerTypes.subAgent, id: executionId, provider: null },
    input,
    isSample: true,
    limitName: limit?.name,
  };
  const plan = await planStart(deps, { deployed, request, processor });
  if ("errors" in plan) {
    return undetermined(
      `The input of "${agentId}" is invalid: ${formatInputProblems(plan.errors)}`,
    );
  }
  if ("blocked" in plan) return undetermined(plan.detail);
  if ("exceeded" in plan) return undetermined(budgetDetail(plan.exceeded));
  const end = await runAgent(deps, plan, context);
  const { output, error } = end;
  const { cost, priced } = readTreeCost(end.item);
  // Its execution counts the calls of its models.
  const spent = { cost, priced, models: [] };
  if (end.item.status !== "Succeeded") {
    return undetermined(`"${agentId}" failed: ${error?.detail ?? "It was cancelled."}`, spent);
  }
  const { data } = AgentScore.safeParse(output);
  if (!data) return undetermined(`The output of "${agentId}" is not {value, comment?}.`, spent);
  return scored(Number(data.value), data.comment ?? null, spent);
};

/** Returns the facts that an agent declares as its inputs. */
const selectInput = ({ revision }: Deployed, subject: Subject): JsonObject => {
  const { input, output, expected = null, usage, cost } = subject;
  const facts = { input, output, expected, trace: subject.trace, usage, cost };
  const declared = new Set(revision.content.parametersMetadata.map(({ name }) => name));
  const chosen = Object.entries(facts).filter(([name]) => declared.has(name));
  return JSON.parse(JSON.stringify(Object.fromEntries(chosen)));
};

const runAgent = async (
  deps: ExecutionDeps,
  plan: StartPlan,
  context: ScoreContext,
): Promise<RunOutcome> => {
  const { tenantId, deadline, limit } = context;
  const { item, run } = await startRun(deps, { plan, deadline, inBackground: false, limit });
  if (!run) {
    const end = await findEarlierEnd(deps, item.agentId, { tenantId, executionId: item.id });
    limit?.count(readTreeCost(end.item).cost);
    if (end.error?.slug === "budget-exceeded") limit?.refuse?.(end.error.detail);
    return end;
  }
  const end = toFinalOutcome(await run.ended);
  if (!end) throw new Error(`the execution ${item.id} of a scorer continues`);
  return end;
};

/** Returns the end of an earlier attempt's execution. Throws LeasedElsewhereError while its run, which may be dead, has it. */
const findEarlierEnd = async (
  deps: ExecutionDeps,
  agentId: string,
  { tenantId, executionId }: Pick<ScoreContext, "tenantId" | "executionId">,
): Promise<RunOutcome> => {
  const execution = await getExecution(deps.db, tenantId, agentId, executionId);
  const end = execution && (await readOutcome(deps, execution));
  const lease = execution?.lease;
  const isLeased = lease?.owner && lease.leaseUntil > deps.runtime.clock();
  if (!end && isLeased) throw new LeasedElsewhereError(lease.leaseUntil);
  if (!execution || !end) throw new Error(`the execution ${executionId} of a scorer continues`);
  return end;
};
