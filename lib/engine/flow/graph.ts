import type { Edge } from "./edge.ts";
import type { FlowProblem } from "./step-type.ts";

/** The dependencies of steps, by index in the flow. */
export type Graph = {
  /** Steps that wait for a step. */
  readonly next: readonly (readonly number[])[];
  /** Steps that an edge with `on: "error"` leads to from a step. */
  readonly onError: readonly (readonly number[])[];
  /** Steps that a step waits for, once for each edge. */
  readonly previous: readonly (readonly number[])[];
};

/** An edge and its pointer in the flow. */
export type PlacedEdge = { readonly edge: Edge; readonly pointer: string };

/** Builds the graph of the valid edges, and returns the problems of the others. */
export const buildGraph = (
  ids: readonly (string | undefined)[],
  edges: readonly PlacedEdge[],
): { readonly graph: Graph; readonly problems: readonly FlowProblem[] } => {
  const places = new Map(ids.map((id, place) => [id, place]));
  const next: number[][] = ids.map(() => []);
  const onError: number[][] = ids.map(() => []);
  const previous: number[][] = ids.map(() => []);
  const seen = new Map<string, string>();
  const problems: FlowProblem[] = [];

  for (const { edge, pointer } of edges) {
    const source = places.get(edge.source);
    const target = places.get(edge.target);
    if (source === undefined) {
      problems.push({
        pointer: `${pointer}/source`,
        detail: `There is no step "${edge.source.slice(0, 64)}".`,
      });
    }
    if (target === undefined) {
      problems.push({
        pointer: `${pointer}/target`,
        detail: `There is no step "${edge.target.slice(0, 64)}".`,
      });
    }
    if (source === undefined || target === undefined) continue;
    if (source === target) {
      problems.push({
        pointer,
        detail: `The step "${edge.source.slice(0, 64)}" can't wait for itself.`,
      });
      continue;
    }
    const key = buildEdgeKey(source, target, edge.on);
    const first = seen.get(key);
    if (first !== undefined) {
      problems.push({ pointer, detail: `The edge is the same as ${first}.` });
      continue;
    }
    seen.set(key, pointer);
    (edge.on === "error" ? onError : next)[source]?.push(target);
    previous[target]?.push(source);
  }
  const graph = { next, onError, previous };
  const cycle = findCycle(graph);
  if (cycle) problems.push(cycleProblem(cycle, ids, seen));
  return { graph, problems };
};

const buildEdgeKey = (source: number, target: number, on: Edge["on"]): string =>
  `${source} ${target} ${on ?? ""}`;

const cycleProblem = (
  cycle: readonly number[],
  ids: readonly (string | undefined)[],
  edges: ReadonlyMap<string, string>,
): FlowProblem => {
  const names = [...cycle, cycle[0] ?? 0].map((place) => ids[place]?.slice(0, 64) ?? "");
  const shown = names.length > 20 ? [...names.slice(0, 19), "…"] : names;
  const [first = 0, last = 0] = [cycle[0], cycle.at(-1)];
  const find = (on: Edge["on"]) => edges.get(buildEdgeKey(last, first, on));
  return {
    pointer: find(undefined) ?? find("error") ?? "/edges",
    detail: `The edges form a cycle: ${shown.join(" → ")}.`,
  };
};

/** Returns the indexes of the steps of one cycle, in order; undefined without a cycle. */
const findCycle = ({ next, onError, previous }: Graph): number[] | undefined => {
  const waiting = previous.map((sources) => sources.length);
  const ready = [...waiting.keys()].filter((place) => waiting[place] === 0);
  const visited = new Set<number>();
  for (let place = ready.pop(); place !== undefined; place = ready.pop()) {
    visited.add(place);
    for (const target of [...(next[place] ?? []), ...(onError[place] ?? [])]) {
      const left = (waiting[target] ?? 0) - 1;
      waiting[target] = left;
      if (left === 0) ready.push(target);
    }
  }
  const start = [...waiting.keys()].find((place) => !visited.has(place));
  if (start === undefined) return undefined;
  // Every remaining step waits for another remaining one, so following them back reaches a cycle.
  const walked: number[] = [];
  let place = start;
  while (!walked.includes(place)) {
    walked.push(place);
    place = previous[place]?.find((source) => !visited.has(source)) ?? place;
  }
  const cycle = walked.slice(walked.indexOf(place)).reverse();
  const first = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(first), ...cycle.slice(0, first)];
};

/** Returns the indexes of all steps upstream of a step. */
export const findAncestors = ({ previous }: Graph, place: number): ReadonlySet<number> => {
  const found = new Set<number>();
  const open = [...(previous[place] ?? [])];
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    if (found.has(source)) continue;
    found.add(source);
    open.push(...(previous[source] ?? []));
  }
  return found;
};
