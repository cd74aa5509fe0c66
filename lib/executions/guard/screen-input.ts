import { isDeepStrictEqual } from "node:util";
import type { RunServices } from "../../engine/flow/checks/run-services.ts";
import type { FlowError, Span } from "../../engine/flow/flow-result.ts";
import type { Guard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import { StepError } from "../../engine/step-error.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import { formatInputProblems } from "../../values/json/format-input-problems.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { maskInputs } from "../job/masks.ts";
import { replaceInput, showInput } from "../record/input-store.ts";
import { toExecutionKey } from "../record/keys.ts";
import { getExecution } from "../record/store.ts";
import { hideSecrets, readSentInput } from "../record/values.ts";
import { type GuardedInput, guardInput } from "./guard-input.ts";
import { createGuardSpan } from "./guard-span.ts";

/** Span of the checks of an input that ask services; its models have spans below. */
export const servicesSpanId = "~services";

/** An input that services have checked: the values and the caller's context of its run, or why there is none. */
export type ScreenedInput = {
  readonly values: JsonObject;
  readonly context: Job["context"];
  readonly spans: readonly Span[];
  readonly error?: FlowError;
};

type Screening = {
  readonly job: Job;
  readonly guard: Guard | undefined;
  readonly services: RunServices;
  readonly processor: ProcessorBudget;
};

/**
 * Applies the checks of an execution's input that ask services, before its first step. The record shows what they leave of it:
 * nothing of a blocked one is stored any more. Rejects when storage fails.
 */
export const screenInput = async (
  deps: ExecutionDeps,
  { job, guard, services, processor }: Screening,
): Promise<ScreenedInput> => {
  const { values, context, item, revision } = job;
  const { clock } = deps.runtime;
  if (!guard?.has("input", "outside")) {
    await showInput(deps, item);
    return { values, context, spans: [] };
  }
  const start = clock();
  const { parametersMetadata: parameters } = revision.content;
  const options = { ask: services.ask, which: "outside" as const };
  const guarded = await guardInput(guard, { parameters, values, context }, options).catch(
    toFailure,
  );
  const models = await services.end();
  if ("slug" in guarded) return { values, context, spans: models, error: guarded };
  const toSpans = (verdicts: readonly CheckVerdict[]) => [
    createGuardSpan(servicesSpanId, "input", { verdicts, start, end: clock() }),
    ...models,
  ];
  const spans = toSpans(guarded.verdicts);
  if ("blocked" in guarded) {
    const { blocked, detail } = guarded;
    await replaceBy(deps, job, guarded);
    const error: FlowError = { slug: "guardrail-blocked", detail, step: null, blocked };
    return { values, context, spans, error };
  }
  const { masked } = guarded;
  if (Object.keys(masked).length === 0 && isDeepStrictEqual(guarded.context, context)) {
    await showInput(deps, item);
    return { values, context, spans };
  }
  await replaceBy(deps, job, guarded);
  const checked = await checkInputs(parameters, { ...values, ...masked }, processor);
  const shown = { context: guarded.context, spans };
  if (checked.ok) return { values: checked.values, ...shown };
  const detail = `Invalid input: ${formatInputProblems(checked.errors)}`.slice(0, 1_000);
  return { values, ...shown, error: { slug: "execution-failed", detail, step: null } };
};

/** A refused call of a model ends the execution; its input stays hidden. */
const toFailure = (error: unknown): FlowError => {
  if (!(error instanceof StepError)) throw error;
  return { slug: error.slug, detail: error.message, step: null };
};

/** Replaces the input in the record: by one with masked members, or by an empty one. */
const replaceBy = async (
  deps: ExecutionDeps,
  { tenantId, item, revision, values, inherited }: Job,
  checked: GuardedInput,
): Promise<void> => {
  const key = toExecutionKey(item);
  const found = await getExecution(deps.db, tenantId, item.agentId, item.id);
  if (!found) return;
  const keptDays = async () =>
    (await findRetention(deps.db, tenantId, deps.runtime.clock())).executionDays;
  if ("blocked" in checked) {
    // A run that continues after a crash finds the verdict.
    const input = { input: {}, verdicts: [...checked.verdicts] };
    await replaceInput(deps, found, { input, secrets: null, keptDays });
    return;
  }
  const { masked, context } = checked;
  const { input, ...others } = await readSentInput(deps, found);
  const rest = { ...others, ...(context && { context }) };
  const sent = { ...input, ...masked };
  const { shown, secrets } = await hideSecrets(deps.sealer, key, sent, {
    parameters: revision.content.parametersMetadata,
    masked: maskInputs(sent, { ...values, ...masked }, inherited?.inTraces ?? []),
  });
  await replaceInput(deps, found, { input: { ...rest, input: shown }, secrets, keptDays });
};
