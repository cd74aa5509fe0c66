import type { PlacedEdge } from "./graph.ts";
import { cannotFail, type FlowProblem, type StepPlan } from "./step-type.ts";

/** Finds edges with `on: "error"` that are never taken. */
export const checkErrorEdges = (
  edges: readonly PlacedEdge[],
  plans: readonly StepPlan[],
): FlowProblem[] => {
  const byId = new Map(plans.map((plan) => [plan.base.id, plan]));
  return edges.flatMap(({ edge, pointer }) => {
    const source = edge.on === "error" ? byId.get(edge.source) : undefined;
    const reason = source && findReason(source);
    if (!reason) return [];
    const id = edge.source.slice(0, 64);
    return [{ pointer: `${pointer}/on`, detail: `The step "${id}" ${reason}.` }];
  });
};

const findReason = ({ base, canFail }: StepPlan): string | undefined => {
  if (!canFail) return cannotFail;
  return base.onError
    ? "has onError, which gives it an output when it fails: remove one of the two"
    : undefined;
};
