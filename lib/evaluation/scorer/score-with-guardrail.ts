import { getGuardrail } from "../../agents/guardrail/store.ts";
import { createRunServices } from "../../engine/flow/checks/run-services.ts";
import { sumUsage, totalUsage } from "../../engine/flow/sum-usage.ts";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import { createGuard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import { StepError } from "../../engine/step-error.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import type { Scorer } from "./schemas.ts";
import {
  type ScoreContext,
  type Spent,
  type Subject,
  scored,
  undetermined,
  type Verdict,
} from "./subject.ts";

/** Scores whether a guardrail lets an output pass: 1, or 0 for one that it would block. */
export const scoreWithGuardrail = async (
  deps: Pick<ExecutionDeps, "db" | "modelsFor" | "runtime">,
  {
    scorer: { id, guardrailId },
    subject: { output },
    context: { tenantId, processor, signal, limit },
  }: {
    scorer: Pick<Scorer, "id" | "guardrailId">;
    subject: Pick<Subject, "output">;
    context: ScoreContext;
  },
): Promise<Verdict> => {
  const { clock } = deps.runtime;
  const guardrail = await getGuardrail(deps.db, tenantId, guardrailId ?? "");
  if (!guardrail) return undetermined(`There is no guardrail "${guardrailId}".`);
  const guard = createGuard({ processor, clock }, [guardrail]);
  if (!guard?.has("output")) {
    return undetermined(`The guardrail "${guardrailId}" does not check outputs.`);
  }
  const services = createRunServices("~scorer", {
    models: deps.modelsFor(tenantId),
    ...{ processor, signal, clock, spent: 0 },
    spend: limit?.guardFor(`scorer ${id}`),
    hide: (value) => value,
  });
  const readSpent = async (): Promise<Spent> => {
    const models = sumUsage(await services.end());
    const { cost, priced } = totalUsage(models);
    return { cost: cost.totalCost, priced, models };
  };
  try {
    const { ask } = services;
    const { verdicts, blocked } = await guard.check("output", output, { ask });
    signal.throwIfAborted();
    const spent = await readSpent();
    const failed = verdicts.find(({ error }) => error !== undefined);
    if (failed) return undetermined(describeFailed(failed), spent);
    return blocked ? scored(0, blockedDetail("output", blocked), spent) : scored(1, null, spent);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof StepError)) throw error;
    return undetermined(error.message, await readSpent());
  }
};

const describeFailed = ({ check, error }: CheckVerdict): string =>
  `The check "${check}" failed: ${error}`;
