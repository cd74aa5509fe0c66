import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { closeSession, openSession } from "../../values/expression/evaluation-scope.ts";
import type { SubscriptionItem } from "../webhook/items.ts";
import type { Mapping } from "./map-event.ts";

/** Time limit of evaluating several subscriptions together. */
const timeoutMs = 2_000;

/** Time and timers of evaluating several subscriptions. */
export type TogetherDeps = {
  runtime: { clock: Clock };
  /** Resolves after the time, or early when the signal is aborted; never rejects. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** The outcome of a subscription; "open": it has to be notified separately. */
export type Evaluated<Outcome> = { subscription: SubscriptionItem; outcome: Outcome | "open" };

/**
 * Evaluates several subscriptions concurrently, with separate processor budgets, so that none fails
 * or delays another: one that fails or takes too long is "open", to be evaluated again separately.
 */
export const evaluateTogether = async <
  Subscriber extends { subscription: SubscriptionItem },
  Outcome,
>(
  { runtime, sleep }: TogetherDeps,
  {
    tenantId,
    all,
    evaluate,
  }: {
    tenantId: TenantId;
    all: readonly Subscriber[];
    evaluate: (subscriber: Subscriber, mapping: Mapping) => Promise<Outcome>;
  },
): Promise<Evaluated<Outcome>[]> => {
  if (all.length === 0) return [];
  const session = openSession();
  const over = new AbortController();
  const late = sleep(timeoutMs, over.signal).then(() => "open" as const);
  const outcomes = await Promise.all(
    all.map(async (subscriber) => {
      const processor = newProcessor(tenantId);
      const evaluated = evaluate(subscriber, { clock: runtime.clock, processor, session });
      const outcome = await Promise.race([evaluated.catch(asOpen), late]);
      if (outcome === "open") processor.spend(processor.remainingMs);
      return { subscription: subscriber.subscription, outcome };
    }),
  );
  over.abort();
  closeSession(session);
  return outcomes;
};

/** Evaluates a single subscription. */
export const evaluateAlone = async <Outcome>(
  clock: Clock,
  tenantId: TenantId,
  evaluate: (mapping: Mapping) => Promise<Outcome>,
): Promise<Outcome> => {
  const session = openSession();
  try {
    return await evaluate({ clock, processor: newProcessor(tenantId), session });
  } finally {
    closeSession(session);
  }
};

const newProcessor = (tenantId: TenantId) =>
  new ProcessorBudget(tenantId, processorLimits.deliveryMs);

const asOpen = (error: unknown): "open" => {
  log("subscription-notified-alone", { error: asError(error) });
  return "open";
};
