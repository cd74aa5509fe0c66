import * as z from "zod";
import type { Json } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { ConsentRequired } from "../tools/tool.ts";
import type { StepContext } from "./step-context.ts";
import type { WaitEnd, WaitRequest } from "./waits.ts";

/** Milliseconds for a consent. */
const consentMs = 259_200_000;

/** Consents that one call asks for: to its connection, and to more scopes that the service wants. */
const maxConsents = 5;

/**
 * Finds the wait for a consent: its name, and its end where it was asked for before. Each name begins with the given one. After a
 * consent, other scopes are asked for by another wait.
 */
export const findConsent = (
  { findEnd }: Pick<StepContext, "findEnd">,
  name: string,
  { consent: { scopes } }: ConsentRequired,
): { name: string; end?: WaitEnd } => {
  for (let count = 1; ; count += 1) {
    const current = count === 1 ? name : `${name}.${count}`;
    const end = findEnd(current);
    if (!end) return { name: current };
    const isGiven = Authorized.safeParse(end.answer).success;
    if (!isGiven || scopes.length === 0 || count === maxConsents) return { name: current, end };
  }
};

const Authorized = z.looseObject({ action: z.literal("authorize") });

/** Builds the request for a person's consent. */
export const requestConsent =
  ({ consent, message }: ConsentRequired, { clock }: Pick<StepContext, "clock">) =>
  async (): Promise<WaitRequest> => {
    const { connectionId, title, url, owner, scopes } = consent;
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
        approvers: owner.type === "User" && owner.id !== undefined ? { users: [owner.id] } : {},
        minApprovals: 1,
        allowStarter: true,
        toolId: null,
        arguments: null,
        argumentsHash: null,
        argumentsSchema: null,
        connectionId,
        authorizeUrl: url,
        consent: { owner, scopes },
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
    const first = `${turn === undefined ? "" : `${turn}.`}consent.${one.consent.connectionId}`;
    const { name, end } = findConsent(context, first, one);
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
