import { ProblemError } from "../../../client/problem-error.ts";
import { type PointedProblem, problemsAt } from "../shared/problem.ts";
import { type Draft, findStepIndex, readFlow } from "./edit-flow.ts";
import { isRecord } from "./members.ts";

/** The API's refusals of a revision, by what they are about. */
export type Refusals = {
  /** By the step's id, with pointers from the step. */
  steps: ReadonlyMap<string, readonly PointedProblem[]>;
  edges: readonly { source: unknown; target: unknown; on: unknown; detail: string }[];
  /** Of everything else, with pointers from the revision. */
  others: readonly PointedProblem[];
};

const none: Refusals = { steps: new Map(), edges: [], others: [] };

/** Sorts the refusals of a revision that was sent. */
export const toRefusals = (error: unknown, sent: Draft | undefined): Refusals => {
  return error instanceof ProblemError && sent ? sortRefusals(error.fields, sent) : none;
};

/** Sorts problems with pointers from a revision. */
export const sortRefusals = (fields: readonly PointedProblem[], sent: Draft): Refusals => {
  const steps = new Map<string, PointedProblem[]>();
  const edges: Refusals["edges"][number][] = [];
  const others: PointedProblem[] = [];
  const flow = readFlow(sent);
  for (const problem of fields) {
    const [, top, list, place, ...rest] = problem.pointer.split("/");
    const parts = list === "steps" ? flow.steps : list === "edges" ? flow.edges : [];
    const part = top === "flow" ? parts[Number(place)] : undefined;
    if (list === "steps" && isRecord(part) && typeof part.id === "string") {
      const before = steps.get(part.id) ?? [];
      const pointer = rest.map((name) => `/${name}`).join("");
      steps.set(part.id, [...before, { pointer, detail: problem.detail }]);
    } else if (list === "edges" && isRecord(part)) {
      const { source, target, on } = part;
      edges.push({ source, target, on, detail: problem.detail });
    } else {
      others.push({ pointer: problem.pointer, detail: problem.detail });
    }
  }
  return { steps, edges, others };
};

/** Returns the refusals with their pointers in a draft that was changed since. */
export const refusalsIn = (draft: Draft, { steps, edges, others }: Refusals): PointedProblem[] => {
  const flow = readFlow(draft);
  const ofSteps = [...steps].flatMap(([id, problems]) => {
    const place = findStepIndex(draft, id);
    return place < 0
      ? []
      : problems.map(({ pointer, detail }) => ({
          pointer: `/flow/steps/${place}${pointer}`,
          detail,
        }));
  });
  const ofEdges = edges.flatMap(({ source, target, on, detail }) => {
    const place = flow.edges.findIndex(
      (edge) =>
        isRecord(edge) && edge.source === source && edge.target === target && edge.on === on,
    );
    return place < 0 ? [] : [{ pointer: `/flow/edges/${place}`, detail }];
  });
  return [...others, ...ofSteps, ...ofEdges];
};

/** Returns the details of problems at or below a pointer as a text. */
export const detailAt = (
  problems: readonly PointedProblem[],
  pointer: string,
): string | undefined => {
  const details = problemsAt(problems, pointer).map(({ detail }) => detail);
  return details.length === 0 ? undefined : details.join("; ");
};
