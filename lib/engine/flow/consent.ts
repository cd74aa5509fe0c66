import * as z from "zod";
import type { Json } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { ConsentRequired } from "../tools/tool.ts";
import type { StepContext } from "./step-context.ts";
import type { WaitEnd, WaitRequest } from "./waits.ts";

/** Milliseconds for a consent. */
const consentMs = 259_200_000;

/** Name of the wait of a step for the consent that its own tool needs. */
export const stepConsent = "consent.1";

/** Builds the request for a person's consent. */
export const requestConsent =
  ({ consent, message }: ConsentRequired, { clock }: Pick<StepContext, "clock">) =>
  async (): Promise<WaitRequest> => {
    const { connectionId, title, url, userId } = consent;
    return {
      kind: "Approval",
      until: clock() + consentMs,
      approval: {
        kind: "Authorization",
        title: `Connect ${title}`,
        message,
        data: null,
        fields: [],
        actions: [{ id: "reject", label: "Reject" }],
        approvers: userId === undefined ? {} : { users: [userId] },
        minApprovals: 1,
        allowStarter: true,
        toolId: null,
        arguments: null,
        argumentsHash: null,
        argumentsSchema: null,
        connectionId,
        authorizeUrl: url,
      },
    };
  };

/**
 * Suspends an attempt until people have given the consents that its tools need; does nothing where none is needed.
 * Throws a StepError for one that was not given.
 * @param input `state`: with which the attempt is resumed; `turn`: of the model, in which the tools are needed again; undefined before the first
 */
export const awaitConsents = async (
  context: Pick<StepContext, "clock" | "findEnd" | "suspend">,
  {
    required,
    state,
    turn,
  }: { required: readonly ConsentRequired[]; state: () => Json; turn?: number },
): Promise<void> => {
  const requests = new Map<string, () => Promise<WaitRequest>>();
  for (const one of required) {
    const name = `${turn === undefined ? "" : `${turn}.`}consent.${one.consent.connectionId}`;
    const end = context.findEnd(name);
    if (end) throw describeConsentEnd(end, one);
    requests.set(name, requestConsent(one, context));
  }
  if (requests.size > 0) await context.suspend(state(), requests);
};

const Rejected = z.looseObject({ action: z.literal("reject"), decidedBy: z.string() });

/** Returns why a tool still cannot be called after the end of the wait for a consent. */
export const describeConsentEnd = (
  { answer }: WaitEnd,
  { message }: ConsentRequired,
): StepError => {
  if (answer === undefined) {
    return new StepError("execution-failed", "No consent was given in time.");
  }
  const rejected = Rejected.safeParse(answer);
  return rejected.success
    ? new StepError("execution-failed", `Rejected by ${rejected.data.decidedBy}.`)
    : new StepError("execution-failed", `${message} A consent was given, but is not usable.`);
};
