import type { ObjectStore } from "../../platform/db/large-value.ts";
import { formatValue, type Json } from "../../values/json/json.ts";
import type { Job } from "../job/job.ts";
import { maskMessages } from "../job/mask-messages.ts";
import { jobSecrets, maskInText, maskInValue } from "../job/masks.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { toSessionPlace } from "../session/keys.ts";
import type { ClosedSession } from "../session/load-session.ts";
import type { SessionEnd } from "../session/release-session.ts";
import type { TurnItem } from "../session/session-item.ts";
import { toSaid } from "../session/turn-messages.ts";
import { buildTurnWrite, deleteTurns, fitTurn } from "../session/turn-store.ts";

/** The end of an execution of a session, and what is deleted with it. */
export type AddedTurn = {
  end: SessionEnd;
  /** The object of its turn, which nothing refers to unless the turn is added. */
  object: string | undefined;
  /** Turns that are not kept when it is added. */
  dropped: readonly TurnItem[];
};

/** Returns the end of an execution that adds no turn to its session; undefined without a session. */
export const toSessionEnd = (item: ExecutionRecord, now: number): SessionEnd | undefined => {
  if (item.session === null) return undefined;
  const { tenantId, agentId, executionId } = toExecutionKey(item);
  const place = toSessionPlace(tenantId, agentId, item.session.id);
  return { place, executionId, now, keptDays: item.sessionDays ?? 1 };
};

/**
 * Returns the end of a succeeded execution, which adds a turn to its session. Secrets, and what its guardrails mask, are masked
 * in it.
 */
export const buildSessionTurn = async (
  { objects }: { objects: ObjectStore },
  {
    job,
    session: { own, exchanged, mask },
    output,
    now,
  }: { job: Job; session: ClosedSession; output: Json; now: number },
): Promise<AddedTurn | undefined> => {
  const end = toSessionEnd(job.item, now);
  const { place, appending, policy } = own;
  if (!end || !appending) return end && { end, object: undefined, dropped: [] };
  const { inTraces } = jobSecrets(job);
  const { parametersMetadata } = job.revision.content;
  const masked = Object.entries(job.values).map(([name, value]) => [name, mask(value)]);
  const turn = fitTurn({
    said: maskInText(toSaid(parametersMetadata, Object.fromEntries(masked)), inTraces),
    exchanged: [...maskMessages(exchanged, inTraces)],
    output: formatValue(mask(maskInValue(output, inTraces)) ?? undefined),
  });
  const content = { turn, appending, executionId: end.executionId, endedAt: now, policy };
  const { write, tokens, object } = await buildTurnWrite(objects, place, content);
  const dropped = own.listDropped(tokens);
  const turnWrites = [write, ...deleteTurns(dropped)];
  return { end: { ...end, appended: appending, turnWrites }, object, dropped };
};
