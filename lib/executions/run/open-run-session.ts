import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import type { FlowSession } from "../../engine/flow/session.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import type { CallerContext } from "../schemas.ts";
import { toSessionPlace } from "../session/keys.ts";
import { type ClosedSession, loadRunSession } from "../session/load-session.ts";
import { toKeptTurns } from "../session/session-policy.ts";
import { findHistory } from "../session/turn-messages.ts";
import type { RunGuard } from "./open-run-guard.ts";

/** The session of a run. */
type OpenSession = {
  /** Returns the session with the messages that the finished steps exchanged, as a guard leaves them. */
  close: (
    outcomes: readonly StepOutcome[],
    guard: Pick<RunGuard, "mask" | "maskMessages">,
  ) => ClosedSession;
};

/** The session of a run, and what its Prompts see of it and of the caller's context; undefined without either. */
type RunTurns = {
  session: OpenSession | undefined;
  flow: FlowSession | undefined;
  values: Job["values"];
};

/**
 * Loads the session of an execution, undefined without one, and its inputs with the history for an agent that declares it.
 * Its Prompts see the session's earlier turns, but for such an agent, and then the messages that the caller sent.
 */
export const openRunSession = async (
  deps: ExecutionDeps,
  { tenantId, item, revision, values, context }: Job,
): Promise<RunTurns> => {
  if (item.session === null) {
    return { session: undefined, flow: context && withContext(context), values };
  }
  const { agentId, id: executionId } = item;
  const place = toSessionPlace(tenantId, agentId, item.session.id);
  const { sessionPolicy, parametersMetadata } = revision.content;
  const policy = toKeptTurns(sessionPolicy);
  const now = deps.runtime.clock();
  const own = await loadRunSession(deps, { place, executionId, policy, now });
  const history = findHistory(parametersMetadata, values, own.turns);
  const flow = history === undefined ? own.flow : undefined;
  return {
    flow: context ? withContext(context, flow) : flow,
    session: {
      close: (outcomes, { mask, maskMessages }) => ({
        own,
        exchanged: maskMessages(listExchanged(outcomes)),
        mask,
      }),
    },
    values: history === undefined ? values : { ...values, history },
  };
};

/** Adds the caller's context to what Prompts see of a session, if there is one. */
const withContext = (
  { instructions, messages }: CallerContext,
  session?: FlowSession,
): FlowSession => {
  const sent = messages.map(
    ({ role, text }): ModelMessage =>
      role === "user" ? { role, text } : { role, text, toolCalls: [] },
  );
  return {
    ...(instructions !== undefined && { instructions }),
    recall: async (summarize) => [...((await session?.recall(summarize)) ?? []), ...sent],
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
