import {
  type OrganizationEvent,
  traceEventType,
} from "../../platform/outbox/organization-event.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import type { EndInput, ExecutionDeps } from "../job/job.ts";
import type { RunOutcome } from "../record/results.ts";
import { writeEnd } from "./end-store.ts";

/**
 * Ends an execution, in one transaction with the writes of others. Returns what was written, undefined when the
 * execution has ended, is held by another run, or was deleted.
 * @param input `from`: the state that the execution may be in: open, or cancelled and not counted
 */
export const endExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "endHooks">,
  {
    end,
    events,
    from,
  }: { end: EndInput; events: readonly OrganizationEvent[]; from: "open" | "cancelled" },
): Promise<{ outcome: RunOutcome; events: readonly OrganizationEvent[] } | undefined> => {
  // A cancelled execution is counted as such, and not published.
  const [outcome, published] =
    from === "open"
      ? [end.outcome, events]
      : [toCancelled(end.outcome), events.filter(({ type }) => type === traceEventType)];
  const { item } = outcome;
  const ended = { ...end, outcome };
  const writes = deps.endHooks.buildWrites(ended, published);
  const retention = await findRetention(deps.db, end.tenantId, item.endTime ?? item.startTime);
  const isWritten = (await writeEnd(deps, { end: ended, retention, writes, from })) === "written";
  return isWritten ? { outcome, events: published } : undefined;
};

/** Returns the outcome of a cancelled execution, which keeps its usage and its trace. */
const toCancelled = ({ item, trace }: RunOutcome): RunOutcome => ({
  item: { ...item, status: "Cancelled", errorType: null, hasResult: false },
  output: null,
  error: null,
  trace,
});
