import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { toFlowModel } from "../../../flow-graph/flow-model.ts";

/** Returns the ids of the steps that lead to a step, nearest first. */
export const findEarlierSteps = (draft: Draft, id: string): string[] => {
  const { connections } = toFlowModel(draft.flow);
  const found = new Set<string>();
  let wave = [id];
  while (wave.length > 0) {
    const sources = connections
      .filter(({ target }) => wave.includes(target))
      .map(({ source }) => source);
    wave = [...new Set(sources)].filter((source) => !found.has(source) && source !== id);
    for (const source of wave) found.add(source);
  }
  return [...found];
};
