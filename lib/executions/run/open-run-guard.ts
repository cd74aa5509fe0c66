import { isDeepStrictEqual } from "node:util";
import { createRunServices } from "../../engine/flow/checks/run-services.ts";
import type {
  FlowError,
  FlowEvent,
  FlowResult,
  StepOutcome,
} from "../../engine/flow/flow-result.ts";
import type { SpendGuard } from "../../engine/flow/spend-guard.ts";
import { totalUsage } from "../../engine/flow/sum-usage.ts";
import { blockedDetail } from "../../engine/guardrails/blocked-error.ts";
import type { Guard } from "../../engine/guardrails/guard.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { hideSecretsIn } from "../end/end-execution.ts";
import {
  loadGuard,
  type ScreenedInput,
  screenInput,
  servicesSpanId,
} from "../guard/guard-input.ts";
import {
  guardMessages,
  guardResult,
  holdEvents,
  maskSpan,
  outputSpanId,
} from "../guard/guard-result.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { jobSecrets, maskInTrace, maskInValue, maskMessages } from "../job/masks.ts";
import { continueElsewhere, guardRegistries, type RunContext } from "./run-context.ts";

type Emit = ((event: FlowEvent) => void) | undefined;

/** The guardrails of a run. */
export type RunGuard = {
  readonly guard: Guard | undefined;
  /** Receives the events of the run, which may be held back. */
  readonly emit: Emit;
  /** Applies the checks of the input that ask services; returns the values of its run, or why there is none. */
  screen(spend: SpendGuard | undefined, spent: number): Promise<ScreenedInput>;
  /** Checks the output of the run, and masks its trace. Rejects when storage fails. */
  checkResult<Result extends FlowResult>(
    result: Result,
    spend: SpendGuard | undefined,
  ): Promise<Result | (Result & { status: "Failed" })>;
  /** Masks what a step's outcome shows: secrets, then what its checks mask. What a run continues from stays. */
  maskOutcome(outcome: StepOutcome): StepOutcome;
  /** Masks in a value what its checks mask. */
  mask: Guard["mask"];
  /** Masks what its Prompts and their models exchanged. */
  maskMessages(messages: readonly ModelMessage[]): readonly ModelMessage[];
  /** Sends the events that were held back, if no check changed anything. */
  release(): void;
};

/** Loads the guardrails of a job. If they cannot be read, another run continues it. */
export const openRunGuard = async (
  deps: ExecutionDeps,
  { job, context, emit }: { job: Job; context: RunContext; emit: Emit },
): Promise<RunGuard> => {
  const { tenantId, revision, item, values, verdicts: inputVerdicts = [] } = job;
  const { guardrails } = revision.content;
  const { processor } = context;
  const guard = await continueElsewhere(context, () =>
    loadGuard(deps, { tenantId, guardrails, processor }),
  );
  const secrets = jobSecrets(job).inTraces;
  const { clock } = deps.runtime;
  const { models } = guardRegistries(deps, { tenantId, context });
  const openServices = (id: string, spend: SpendGuard | undefined, spent: number) =>
    createRunServices(id, {
      ...{ models, processor, clock, spend, spent, signal: context.stop },
      // Secrets first: of one that a guardrail masks in part, the rest would be shown.
      hide: (value) => {
        const shown = maskInValue(value, secrets);
        return guard ? guard.mask(shown) : shown;
      },
    });
  const screen: RunGuard["screen"] = async (spend, spent) => {
    if (!job.isUnchecked) {
      const error = findBlocked(inputVerdicts);
      return { values, context: job.context, spans: [], ...(error && { error }) };
    }
    const services = openServices(servicesSpanId, spend, spent);
    return continueElsewhere(context, () => screenInput(deps, { job, guard, services, processor }));
  };
  if (!guard) {
    return {
      guard,
      emit,
      screen,
      checkResult: async (result) => result,
      maskOutcome: (outcome) => outcome,
      mask: (value) => value,
      maskMessages: (messages) => messages,
      release: () => {},
    };
  }
  const held = emit && holdEvents(guard, emit);
  const guarding = { guard, inputVerdicts, startTime: item.startTime, clock };
  let isUnchanged = false;
  return {
    guard,
    emit: held?.emit,
    screen,
    checkResult: async (run, spend) => {
      // Secrets first: of one that a guardrail masks in part, the rest would be shown.
      const result = hideSecretsIn(job, run);
      const services = openServices(outputSpanId, spend, totalUsage(result.usage).cost.totalCost);
      const checked = await guardResult(result, { ...guarding, services });
      const hasBlocked = checked.spans.some(({ error }) => error?.slug === "guardrail-blocked");
      isUnchanged =
        !hasBlocked &&
        checked.error?.slug !== "guardrail-blocked" &&
        isDeepStrictEqual(checked.output, result.output);
      return checked;
    },
    maskOutcome: ({ spans, exchange, ...outcome }) => ({
      ...outcome,
      spans: maskInTrace(spans, secrets).map(maskSpan(guard)),
      ...(exchange && { exchange: guardMessages(maskMessages(exchange, secrets), guard) }),
    }),
    mask: guard.mask,
    maskMessages: (messages) => guardMessages(maskMessages(messages, secrets), guard),
    release: () => {
      if (isUnchanged) held?.release();
    },
  };
};

/** Returns the failure of an execution with an input that a service has blocked in an earlier run. */
const findBlocked = (verdicts: readonly CheckVerdict[]): FlowError | undefined => {
  const verdict = verdicts.find(({ outcome }) => outcome === "blocked");
  if (!verdict) return undefined;
  const blocked = { guardrail: verdict.guardrail, check: verdict.check };
  return {
    slug: "guardrail-blocked",
    detail: blockedDetail("input", blocked),
    step: null,
    blocked,
  };
};
