import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import type { FlowSession } from "../../engine/flow/session.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { toSessionPlace } from "../session/keys.ts";
import { type ClosedSession, loadRunSession } from "../session/load-session.ts";
import { toKeptTurns } from "../session/session-policy.ts";
import { findHistory } from "../session/turn-messages.ts";
import type { RunGuard } from "./open-run-guard.ts";

/** The session of a run. */
type OpenSession = {
  /** Its earlier turns for Prompts; undefined for an agent that receives them as an input. */
  flow: FlowSession | undefined;
  /** Returns the session with the messages that the finished steps exchanged, as a guard leaves them. */
  close: (
    outcomes: readonly StepOutcome[],
    guard: Pick<RunGuard, "mask" | "maskMessages">,
  ) => ClosedSession;
};

/** Loads the session of an execution, undefined without one, and its inputs with the history for an agent that declares it. */
export const openRunSession = async (
  deps: ExecutionDeps,
  { tenantId, item, revision, values }: Job,
): Promise<{ session: OpenSession | undefined; values: Job["values"] }> => {
  if (item.session === null) return { session: undefined, values };
  const { agentId, id: executionId } = item;
  const place = toSessionPlace(tenantId, agentId, item.session.id);
  const { sessionPolicy, parametersMetadata } = revision.content;
  const policy = toKeptTurns(sessionPolicy);
  const now = deps.runtime.clock();
  const own = await loadRunSession(deps, { place, executionId, policy, now });
  const history = findHistory(parametersMetadata, values, own.turns);
  return {
    session: {
      flow: history === undefined ? own.flow : undefined,
      close: (outcomes, { mask, maskMessages }) => ({
        own,
        exchanged: maskMessages(listExchanged(outcomes)),
        mask,
      }),
    },
    values: history === undefined ? values : { ...values, history },
  };
};

/** Returns the messages that the Prompts of a flow and their models exchanged, in the order in which the steps finished. */
const listExchanged = (outcomes: readonly StepOutcome[]): ModelMessage[] => {
  const findEnd = ({ spans }: StepOutcome) => Math.max(0, ...spans.map(({ endTime }) => endTime));
  return outcomes
    .filter(({ exchange }) => exchange)
    .toSorted((one, other) => findEnd(one) - findEnd(other))
    .flatMap(({ exchange = [] }) => exchange);
};
