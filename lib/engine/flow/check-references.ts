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

/** Finds outputs that a step reads although no edges lead from their steps to it, if all edges are known. */
export const checkReferences = (
  { templates }: ReadStep,
  place: number,
  { ids, graph, hasAllEdges }: { ids: Ids; graph: Graph; hasAllEdges: boolean },
  checked: ReadonlyMap<string, CheckedTemplate>,
): FlowProblem[] => {
  const references = templates.flatMap(({ pointer, text }) => {
    const result = checked.get(text);
    return result?.ok ? result.steps.map((id) => ({ pointer, id })) : [];
  });
  if (references.length === 0) return [];
  const upstream = new Set([...findAncestors(graph, place)].map((ancestor) => ids[ancestor]));
  return references
    .filter(({ id }) => !upstream.has(id) && (hasAllEdges || !ids.includes(id)))
    .map(({ pointer, id }) => ({
      pointer,
      detail: ids.includes(id)
        ? `The expression reads steps.${id}, but no edges lead from "${id}" to this step.`
        : `The expression reads steps.${id.slice(0, 64)}, but there is no such step.`,
    }));
};
