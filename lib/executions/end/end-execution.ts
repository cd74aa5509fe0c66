import {
  type OrganizationEvent,
  traceEventType,
} from "../../platform/outbox/organization-event.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import type { EndInput, ExecutionDeps } from "../job/job.ts";
import type { RunOutcome } from "../record/results.ts";
import { writeEnd } from "./end-store.ts";

/** The end of an execution, with its events and the token of the run that holds it, as `Job` has it. */
type End = EndInput & { owner: string | null; events: readonly OrganizationEvent[] };

/**
 * Ends an execution, in one transaction with the writes of others. Returns what was written, undefined when the
 * execution has ended, is held by another run, or was deleted.
 * @param input `from`: the state that the execution may be in: open, or cancelled and not counted
 */
export const endExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "endHooks">,
  { end: { owner, events, ...input }, from }: { end: End; from: "open" | "cancelled" },
): Promise<Pick<End, "outcome" | "events"> | undefined> => {
  // A cancelled execution is counted as such, and not published.
  const [outcome, published] =
    from === "open"
      ? [input.outcome, events]
      : [toCancelled(input.outcome), events.filter(({ type }) => type === traceEventType)];
  const { item } = outcome;
  const writes = deps.endHooks.buildWrites({ ...input, outcome }, published);
  const retention = await findRetention(deps.db, input.tenantId, item.endTime ?? item.startTime);
  const end = { outcome, retention, owner, writes };
  const isWritten = (await writeEnd(deps, end, from)) === "written";
  return isWritten ? { outcome, events: published } : undefined;
};

/** Returns the outcome of a cancelled execution, which keeps its usage and its trace. */
const toCancelled = ({ item, trace }: RunOutcome): RunOutcome => ({
  item: { ...item, status: "Cancelled", errorType: null, hasResult: false },
  output: null,
  error: null,
  trace,
});
