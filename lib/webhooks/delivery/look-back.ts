import { getEventWait, removeEventWait } from "../../executions/checkpoints/event-wait-store.ts";
import type { LookBackMessage } from "../../executions/messages.ts";
import { getExecution } from "../../executions/record/store.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { closeSession, openSession } from "../../values/expression/evaluation-scope.ts";
import { getWebhook } from "../webhook/store.ts";
import { markAwaited } from "./awaited-store.ts";
import { loadEvent } from "./evaluate-agent.ts";
import { isInTime, isMatching, isReceived, takeDelivery } from "./match-wait.ts";
import { partMs, settleSeconds } from "./match-waits.ts";
import { getDelivery, listDeliveriesFrom } from "./store.ts";

/*
 * Why no event is lost between a wait and a delivery:
 *
 * 1. The wait is registered in the transaction with which its execution begins to wait. Then the webhook is marked as
 *    awaited, and then its stored deliveries are looked through.
 * 2. A dispatch reads the mark with the subscriptions, always from the table, and stores the delivery. Where it has seen
 *    the mark, it then sends a message that reads the waits. A wait that was registered before this read is found by it; one
 *    that is registered after it looks back after the delivery was stored, and finds it.
 * 3. A dispatch that has not seen the mark may store its delivery after the lookback. It does so within the time limit of its
 *    function, or is attempted again and reads the mark again. A second lookback therefore comes after that time. The index
 *    by which a lookback finds deliveries is behind the table for less.
 * 4. A delivery that is still on the queue when the wait is registered is dispatched with the mark. What counts is when it
 *    was received.
 *
 * The earliest delivery ends the wait: until the second lookback, a dispatch does not end a wait that it matches, but asks
 * for a look at the earlier ones.
 *
 * The mark is removed by a reader who finds no waits, on the condition that it is the one that was read before: a wait that
 * is registered in the meantime replaces it.
 */

/** Pause before a lookback for a wait that is not registered yet. */
const deferralSeconds = 20;
/** Deliveries that one message looks at. */
const maxPerMessage = 500;

type LookBackDeps = Pick<StartDeps, "db" | "objects" | "runtime" | "send">;

/** Ends a wait with the earliest delivery that it matches and that was received before it was known to dispatches. Idempotent. */
export const lookBack = async (deps: LookBackDeps, message: LookBackMessage): Promise<void> => {
  const { db, runtime, send } = deps;
  const { tenantId, webhookId, root, isSecond, matched, after, usedMs = 0 } = message;
  const isFirst = !isSecond && after === undefined;
  // Read before the wait: a run that waits now has registered its waits.
  const execution = isFirst && (await getExecution(db, tenantId, root.agentId, root.executionId));
  const [wait, webhook] = await Promise.all([
    getEventWait(db, tenantId, message),
    getWebhook(db, tenantId, webhookId),
  ]);
  if (!wait) {
    const isRunning = execution && ["Queued", "Running"].includes(execution.item.status);
    if (isRunning) await send("subscribers", tenantId, message, deferralSeconds);
    return;
  }
  if (!webhook) return removeEventWait(db, tenantId, wait);
  if (isFirst) {
    await markAwaited(db, message, { token: newUuid(runtime), now: runtime.clock() });
    await send("subscribers", tenantId, { ...message, isSecond: true }, settleSeconds);
  }
  const processor = new ProcessorBudget(tenantId, processorLimits.eventMs);
  processor.spend(usedMs);
  const session = openSession();
  const mapping = { clock: runtime.clock, processor, session };
  let looked = 0;
  let last = after;
  try {
    for await (const delivery of listDeliveriesFrom(db, tenantId, webhookId, { ...wait, after })) {
      if (looked === maxPerMessage || processor.usedMs - usedMs > partMs) {
        const more: LookBackMessage = { ...message, after: last, usedMs: processor.usedMs };
        return await send("subscribers", tenantId, more);
      }
      if (matched !== undefined && delivery.id >= matched) break;
      looked += 1;
      last = delivery.id;
      if (!isReceived(webhook, delivery) || !isInTime(wait, delivery)) continue;
      const event = await loadEvent(deps, delivery);
      if (!(await isMatching(wait, event, mapping))) continue;
      return await takeDelivery(deps, { tenantId, wait, event, delivery });
    }
    const delivery = matched && (await getDelivery(db, tenantId, webhookId, matched));
    if (!delivery) return;
    const event = await loadEvent(deps, delivery);
    return await takeDelivery(deps, { tenantId, wait, event, delivery });
  } finally {
    closeSession(session);
  }
};
