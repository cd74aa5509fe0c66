import type { AskService } from "../../guardrails/ask-service.ts";
import { dollars } from "../../models/sums.ts";
import { emptySpan } from "../child-spans.ts";
import { describeFailure } from "../describe-failure.ts";
import type { Span } from "../flow-result.ts";
import type { SpendGuard } from "../spend-guard.ts";
import type { Used } from "../step-context.ts";
import { sumUsage, totalUsage } from "../sum-usage.ts";
import { askServices } from "./ask-services.ts";
import type { ServiceCalls } from "./service-calls.ts";

/** The services of checks outside of steps. */
export type RunServices = {
  readonly ask: AskService;
  /** Returns the spans of the models that were called; open ones end. */
  end(): Promise<readonly Span[]>;
};

type Settings = Omit<ServiceCalls, "openSpan" | "reserve"> & {
  readonly spend: SpendGuard | undefined;
  /** US dollars of the run before. */
  readonly spent: number;
  readonly clock: () => number;
};

/** Creates the services of the checks of a value. Calls of models have spans below the given one. */
export const createRunServices = (
  parentId: string,
  { spend, spent, clock, ...calls }: Settings,
): RunServices => {
  const spans: Span[] = [];
  const open = new Map<number, (() => Promise<Used>) | undefined>();
  const countSpent = () => dollars(spent + totalUsage(sumUsage(spans)).cost.totalCost);
  const openSpan: ServiceCalls["openSpan"] = (start, whenCut) => {
    const [at, startTime] = [spans.length, clock()];
    const id = `${parentId}/${at + 1}`;
    const span: Span = {
      ...{ ...emptySpan, ...start, id, parentId, stepId: parentId },
      ...{ startTime, endTime: startTime, status: "Cancelled" },
    };
    spans.push(span);
    open.set(at, whenCut);
    const close: ReturnType<ServiceCalls["openSpan"]>["close"] = ({ error, ...end }) => {
      if (!open.delete(at)) return;
      const failure = error === undefined ? null : describeFailure(error, null);
      const status = failure ? "Failed" : "Succeeded";
      spans[at] = { ...span, ...end, error: failure, status, endTime: clock() };
    };
    return { id, close };
  };
  const reserve: ServiceCalls["reserve"] = async (estimate) => {
    if (!spend) return () => {};
    const { dollars: expected, most, unpriced } = await estimate();
    if (unpriced !== undefined) spend.checkUnpriced(unpriced);
    if (most <= 0) return () => {};
    let bound = most;
    await spend.reserve({
      spent: countSpent(),
      estimate: expected,
      most: () => countSpent() + bound,
    });
    return () => {
      bound = 0;
    };
  };
  return {
    ask: askServices({ ...calls, openSpan, reserve }),
    end: async () => {
      for (const [at, whenCut] of [...open]) {
        open.delete(at);
        const used = await whenCut?.().catch(() => undefined);
        const span = spans[at];
        if (span) spans[at] = { ...span, ...used, endTime: clock() };
      }
      return spans;
    },
  };
};
