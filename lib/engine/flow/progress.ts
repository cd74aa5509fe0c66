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
  /** As `finish`, for a step that failed: its edges with `on: "error"` are taken. */
  fail(place: number): Ready;
};

/** Indexes of steps to start and to skip. */
export type Ready = { readonly start: readonly number[]; readonly skip: readonly number[] };

/** Creates the progress of a new run. */
export const createProgress = ({ steps, graph }: CompiledFlow): Progress => {
  const waiting = graph.previous.map((sources) => sources.length);
  const reached = new Set<number>();

  const leave = (
    place: number,
    leadsTo: (target: number, isOnError: boolean) => boolean,
    ready: { start: number[]; skip: number[] },
  ): void => {
    const follow = (targets: readonly number[], isOnError: boolean) => {
      for (const target of targets) {
        if (leadsTo(target, isOnError)) reached.add(target);
        const left = (waiting[target] ?? 0) - 1;
        waiting[target] = left;
        if (left === 0) (reached.has(target) ? ready.start : ready.skip).push(target);
      }
    };
    follow(graph.next[place] ?? [], false);
    follow(graph.onError[place] ?? [], true);
  };

  const end = (place: number, leadsTo: (target: number, isOnError: boolean) => boolean): Ready => {
    const ready: { start: number[]; skip: number[] } = { start: [], skip: [] };
    leave(place, leadsTo, ready);
    for (let index = 0; index < ready.skip.length; index += 1) {
      const skipped = ready.skip[index];
      if (skipped !== undefined) leave(skipped, () => false, ready);
    }
    return ready;
  };

  return {
    roots: () => [...waiting.keys()].filter((place) => waiting[place] === 0),
    finish(place, chosen) {
      const choices = new Set(steps[place]?.targets.map(({ target }) => target));
      return end(place, (target, isOnError) => {
        const id = steps[target]?.base.id;
        return !isOnError && (id === undefined || !choices.has(id) || id === chosen);
      });
    },
    fail: (place) => end(place, (_target, isOnError) => isOnError),
  };
};
