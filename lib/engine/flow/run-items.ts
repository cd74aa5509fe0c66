import type { Json } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { FlowError } from "./flow-result.ts";
import { runPool } from "./pool.ts";
import { finishStep, type Run } from "./run.ts";
import type { Attempt } from "./run-attempt.ts";
import { runStep } from "./run-step.ts";
import { RunStop } from "./run-stop.ts";
import type { ItemsOptions } from "./step-context.ts";
import type { StepPlan } from "./step-type.ts";

/**
 * Runs the inner step of an attempt for each item. Items that an earlier attempt or run finished are not
 * repeated. Returns the outputs in the items' order.
 */
export const runItems = async (
  run: Run,
  { step, attempt }: { step: StepPlan; attempt: Attempt },
  items: readonly Json[],
  { concurrency, collect }: ItemsOptions,
): Promise<readonly Json[]> => {
  const { inner } = step;
  if (!inner) throw new Error("A step without an inner step has no items.");
  const outputs: Json[] = new Array<Json>(items.length).fill(null);
  const hold = run.state.hold();
  const isDrained = () => run.options.drain?.aborted === true && inner.waits;
  let hasDrainedItem = false;
  let hasWaitingItem = false;
  const buildItemId = (index: number) => `${attempt.stepId}/${index}`;
  const earlier = (index: number) =>
    run.items.get(buildItemId(index)) ?? run.options.completed?.get(buildItemId(index));

  const runItem = async (
    index: number,
    signal: AbortSignal,
    leaveSlot: () => void,
  ): Promise<void> => {
    const known = earlier(index);
    if (known) {
      outputs[index] = known.output;
      return hold.add(known.output);
    }
    const stepId = buildItemId(index);
    const state = run.state.forItem({ item: items[index] ?? null, index }, hold);
    const spanId = `${attempt.spanId}/${index}`;
    const address = { stepId, spanId, parentId: attempt.spanId, index };
    const end = await runStep({ ...run, signal, state, leaveSlot }, inner, address);
    if (end.status === "stopped") {
      hasDrainedItem ||= !signal.aborted;
      return attempt.below().adopt(end.spans);
    }
    if (end.status === "waiting") {
      hasWaitingItem = true;
      return attempt.below().adopt(end.spans);
    }
    if (end.status === "failed" && (end.isFatal || !collect)) {
      attempt.below().adopt(end.spans);
      throw toItemError(index, end.error);
    }
    const output = end.status === "done" ? end.result.output : collected(end.error);
    outputs[index] = output;
    run.items.set(stepId, { output });
    await finishStep(run, { stepId, output, spans: end.spans });
    if (end.status === "failed") hold.add(output);
  };

  try {
    run.ledger.assertRunsLeft(items.filter((_item, index) => !earlier(index)).length);
    const { signal, leaveSlot: onLeft } = run;
    const pool = { width: concurrency, signal, isDrained, ...(onLeft && { onLeft }) };
    const { during, without } = run.activity;
    await without(() => runPool(items.length, pool, (...item) => during(() => runItem(...item))));
    if (hasDrainedItem) throw new RunStop("interrupted");
    if (hasWaitingItem) throw new RunStop("waiting");
    return outputs;
  } finally {
    hold.release();
  }
};

/** The output of a failed item when failures are collected. */
const collected = ({ slug, detail }: FlowError): Json => ({ error: { slug, detail } });

const toItemError = (index: number, error: FlowError): StepError => {
  const { slug, detail, upstream, upstreamStatus, cause } = error;
  return new StepError(slug, `Item ${index}: ${detail}`, {
    ...(upstream === undefined ? {} : { upstream }),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    cause,
  });
};
