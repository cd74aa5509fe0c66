import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { closeSession, openSession } from "../../values/expression/evaluation-scope.ts";
import type { SubscriptionItem } from "../webhook/items.ts";
import type { Mapping } from "./map-event.ts";

/** Time limit of evaluating several subscriptions together. The processor time of one has the same limit. */
export const togetherMs = 2_000;

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
 * @param input `limitMs`: time limit. `waitsForEnd`: whether to wait for what was stopped, at most for as long again
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
    limitMs = togetherMs,
    waitsForEnd = false,
  }: {
    tenantId: TenantId;
    all: readonly Subscriber[];
    evaluate: (subscriber: Subscriber, mapping: Mapping) => Promise<Outcome>;
    limitMs?: number;
    waitsForEnd?: boolean;
  },
): Promise<Evaluated<Outcome>[]> => {
  if (all.length === 0) return [];
  const session = openSession();
  const over = new AbortController();
  const late = sleep(limitMs, over.signal).then(() => "open" as const);
  const running: Promise<unknown>[] = [];
  const outcomes = await Promise.all(
    all.map(async (subscriber) => {
      const processor = newProcessor(tenantId, Math.min(limitMs, processorLimits.deliveryMs));
      const mapping = { clock: runtime.clock, processor, session };
      const evaluated = evaluate(subscriber, mapping).catch(asOpen);
      running.push(evaluated);
      const first = await Promise.race([evaluated, late]);
      // Alone, it has more processor time than what it has used up here.
      const outcome = processor.remainingMs < 1 ? ("open" as const) : first;
      if (outcome === "open") processor.spend(processor.remainingMs);
      return { subscription: subscriber.subscription, outcome };
    }),
  );
  if (waitsForEnd) await Promise.race([Promise.all(running), sleep(limitMs, over.signal)]);
  endWaits(over);
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
    return await evaluate({
      clock,
      processor: newProcessor(tenantId, processorLimits.deliveryMs),
      session,
    });
  } finally {
    closeSession(session);
  }
};

const newProcessor = (tenantId: TenantId, totalMs: number) =>
  new ProcessorBudget(tenantId, totalMs);

const asOpen = (error: unknown): "open" => {
  log("subscription-notified-alone", { error: asError(error) });
  return "open";
};
