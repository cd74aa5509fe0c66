import { isRecord } from "./flow-model.ts";

/** A draft of a revision, as its JSON is edited. */
type Draft = Record<string, unknown>;
type Edge = { source: unknown; target: unknown };

/** Parses a draft; undefined while its text is no JSON object. */
export const parseDraft = (text: string): Draft | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** Formats a draft. */
export const formatDraft = (draft: unknown): string => JSON.stringify(draft, null, 2);

const flowOf = (draft: Draft): { steps: unknown[]; edges: Edge[] } => {
  const { steps, edges } = isRecord(draft.flow) ? draft.flow : {};
  return { steps: Array.isArray(steps) ? steps : [], edges: Array.isArray(edges) ? edges : [] };
};

const withFlow = (draft: Draft, steps: unknown[], edges: Edge[]): Draft => ({
  ...draft,
  flow: { ...(isRecord(draft.flow) && draft.flow), steps, edges },
});

/** Members of a new step, by type. */
const templates: Readonly<Record<string, Record<string, unknown>>> = {
  Prompt: { prompt: "" },
  Tool: { integrationId: "system", toolId: "current_time", parameters: {} },
  SubAgent: { agentId: "", input: {} },
  Condition: { cases: [], otherwise: "" },
  Transform: { value: "" },
  ForEach: { items: "", step: { type: "Prompt", prompt: "{% item %}" } },
  Output: { value: "" },
};

/** Types of steps that can be added. */
export const stepTypes: readonly string[] = Object.keys(templates);

const idsOf = (steps: readonly unknown[]): unknown[] =>
  steps.filter(isRecord).map((step) => step.id);

const freeId = (type: string, taken: readonly unknown[]): string => {
  const base = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}${number}`)) number += 1;
  return `${base}${number}`;
};

/** Adds a step, after another one if given. */
export const addStep = (
  draft: Draft,
  type: string,
  after: string | undefined,
): { draft: Draft; id: string } => {
  const { steps, edges } = flowOf(draft);
  const id = freeId(type, idsOf(steps));
  const connected = after === undefined ? edges : [...edges, { source: after, target: id }];
  return { id, draft: withFlow(draft, [...steps, { id, type, ...templates[type] }], connected) };
};

/** Removes a step with its edges. */
export const removeStep = (draft: Draft, id: string): Draft => {
  const { steps, edges } = flowOf(draft);
  return withFlow(
    draft,
    steps.filter((step) => !isRecord(step) || step.id !== id),
    edges.filter(({ source, target }) => source !== id && target !== id),
  );
};

/** Connects two steps. */
export const connectSteps = (draft: Draft, source: string, target: string): Draft => {
  const { steps, edges } = flowOf(draft);
  const exists = edges.some((edge) => edge.source === source && edge.target === target);
  return exists ? draft : withFlow(draft, steps, [...edges, { source, target }]);
};

/** Removes the edge between two steps. */
export const disconnectSteps = (draft: Draft, source: string, target: string): Draft => {
  const { steps, edges } = flowOf(draft);
  return withFlow(
    draft,
    steps,
    edges.filter((edge) => edge.source !== source || edge.target !== target),
  );
};
