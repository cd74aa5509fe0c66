import type { StepOutcome, SuspendedAttempt } from "../../engine/flow/flow-result.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { Job } from "./job.ts";
import { maskMessages } from "./mask-messages.ts";
import { jobSecrets, maskInTrace } from "./masks.ts";
import { type References, referSecrets, resolveSecrets } from "./secret-references.ts";

/**
 * Returns the outcome of a step as it is stored: secrets are masked in its spans, and referred to in the state of a suspended
 * step. The output stays as it is, since a resumed run needs it.
 */
export const toStoredStep = (runtime: Runtime, job: Job, outcome: StepOutcome): StepOutcome => {
  const secrets = jobSecrets(job).inTraces;
  const spans = maskInTrace(outcome.spans, secrets);
  const { exchange } = outcome;
  if (!outcome.suspended) {
    if (!exchange) return { ...outcome, spans };
    return { ...outcome, spans, exchange: maskMessages(exchange, secrets) };
  }
  const nonce = newUuid(runtime);
  const suspended = mapState(outcome.suspended, referSecrets, { secrets, nonce });
  return { ...outcome, spans, suspended: { ...suspended, nonce } };
};

/** Returns a stored outcome as the run of its job has it. */
export const fromStored = (job: Job, outcome: StepOutcome): StepOutcome => {
  const { suspended } = outcome;
  if (!suspended?.nonce) return outcome;
  const { nonce, ...attempt } = suspended;
  const secrets = jobSecrets(job).inTraces;
  return { ...outcome, suspended: mapState(attempt, resolveSecrets, { secrets, nonce }) };
};

const mapState = (
  attempt: SuspendedAttempt,
  map: typeof referSecrets,
  references: References,
): SuspendedAttempt => {
  const { state, notes } = attempt;
  const { input } = notes;
  return {
    ...attempt,
    state: map(state, references),
    notes: { ...notes, ...(input !== undefined && { input: map(input, references) }) },
  };
};
