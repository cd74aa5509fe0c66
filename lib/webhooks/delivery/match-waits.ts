import { type EventWait, listEventWaits } from "../../executions/checkpoints/event-wait-store.ts";
import type { LookBackMessage } from "../../executions/messages.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import { inTurns } from "../../platform/deletion/in-turns.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { closeSession, openSession } from "../../values/expression/evaluation-scope.ts";
import type { MatchWaitsMessage } from "../messages.ts";
import { getWebhook } from "../webhook/store.ts";
import { unmarkAwaited } from "./awaited-store.ts";
import { loadEvent } from "./evaluate-agent.ts";
import type { DeliveredEvent, Mapping } from "./map-event.ts";
import { isInTime, isMatching, isReceived, takeDelivery } from "./match-wait.ts";
import { getDelivery } from "./store.ts";

/** Waits of one message. */
export const maxWaitsPerMessage = 250;
/** Processor time after which another message continues, in milliseconds. */
export const partMs = 5_000;
/** Delay of the second lookback: three times the time limit of the function that dispatches. */
export const settleSeconds = 60;

/**
 * Ends the waits that a stored delivery matches, once, and queues the next part of them. Idempotent: a wait has one
 * answer. The waits are read after the delivery was stored, so a wait that is registered later finds it by its lookback.
 */
export const matchWaits = async (
  deps: Pick<StartDeps, "db" | "objects" | "runtime" | "send">,
  message: MatchWaitsMessage,
): Promise<void> => {
  const { db, runtime } = deps;
  const { tenantId, webhookId, id, awaited, from, usedMs = 0 } = message;
  const [webhook, delivery, { waits, next }] = await Promise.all([
    getWebhook(db, tenantId, webhookId),
    getDelivery(db, tenantId, webhookId, id),
    listEventWaits(db, tenantId, webhookId, { from, limit: maxWaitsPerMessage }),
  ]);
  if (waits.length === 0 && from === undefined) {
    return unmarkAwaited(db, { tenantId, webhookId }, awaited);
  }
  if (!webhook || !delivery || !isReceived(webhook, delivery)) return;
  const inTime = waits.filter((wait) => isInTime(wait, delivery));
  const event = await loadEvent(deps, delivery);
  const processor = new ProcessorBudget(tenantId, processorLimits.eventMs);
  processor.spend(usedMs);
  const session = openSession();
  const mapping = { clock: runtime.clock, processor, session };
  const { matching, stoppedAt } = await findMatching(inTime, event, mapping).finally(() =>
    closeSession(session),
  );
  const settledSince = runtime.clock() - settleSeconds * 1_000;
  await inTurns(matching, (wait) =>
    wait.registeredAt < settledSince
      ? takeDelivery(deps, { tenantId, wait, event, delivery })
      : lookAtEarlier(deps, message, wait),
  );
  const rest = stoppedAt ?? next;
  if (rest === undefined) return;
  const { executionId, path } = rest;
  const place = { from: { executionId, path }, usedMs: processor.usedMs };
  await deps.send("subscribers", tenantId, { ...message, ...place } satisfies MatchWaitsMessage);
};

/** Asks whether an earlier delivery ends a wait that a delivery matches. */
const lookAtEarlier = (
  { send }: Pick<StartDeps, "send">,
  { tenantId, webhookId, id }: MatchWaitsMessage,
  { root, executionId, path }: EventWait,
): Promise<void> => {
  const wait = { webhookId, root, executionId, path };
  const place = { isSecond: true, matched: id };
  const message: LookBackMessage = { type: "look-back", tenantId, ...wait, ...place };
  return send("subscribers", tenantId, message);
};

/** Evaluates waits one after another, until the time of this message is over. */
const findMatching = async (
  waits: readonly EventWait[],
  event: DeliveredEvent,
  mapping: Mapping,
): Promise<{ matching: EventWait[]; stoppedAt: EventWait | undefined }> => {
  const { processor } = mapping;
  const before = processor.usedMs;
  const matching: EventWait[] = [];
  for (const wait of waits) {
    if (processor.usedMs - before > partMs) return { matching, stoppedAt: wait };
    if (await isMatching(wait, event, mapping)) matching.push(wait);
  }
  return { matching, stoppedAt: undefined };
};
