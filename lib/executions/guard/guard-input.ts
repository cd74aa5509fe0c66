import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { getGuardrails } from "../../agents/guardrail/store.ts";
import type { RunServices } from "../../engine/flow/checks/run-services.ts";
import type { FlowError, Span } from "../../engine/flow/flow-result.ts";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import { type CheckOptions, createGuard, type Guard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import { type Blocked, StepError } from "../../engine/step-error.ts";
import { releaseInputFiles } from "../../files/release-input-files.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { findOwner, findRetention } from "../../tenancy/tenant/find-owner.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import { formatInputProblems } from "../../values/json/format-input-problems.ts";
import { isRecord, type Json, type JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { maskInputs } from "../job/masks.ts";
import { replaceInput, showInput } from "../record/input-store.ts";
import { toExecutionKey } from "../record/keys.ts";
import { getExecution } from "../record/store.ts";
import { hideSecrets, readInput, readSentInput } from "../record/values.ts";
import { type CallerContext, type Trigger, triggerTypes } from "../schemas.ts";
import { createGuardSpan } from "./guard-result.ts";

const Texts = z.array(z.string());

/** Checked inputs: those that a check masked, or the check that blocked them. */
type GuardedInput =
  | {
      readonly masked: JsonObject;
      /** The context with the masks of the checks. */
      readonly context: CallerContext | undefined;
      readonly verdicts: readonly CheckVerdict[];
    }
  | {
      readonly blocked: Blocked;
      readonly detail: string;
      readonly verdicts: readonly CheckVerdict[];
    };

/**
 * Checks the inputs of an execution but secret ones, which no check reads, and the caller's context as one more input.
 * Rejects as `check` of a guard does.
 */
export const guardInput = async (
  guard: Guard,
  {
    parameters,
    values,
    context,
  }: {
    parameters: readonly ParameterDescriptor[];
    values: JsonObject;
    context: CallerContext | undefined;
  },
  options: CheckOptions = { which: "local" },
): Promise<GuardedInput> => {
  const secret = new Set(parameters.flatMap(({ name, secret }) => (secret ? [name] : [])));
  const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
  const name = findFreeName(values);
  const all = { ...shown, ...(context && { [name]: listTexts(context) }) };
  const { value, verdicts, blocked } = await guard.check("input", all, options);
  if (blocked) return { blocked, detail: blockedDetail("input", blocked), verdicts };
  const { [name]: sent, ...checked }: JsonObject = isRecord(value) ? value : {};
  const masked = Object.entries(checked).filter(
    ([name, member]) => !isDeepStrictEqual(member, shown[name]),
  );
  return {
    masked: Object.fromEntries(masked),
    context: context && withTexts(context, sent),
    verdicts,
  };
};

/** Returns a name that no input has. */
const findFreeName = (values: JsonObject, name = "context"): string =>
  Object.hasOwn(values, name) ? findFreeName(values, `_${name}`) : name;

/** Lists the texts of a context, the instructions first. */
const listTexts = ({ instructions = "", systemText = "", messages }: CallerContext): string[] => [
  instructions,
  systemText,
  ...messages.map(({ text }) => text),
];

/** Puts checked texts back in a context. */
const withTexts = (
  { instructions, systemText, messages, ...limits }: CallerContext,
  sent: Json | undefined,
): CallerContext => {
  const [first = "", second = "", ...others] = Texts.parse(sent);
  return {
    ...limits,
    ...(instructions !== undefined && { instructions: first }),
    ...(systemText !== undefined && { systemText: second }),
    messages: messages.map(({ role }, at) => ({ role, text: others[at] ?? "" })),
  };
};

/**
 * Loads the guardrails of a revision, those of its tenant first, in their latest revisions; undefined for none. One that does
 * not exist blocks everything.
 */
export const loadGuard = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  {
    tenantId,
    guardrails,
    processor,
  }: { tenantId: TenantId; guardrails: readonly string[]; processor: ProcessorBudget },
): Promise<Guard | undefined> => {
  const owner = await findOwner(db, tenantId, runtime.clock());
  const ids = [...new Set([...(owner?.guardrails ?? []), ...guardrails])];
  if (ids.length === 0) return undefined;
  const found = await getGuardrails(db, tenantId, ids);
  const missing = ids.find((_id, at) => !found[at]);
  if (missing !== undefined) return missingGuard(missing);
  const present = found.filter((guardrail) => guardrail !== undefined);
  return createGuard({ processor, clock: runtime.clock }, present);
};

const missingGuard = (guardrail: string): Guard => ({
  has: () => true,
  check: async () => ({
    value: null,
    verdicts: [],
    replacements: [],
    blocked: { guardrail, check: "" },
  }),
  mask: (value) => value,
});

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

const findConnector = ({ type, id }: Trigger): string | undefined =>
  type === triggerTypes.connector ? (id ?? undefined) : undefined;

/** Replaces the input in the record: by one with masked members, or by an empty one without files. */
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
    await releaseInputFiles(deps, {
      tenantId,
      execution: { agentId: item.agentId, executionId: item.id },
      parameters: revision.content.parametersMetadata,
      values,
      connectorId: findConnector(item.trigger),
      now: deps.runtime.clock(),
    });
    // A run that continues after a crash finds the verdict.
    const { repeated } = await readInput(deps, found);
    const input = { input: {}, verdicts: [...checked.verdicts], ...(repeated && { repeated }) };
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
