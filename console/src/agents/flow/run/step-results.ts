import type { StepState, StepStates } from "../../../flow-graph/step-state.ts";

/** Steps with the outputs that replace a run of them. */
export type Pins = ReadonlyMap<string, unknown>;

/** Replaces the states of the steps that ran since; with `isWhole`, all others are forgotten. */
export const mergeResults = (
  before: StepStates,
  ran: StepStates,
  { isWhole, pinned }: { isWhole: boolean; pinned: ReadonlySet<string> },
): StepStates => {
  const own = [...ran].filter(([id]) => !pinned.has(id));
  if (isWhole) return new Map(own);
  return new Map([
    ...before,
    ...own.map(([id, state]) => [id, { ...before.get(id), ...state }] as const),
  ]);
};

/** Returns the outputs of steps by their ids, of those in the flow: pinned ones, else what they returned last. */
export const listOutputs = (
  stepIds: readonly string[],
  results: StepStates,
  pins: Pins,
): Record<string, unknown> =>
  Object.fromEntries(
    stepIds.flatMap((id): [string, unknown][] => {
      if (pins.has(id)) return [[id, pins.get(id)]];
      const state: StepState | undefined = results.get(id);
      return state?.status === "Succeeded" && state.output !== undefined
        ? [[id, state.output]]
        : [];
    }),
  );

/** Returns what is pinned for a run: the given outputs, and for a single step also the last ones of the others. */
export const choosePinned = (
  only: string | undefined,
  stepIds: readonly string[],
  { results, pins }: { results: StepStates; pins: Pins },
): Record<string, unknown> => {
  const others = stepIds.filter((id) => id !== only);
  return listOutputs(others, only === undefined ? new Map() : results, pins);
};
