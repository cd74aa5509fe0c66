import { isInSample } from "../../agents/agent/online-evaluation.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import type { EvaluateExecutionMessage } from "../../executions/messages.ts";
import { readEnded } from "../../executions/read/read-execution.ts";
import type { StoredExecution } from "../../executions/record/execution-record.ts";
import { toExecutionKey } from "../../executions/record/keys.ts";
import { toExecutionResult } from "../../executions/record/results.ts";
import { readEnd, readInput } from "../../executions/record/values.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { budgetLimit } from "../../spending/budget/check-budget.ts";
import type { Scorer } from "../scorer/schemas.ts";
import { scoreWith } from "../scorer/score.ts";
import { getScorers } from "../scorer/store.ts";
import { type ScoreContext, type Subject, undetermined, type Verdict } from "../scorer/subject.ts";
import { type EvaluatedExecution, isDone, recordOutcome } from "./record-outcome.ts";
import { claimEvaluation } from "./store.ts";

/** Time reserved for writing the scores. */
const finishMs = 20_000;

/**
 * Scores an execution of the sample with its agent's scorers, and counts it in the month, once. Does nothing for one that
 * did not succeed, was deleted, or is beyond the month's limit. Waits a little for the end; rejects when there is none,
 * and the execution is scored later.
 * @param input `deadline`: when the function times out, Unix milliseconds
 */
export const evaluateExecution = async (
  deps: ExecutionDeps,
  { message, deadline }: { message: EvaluateExecutionMessage; deadline: number },
): Promise<void> => {
  const { tenantId, executionId } = message;
  const found = await readEnded(deps, message);
  const evaluation = found?.agent.onlineEvaluation;
  if (!found || !evaluation || !isInSample(executionId, evaluation)) return;
  const { execution } = found;
  if (execution.item.status !== "Succeeded") return;
  const now = deps.runtime.clock();
  const limit = { month: toMonth(now), limit: evaluation.monthlyLimit, now };
  if ((await claimEvaluation(deps.db, toExecutionKey(execution.item), limit)) === "over") return;
  // A repeated message scores what its earlier attempts did not.
  const left = evaluation.scorers.filter((id) => !isDone(execution, id));
  const scorers = await getScorers(deps.db, tenantId, left);
  const subject = await toSubject(deps, execution);
  const context = {
    tenantId,
    executionId,
    processor: new ProcessorBudget(tenantId, processorLimits.executionMs),
    signal: AbortSignal.timeout(Math.max(1, deadline - finishMs - now)),
    deadline,
  };
  for (const [at, id] of left.entries()) {
    const verdict = await runScorer(deps, found, scorers[at], { subject, context });
    await recordOutcome(deps, { evaluated: found, scorerId: id, verdict });
  }
};

/**
 * Scores with one scorer. A judge, and a guardrail, is limited by the budget of the execution's agent, an agent by its own. A scorer may name
 * another agent since: whoever may change it need not be allowed to run that agent.
 */
const runScorer = async (
  deps: ExecutionDeps,
  { agent }: EvaluatedExecution,
  scorer: Scorer | undefined,
  { subject, context }: { subject: Subject; context: ScoreContext },
): Promise<Verdict> => {
  if (!scorer) return undetermined("The scorer does not exist any more.");
  if (scorer.type === "Agent" && !agent.onlineEvaluation?.agents.includes(scorer.agentId ?? "")) {
    return undetermined(
      `The scorer now runs "${scorer.agentId}". Set the online evaluation again.`,
    );
  }
  const asksModels = scorer.type === "Judge" || scorer.type === "Guardrail";
  if (!asksModels) return scoreWith(deps, { scorer, subject, context });
  const limit = budgetLimit(
    { ...deps, clock: deps.runtime.clock },
    { tenantId: context.tenantId, agent },
  );
  return scoreWith(deps, { scorer, subject, context: { ...context, limit } });
};

const toSubject = async (deps: ExecutionDeps, execution: StoredExecution): Promise<Subject> => {
  const [{ input }, end] = await Promise.all([
    readInput(deps, execution),
    readEnd(deps, execution),
  ]);
  const { usage, cost } = toExecutionResult(execution.item);
  return {
    input: JSON.parse(JSON.stringify(input)),
    output: end?.output ?? null,
    trace: end?.trace ?? [],
    usage,
    cost,
  };
};
