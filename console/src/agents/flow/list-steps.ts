import { type Draft, readFlow } from "../../flow-graph/edit-flow.ts";
import type { FlowStep } from "../../flow-graph/flow-model.ts";
import { isRecord } from "../../flow-graph/members.ts";

const isStep = (value: unknown): value is FlowStep =>
  isRecord(value) && typeof value.id === "string" && typeof value.type === "string";

const formatLabel = ({ id, name, type }: FlowStep): string =>
  typeof name === "string" && name !== "" ? `${name} (${id}, ${type})` : `${id} (${type})`;

/** Returns a step of a draft by its id. */
export const findStep = (draft: Draft, id: string | undefined): FlowStep | undefined =>
  readFlow(draft)
    .steps.filter(isStep)
    .find((step) => step.id === id);

/** Returns the ids of the steps, with their names and types. */
export const listSteps = (draft: Draft): { value: string; label: string }[] => {
  const labels = readFlow(draft)
    .steps.filter(isStep)
    .map((step) => [step.id, formatLabel(step)] as const);
  return [...new Map(labels)].map(([value, label]) => ({ value, label }));
};
