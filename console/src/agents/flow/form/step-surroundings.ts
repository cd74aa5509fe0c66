import type { Draft } from "../../../flow-graph/edit-flow.ts";

/** The revision that a step is part of. */
export type StepSurroundings = {
  draft: Draft;
  agentId: string;
  /** Ids and names of the steps that can be chosen as targets. */
  others: readonly { value: string; label: string }[];
};
