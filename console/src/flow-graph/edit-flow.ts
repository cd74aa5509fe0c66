import { isRecord, itemsIn, type Members, textIn, withMember } from "./members.ts";
import { renameInExpressions } from "./rename-in-expressions.ts";

/** A draft of a revision, as its JSON is edited. */
export type Draft = Members;
type Edge = { source: unknown; target: unknown; on?: unknown };
/** An edge by its steps; with `on` it is one of another kind. */
type Connection = { source: string; target: string; on?: unknown };

/** Parses a draft; undefined while its text is not a JSON object. */
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

/** Returns the steps and edges of a draft, valid or not. */
export const readFlow = (
  draft: Draft,
): { steps: readonly unknown[]; edges: readonly unknown[] } => {
  const { steps, edges } = isRecord(draft.flow) ? draft.flow : {};
  return { steps: itemsIn(steps), edges: itemsIn(edges) };
};

const withFlow = (draft: Draft, steps: readonly unknown[], edges: readonly unknown[]): Draft => ({
  ...draft,
  flow: { ...(isRecord(draft.flow) && draft.flow), steps, edges },
});

const isEdge = (value: unknown): value is Edge =>
  isRecord(value) && "source" in value && "target" in value;

const isSameEdge = (edge: unknown, { source, target, on }: Connection): boolean =>
  isEdge(edge) && edge.source === source && edge.target === target && (edge.on ?? undefined) === on;

/** Members of a new step, by type. */
const templates: Readonly<Record<string, Members>> = {
  Prompt: { prompt: "" },
  Tool: { integrationId: "system", toolId: "current_time", parameters: {} },
  SubAgent: { agentId: "", input: {} },
  Retrieve: { query: "" },
  Condition: { cases: [{ when: "", target: "" }] },
  Transform: { value: "" },
  Approval: { title: "" },
  Wait: { seconds: 60 },
  ForEach: { items: "", step: { type: "Prompt", prompt: "{% item %}" } },
  Output: { value: "" },
};

/** Types of steps that can be added. */
export const stepTypes: readonly string[] = Object.keys(templates);

/** Returns the members of a new step of a type. */
export const newStep = (type: string): Members => ({ type, ...templates[type] });

const listIds = (steps: readonly unknown[]): string[] =>
  steps.filter(isRecord).map((step) => textIn(step.id));

