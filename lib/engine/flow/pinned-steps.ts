import type { Json } from "../../values/json/json.ts";
import type { CompiledFlow } from "./compile-flow.ts";
import type { StepOutcome } from "./flow-result.ts";
import { blankSpan } from "./run-step.ts";
import type { StepPlan } from "./step-type.ts";
import { type Hide, TraceRoom } from "./trace-room.ts";

/** Outputs of steps that are not run, by id. */
export type PinnedOutputs = ReadonlyMap<string, Json>;

/**
 * Restricts a flow to one step, after the steps with a pinned output. The step runs whatever these choose or end, and its
 * output is that of the flow.
 */
export const restrictFlow = (
  { steps, callbacks }: CompiledFlow,
  { only, pinned }: { only: string; pinned: PinnedOutputs },
): CompiledFlow => {
  const kept = steps.filter(({ base }) => base.id === only || pinned.has(base.id));
  const isOnly = ({ base }: StepPlan) => base.id === only;
  const place = kept.findIndex(isOnly);
  const given = kept.flatMap((step, at) => (isOnly(step) ? [] : at));
  const agents = kept[place]?.agents ?? [];
  return {
    steps: kept.map((step) => (isOnly(step) ? step : { ...step, ends: false, targets: [] })),
    graph: {
      next: kept.map((step) => (isOnly(step) ? [] : [place])),
      onError: kept.map(() => []),
      previous: kept.map((step) => (isOnly(step) ? given : [])),
    },
    agentIds: [...new Set(agents.map(({ agentId }) => agentId))],
    agents,
    callbacks: callbacks.filter((id) => id === only),
  };
};

/** Builds the outcomes of steps with a pinned output, as if an earlier run had finished them. */
export const toPinnedOutcomes = (
  { steps }: CompiledFlow,
  pinned: PinnedOutputs,
  { now, hide }: { now: number; hide: Hide },
): Map<string, StepOutcome> => {
  const trace = new TraceRoom(hide);
  const outcomes = new Map<string, StepOutcome>();
  for (const step of steps) {
    const { id } = step.base;
    const output = pinned.get(id);
    if (output === undefined) continue;
    const address = { stepId: id, spanId: id, parentId: null };
    const span = blankSpan(step, address, now);
    const shown = trace.fit({ ...span, status: "Succeeded", output, pinned: true });
    outcomes.set(id, { stepId: id, output, spans: [shown] });
  }
  return outcomes;
};
