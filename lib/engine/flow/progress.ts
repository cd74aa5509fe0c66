import type { Json } from "../../values/json/json.ts";
import type { CompiledFlow } from "./compile-flow.ts";

/** Tracks which steps may start as others finish or are skipped. */
export type Progress = {
  /** Steps that wait for nothing. */
  roots(): readonly number[];
  /**
   * Marks a step as finished; returns the steps that may start and those that are skipped. `chosen`: the step that it chose
   * of its targets.
   */
  finish(place: number, chosen: Json): Ready;
};

/** Indexes of steps to start and to skip. */
export type Ready = { readonly start: readonly number[]; readonly skip: readonly number[] };

/** Creates the progress of a new run. */
export const createProgress = ({ steps, graph }: CompiledFlow): Progress => {
  const waiting = graph.previous.map((sources) => sources.length);
  const reached = new Set<number>();

  const leave = (
    place: number,
    leadsTo: (target: number) => boolean,
    ready: { start: number[]; skip: number[] },
  ): void => {
    for (const target of graph.next[place] ?? []) {
      if (leadsTo(target)) reached.add(target);
      const left = (waiting[target] ?? 0) - 1;
      waiting[target] = left;
      if (left === 0) (reached.has(target) ? ready.start : ready.skip).push(target);
    }
  };

  return {
    roots: () => [...waiting.keys()].filter((place) => waiting[place] === 0),
    finish(place, chosen) {
      const ready: { start: number[]; skip: number[] } = { start: [], skip: [] };
      const choices = new Set(steps[place]?.targets.map(({ target }) => target));
      leave(
        place,
        (target) => {
          const id = steps[target]?.base.id;
          return id === undefined || !choices.has(id) || id === chosen;
        },
        ready,
      );
      for (let index = 0; index < ready.skip.length; index += 1) {
        const skipped = ready.skip[index];
        if (skipped !== undefined) leave(skipped, () => false, ready);
      }
      return ready;
    },
  };
};
