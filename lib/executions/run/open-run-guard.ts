import { isDeepStrictEqual } from "node:util";
import type { FlowEvent, FlowResult } from "../../engine/flow/flow-result.ts";
import type { Guard } from "../../engine/guardrails/guard.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { guardMessages } from "../guard/guard-messages.ts";
import { guardResult } from "../guard/guard-result.ts";
import { holdEvents } from "../guard/hold-events.ts";
import { loadGuard } from "../guard/load-guard.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { continueElsewhere, type RunContext } from "./run-context.ts";

type Emit = ((event: FlowEvent) => void) | undefined;

/** The guardrails of a run. */
export type RunGuard = {
  readonly guard: Guard | undefined;
  /** Receives the events of the run, which may be held back. */
  readonly emit: Emit;
  /** Checks the output of the run, and masks its trace. */
  checkResult<Result extends FlowResult>(
    result: Result,
  ): Promise<Result | (Result & { status: "Failed" })>;
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
  const { tenantId, revision, item, verdicts: inputVerdicts = [] } = job;
  const { guardrails } = revision.content;
  const { processor } = context;
  const guard = await continueElsewhere(context, () =>
    loadGuard(deps, { tenantId, guardrails, processor }),
  );
  if (!guard) {
    return {
      guard,
      emit,
      checkResult: async (result) => result,
      mask: (value) => value,
      maskMessages: (messages) => messages,
      release: () => {},
    };
  }
  const held = emit && holdEvents(guard, emit);
  const guarding = {
    guard,
    inputVerdicts,
    startTime: item.startTime,
    clock: deps.runtime.clock,
  };
  let isUnchanged = false;
  return {
    guard,
    emit: held?.emit,
    checkResult: async (result) => {
      const checked = await guardResult(result, guarding);
      const hasBlocked = checked.spans.some(({ error }) => error?.slug === "guardrail-blocked");
      isUnchanged =
        !hasBlocked &&
        checked.error?.slug !== "guardrail-blocked" &&
        isDeepStrictEqual(checked.output, result.output);
      return checked;
    },
    mask: guard.mask,
    maskMessages: (messages) => guardMessages(messages, guard),
    release: () => {
      if (isUnchanged) held?.release();
    },
  };
};
