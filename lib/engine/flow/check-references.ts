import type { CheckedTemplate } from "../../values/expression/check-templates-task.ts";
import { buildPointer } from "../../values/json/json.ts";
import { findAncestors, type Graph } from "./graph.ts";
import type { ReadStep } from "./read-step.ts";
import type { FlowProblem } from "./step-type.ts";

type Ids = readonly (string | undefined)[];

/** Finds ids that more than one step has. */
export const findDuplicates = (ids: Ids): FlowProblem[] => {
  const first = new Map<string, number>();
  const problems: FlowProblem[] = [];
  for (const [place, id] of ids.entries()) {
    if (id === undefined) continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, place);
    else {
      const detail = `The id "${id.slice(0, 64)}" is taken by ${buildPointer("steps", earlier)}.`;
      problems.push({ pointer: buildPointer("steps", place, "id"), detail });
    }
  }
  return problems;
};

/** Finds targets of a step's choice that do not exist. */
export const checkTargets = ({ plan }: ReadStep, place: number, ids: Ids): FlowProblem[] =>
  (plan?.targets ?? [])
    .filter(({ target }) => !ids.includes(target))
    .map(({ pointer, target }) => ({
      pointer: buildPointer("steps", place) + pointer,
      detail: `There is no step "${target.slice(0, 64)}".`,
    }));

type Known = {
  readonly ids: Ids;
  readonly graph: Graph;
  readonly hasAllEdges: boolean;
  /** Whether a step has `onError`. */
  hasOnError(place: number): boolean;
};

/**
 * Finds outputs and errors that a step reads although no edges lead from their steps to it, or none after which there are
 * any, if all edges are known.
 */
export const checkReferences = (
  { templates }: ReadStep,
  place: number,
  { ids, graph, hasAllEdges, hasOnError }: Known,
  checked: ReadonlyMap<string, CheckedTemplate>,
): FlowProblem[] => {
  const references = templates.flatMap(({ pointer, text }) => {
    const result = checked.get(text);
    return result?.ok ? result.steps.map((read) => ({ pointer, ...read })) : [];
  });
  if (references.length === 0) return [];
  const ancestors = findAncestors(graph, place);
  const leadsHere = (targets: readonly number[] = []) =>
    targets.some((target) => target === place || ancestors.has(target));
  const ownFailure = buildPointer("steps", place, "onError");
  const explain = ({ pointer, id, member }: (typeof references)[number]): string | undefined => {
    const source = ids.indexOf(id);
    if (source === -1) {
      return `The expression reads steps.${id.slice(0, 64)}, but there is no such step.`;
    }
    if (source === place && member === "error" && pointer.startsWith(ownFailure)) return undefined;
    if (!hasAllEdges) return undefined;
    if (!ancestors.has(source)) {
      return `The expression reads steps.${id}, but no edges lead from "${id}" to this step.`;
    }
    const mayHaveFailed = hasOnError(source) || leadsHere(graph.onError[source]);
    if (member === "error" && !mayHaveFailed) {
      return `The expression reads steps.${id}.error, but "${id}" has no onError, and none of its edges with "on": "error" lead to this step.`;
    }
    if (member === "output" && !leadsHere(graph.next[source])) {
      return `The expression reads steps.${id}.output, but this step runs only after "${id}" has failed.`;
    }
    return undefined;
  };
  return references.flatMap((reference) => {
    const detail = explain(reference);
    return detail === undefined ? [] : [{ pointer: reference.pointer, detail }];
  });
};
