import { isRecord, type Members, withMember } from "../../../flow-graph/members.ts";
import { detailAt } from "../../../flow-graph/refusals.ts";
import { type PointedProblem, problemsAt } from "../../../shared/problem.ts";

/** Replaces a step. `subAgents` are those that the revision has to offer then. */
export type ReplaceStep = (step: Members, subAgents?: readonly Members[]) => void;

/** A step, or the inner step of a ForEach, as its fields edit it. */
export type StepForm = {
  step: Members;
  /** Replaces a member; undefined removes it. */
  set: (name: string, value: unknown, subAgents?: readonly Members[]) => void;
  replace: ReplaceStep;
  isReadOnly: boolean;
  /** Refusals of the API, with pointers from the step. */
  problems: readonly PointedProblem[];
  /** Returns what was refused at or below a pointer. */
  errorAt: (pointer: string) => string | undefined;
};

/** Makes the form of a step. */
export const createStepForm = (
  step: Members,
  replace: ReplaceStep,
  problems: readonly PointedProblem[],
  isReadOnly: boolean,
): StepForm => ({
  step,
  replace,
  isReadOnly,
  problems,
  set: (name, value, subAgents) => replace(withMember(step, name, value), subAgents),
  errorAt: (pointer) => detailAt(problems, pointer),
});

/** Makes the form of the step that a ForEach runs for each item. */
export const createInnerForm = ({ step, set, problems, isReadOnly }: StepForm): StepForm =>
  createStepForm(
    isRecord(step.step) ? step.step : {},
    (inner, subAgents) => set("step", inner, subAgents),
    problemsAt(problems, "/step"),
    isReadOnly,
  );
