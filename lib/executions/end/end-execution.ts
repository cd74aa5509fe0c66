import {
  type OrganizationEvent,
  traceEventType,
  unsentMessageType,
} from "../../platform/outbox/organization-event.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import type { EndInput, ExecutionDeps } from "../job/job.ts";
import type { RunOutcome } from "../record/results.ts";
import { sendNext } from "../session/release-session.ts";
import { type AddedTurn, toSessionEnd } from "./end-session.ts";
import { writeEnd } from "./end-store.ts";

/**
 * Ends an execution, in one transaction with the writes of others, with its turn and with the release of its session. Returns what was written, undefined when the
 * execution has ended, is held by another run, or was deleted.
 * @param input `from`: the state that the execution may be in: open, or cancelled and not counted
 */
export const endExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "endHooks" | "send">,
  {
    end,
    events,
    from,
    turn,
  }: {
    end: EndInput;
    events: readonly OrganizationEvent[];
    from: "open" | "cancelled";
    turn?: AddedTurn | undefined;
  },
): Promise<{ outcome: RunOutcome; events: readonly OrganizationEvent[] } | undefined> => {
  // A cancelled execution is counted as such, and not published.
  const [outcome, published] =
    from === "open"
      ? [end.outcome, events]
      : [toCancelled(end.outcome), events.filter(({ type }) => isOfCancelled(type))];
  const { item } = outcome;
  const ended = { ...end, outcome };
  const writes = deps.endHooks.buildWrites(ended, published);
  const now = item.endTime ?? item.startTime;
  const retention = await findRetention(deps.db, end.tenantId, now);
  const own = from === "open" ? turn : undefined;
  const session = own?.end ?? toSessionEnd(item, now);
  const written = await writeEnd(deps, { end: ended, retention, writes, from, session });
  const { next, isAppended = false } = written.session ?? {};
  if (session && next) await sendNext(deps.send, session.place, { next, now });
  if (turn) await forgetTurns(deps, turn, isAppended);
  return written.written ? { outcome, events: published } : undefined;
};

/** Returns whether the end of a cancelled execution has events of a type: its trace is exported, its chat gets a reply. */
const isOfCancelled = (type: OrganizationEvent["type"]): boolean =>
  type === traceEventType || type === unsentMessageType;

/** Deletes the objects of turns that are not kept. Best effort: they expire. */
const forgetTurns = async (
  { objects }: Pick<ExecutionDeps, "objects">,
  { object, dropped }: AddedTurn,
  isAppended: boolean,
): Promise<void> => {
  const stored = dropped.flatMap(({ turn }) => ("object" in turn ? turn.object : []));
  const unused = isAppended ? stored : [object].flatMap((name) => name ?? []);
  if (unused.length === 0) return;
  await objects
    .remove(unused)
    .catch((error: unknown) => log("turns-not-deleted", { error: asError(error) }));
};

/** Returns the outcome of a cancelled execution, which keeps its usage and its trace. */
const toCancelled = ({ item, trace }: RunOutcome): RunOutcome => ({
  item: { ...item, status: "Cancelled", errorType: null, hasResult: false },
  output: null,
  error: null,
  trace,
});