const freeId = (wanted: string, taken: readonly string[]): string => {
  const base = `${wanted.slice(0, 1).toLowerCase()}${wanted.slice(1)}`;
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}${number}`)) number += 1;
  return `${base}${number}`;
};

/** Adds a step with an id that is free: the given one, or that with a number. */
export const addMembers = (
  draft: Draft,
  members: Members,
  wanted: string,
): { draft: Draft; id: string } => {
  const { steps, edges } = readFlow(draft);
  const id = freeId(wanted, listIds(steps));
  return { id, draft: withFlow(draft, [...steps, { ...members, id }], edges) };
};

/** Adds a step of a type, after another one if given. */
export const addStep = (
  draft: Draft,
  type: string,
  after?: string,
): { draft: Draft; id: string } => {
  const added = addMembers(draft, { id: "", ...newStep(type) }, type);
  return after === undefined
    ? added
    : { ...added, draft: connectSteps(added.draft, { source: after, target: added.id }) };
};

/** Returns the place of a step in the list of steps; -1 if there is none with this id. */
export const findStepIndex = (draft: Draft, id: string): number =>
  readFlow(draft).steps.findIndex((step) => isRecord(step) && step.id === id);

/** Replaces the members of a step. */
export const changeStep = (draft: Draft, id: string, change: (step: Members) => Members): Draft => {
  const { steps, edges } = readFlow(draft);
  const changed = steps.map((step) => (isRecord(step) && step.id === id ? change(step) : step));
  return withFlow(draft, changed, edges);
};

/** Adds sub-agents that the revision does not offer yet. */
export const offerSubAgents = (draft: Draft, subAgents: readonly Members[]): Draft => {
  const before = itemsIn(draft.subAgents);
  const ids = new Set(before.filter(isRecord).map(({ id }) => id));
  const added = subAgents.filter(({ id }) => !ids.has(id));
  return added.length === 0 ? draft : { ...draft, subAgents: [...before, ...added] };
};

/** Returns the assets that the revision names, without duplicates. */
export const listAssets = (draft: Draft): { id: string; displayName: string }[] => {
  const names = new Map(
    itemsIn(draft.assets)
      .filter(isRecord)
      .map(({ id, displayName }) => [textIn(id), textIn(displayName) || textIn(id)]),
  );
  return [...names].map(([id, displayName]) => ({ id, displayName }));
};

/** Names these assets in the revision; those that it names already stay as they are. */
export const setAssets = (
  draft: Draft,
  ids: readonly string[],
  known: readonly Members[],
): Draft => {
  const all = [...itemsIn(draft.assets).filter(isRecord), ...known];
  return { ...draft, assets: ids.flatMap((id) => all.find((asset) => asset.id === id) ?? []) };
};

/** Renames a step, also in edges, choices and expressions. Keeps the draft if the name is taken. */
export const renameStep = (draft: Draft, before: string, after: string): Draft => {
  const { steps, edges } = readFlow(draft);
  if (after === "" || listIds(steps).includes(after)) return draft;
  const renamed = (id: unknown): unknown => (id === before ? after : id);
  return withFlow(
    draft,
    steps.map((step) => {
      if (!isRecord(step)) return step;
      const members = renameInExpressions(step, before, after);
      return isRecord(members)
        ? withRenamedChoices({ ...members, id: renamed(step.id) }, renamed)
        : step;
    }),
    edges.map((edge) =>
      isEdge(edge) ? { ...edge, source: renamed(edge.source), target: renamed(edge.target) } : edge,
    ),
  );
};

/** Members with items that may have a target, by type. */
const choiceLists: Readonly<Record<string, string>> = { Condition: "cases", Approval: "actions" };

const withRenamedChoices = (step: Members, renamed: (id: unknown) => unknown): Members => {
  const list = choiceLists[textIn(step.type)];
  if (list === undefined) return step;
  const items = itemsIn(step[list]).map((item) =>
    isRecord(item) && "target" in item ? { ...item, target: renamed(item.target) } : item,
  );
  return {
    ...step,
    ...(list in step && { [list]: items }),
    ...("otherwise" in step && { otherwise: renamed(step.otherwise) }),
  };
};

/** Removes a step with its edges and the choices that lead to it. */
export const removeStep = (draft: Draft, id: string): Draft => {
  const { steps, edges } = readFlow(draft);
  return withFlow(
    draft,
    steps
      .filter((step) => !isRecord(step) || step.id !== id)
      .map((step) => (isRecord(step) ? withoutChoice(step, id) : step)),
    edges.filter((edge) => !isEdge(edge) || (edge.source !== id && edge.target !== id)),
  );
};

const withoutChoice = (step: Members, target: string): Members => {
  if (step.type === "Approval") return withoutTarget(step, target);
  if (step.type !== "Condition") return step;
  const cases = itemsIn(step.cases).filter((item) => !isRecord(item) || item.target !== target);
  const isSame = cases.length === itemsIn(step.cases).length;
  const kept = isSame ? step : { ...step, cases };
  return step.otherwise === target ? withMember(kept, "otherwise", undefined) : kept;
};

/** An action of an Approval stays without its target. */
const withoutTarget = (step: Members, target: string): Members => {
  const leads = (item: unknown): item is Members => isRecord(item) && item.target === target;
  const actions = itemsIn(step.actions);
  return actions.some(leads)
    ? {
        ...step,
        actions: actions.map((item) =>
          leads(item) ? withMember(item, "target", undefined) : item,
        ),
      }
    : step;
};

/** Connects two steps. */
export const connectSteps = (draft: Draft, connection: Connection): Draft => {
  const { steps, edges } = readFlow(draft);
  const { source, target, on } = connection;
  return edges.some((edge) => isSameEdge(edge, connection))
    ? draft
    : withFlow(draft, steps, [...edges, { source, target, ...(on !== undefined && { on }) }]);
};

/** Removes the edge between two steps. */
export const disconnectSteps = (draft: Draft, connection: Connection): Draft => {
  const { steps, edges } = readFlow(draft);
  return withFlow(
    draft,
    steps,
    edges.filter((edge) => !isSameEdge(edge, connection)),
  );
};

/** An end of the edges of a step, and their kind. */
export type EdgeSide = { side: "source" | "target"; on?: "error" };

/** Returns the steps that edges lead to from a step, or from which they lead to it. */
export const findNeighbours = (draft: Draft, id: string, { side, on }: EdgeSide): string[] => {
  const other = side === "source" ? "target" : "source";
  return readFlow(draft).edges.flatMap((edge) =>
    isEdge(edge) && edge[side] === id && (edge.on ?? undefined) === on ? [textIn(edge[other])] : [],
  );
};

/** Connects a step to other ones, and removes its other edges of that side and kind. */
export const setNeighbours = (
  draft: Draft,
  id: string,
  end: EdgeSide,
  others: readonly string[],
): Draft => {
  const before = findNeighbours(draft, id, end);
  const { side, on } = end;
  const toConnection = (other: string): Connection =>
    side === "source" ? { source: id, target: other, on } : { source: other, target: id, on };
  const removed = before
    .filter((other) => !others.includes(other))
    .reduce((next, other) => disconnectSteps(next, toConnection(other)), draft);
  return others.reduce((next, other) => connectSteps(next, toConnection(other)), removed);
};
