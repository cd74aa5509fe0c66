import { type FlowModel, type FlowStep, toFlowModel } from "../../flow-graph/flow-model.ts";
import { isRecord, itemsIn, type Members, textIn } from "../../flow-graph/members.ts";
import type { StepMark } from "../../flow-graph/step-state.ts";

/** A change between two revisions, in words. */
export type Change = { kind: StepMark; subject: string; details: readonly string[] };

const toText = (value: unknown): string => JSON.stringify(value) ?? "";
const isEqual = (left: unknown, right: unknown): boolean => toText(left) === toText(right);
const shownLength = 80;

const quote = (value: unknown): string => {
  const text = typeof value === "string" ? value : toText(value);
  const line = text.replaceAll(/\s+/g, " ");
  return `“${line.length > shownLength ? `${line.slice(0, shownLength - 1)}…` : line}”`;
};

/** Members of a list by their id or name. */
const byName = (value: unknown): Map<string, Members> =>
  new Map(
    itemsIn(value)
      .filter(isRecord)
      .map((item, at) => [textIn(item.id) || textIn(item.name) || String(at + 1), item]),
  );

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || isEqual(value, []) || isEqual(value, {});

/** Describes how members differ: `prompt: “a” is now “b”`. */
const describeMembers = (before: Members, after: Members, skipped: readonly string[]): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !skipped.includes(name) && !isEqual(before[name], after[name]))
    .filter((name) => !(isNothing(before[name]) && isNothing(after[name])))
    .map((name) => {
      if (isNothing(before[name])) return `${name} added: ${quote(after[name])}`;
      if (isNothing(after[name])) return `${name} removed: ${quote(before[name])}`;
      return `${name}: ${quote(before[name])} is now ${quote(after[name])}`;
    });

const leads = ({ connections }: FlowModel, id: string): string[] =>
  connections
    .filter(({ source, handle }) => source === id && handle === undefined)
    .map(({ target, isOnError }) => (isOnError ? `${target} (on error)` : target))
    .sort();

const describeLeads = (before: FlowModel, after: FlowModel, id: string): string[] => {
  const [old, fresh] = [leads(before, id), leads(after, id)];
  return [
    ...fresh.filter((target) => !old.includes(target)).map((target) => `now leads to ${target}`),
    ...old
      .filter((target) => !fresh.includes(target))
      .map((target) => `no longer leads to ${target}`),
  ];
};

const nameStep = ({ id, type }: FlowStep): string => `${type} ${id}`;

const compareSteps = (before: FlowModel, after: FlowModel): (Change & { id: string })[] => {
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const fresh = new Set(after.steps.map(({ id }) => id));
  const ofAfter = after.steps.flatMap((step): (Change & { id: string })[] => {
    const earlier = old.get(step.id);
    const named = { id: step.id, subject: nameStep(step) };
    if (!earlier)
      return [{ ...named, kind: "added", details: describeMembers({}, step, ["id", "type"]) }];
    const details = [
      ...describeMembers(earlier, step, []),
      ...describeLeads(before, after, step.id),
    ];
    return details.length === 0 ? [] : [{ ...named, kind: "changed", details }];
  });
  const gone = before.steps
    .filter(({ id }) => !fresh.has(id))
    .map((step) => ({
      ...{ id: step.id, subject: nameStep(step) },
      ...{ kind: "removed" as const, details: [] },
    }));
  return [...ofAfter, ...gone];
};

/** Lists of a revision with named items, and what an item is called. */
const lists: Readonly<Record<string, string>> = {
  parametersMetadata: "Input",
  subAgents: "Sub-agent",
  assets: "Asset",
  connectors: "Connector",
  integrationConfigs: "Integration config",
  jobPolicyConfigs: "Schedule",
};

const compareList = (noun: string, before: unknown, after: unknown): Change[] => {
  const [old, fresh] = [byName(before), byName(after)];
  const changed = [...fresh].flatMap(([name, item]): Change[] => {
    const earlier = old.get(name);
    const subject = `${noun} ${name}`;
    if (!earlier) return [{ kind: "added", subject, details: [] }];
    const details = describeMembers(earlier, item, timeNames);
    return details.length === 0 ? [] : [{ kind: "changed", subject, details }];
  });
  const gone = [...old.keys()]
    .filter((name) => !fresh.has(name))
    .map((name): Change => ({ kind: "removed", subject: `${noun} ${name}`, details: [] }));
  return [...changed, ...gone];
};

const timeNames = ["createdAt", "modifiedAt"];
const notCompared = ["flow", "agentId", "agentRevision", "comment", ...Object.keys(lists)];

/** Describes what differs between two revisions: steps first, then lists with named items, then the rest. */
export const describeChanges = (before: Members, after: Members): Change[] => {
  const steps = compareSteps(toFlowModel(before.flow), toFlowModel(after.flow));
  const rest = describeMembers(before, after, notCompared);
  return [
    ...steps.map(({ kind, subject, details }) => ({ kind, subject, details })),
    ...Object.entries(lists).flatMap(([name, noun]) =>
      compareList(noun, before[name], after[name]),
    ),
    ...(rest.length === 0
      ? []
      : [{ kind: "changed" as const, subject: "Settings", details: rest }]),
  ];
};

/** Returns both flows as one, with what became of each step. */
export const mergeFlows = (
  before: unknown,
  after: unknown,
): { flow: FlowModel; marks: ReadonlyMap<string, StepMark> } => {
  const [old, fresh] = [toFlowModel(before), toFlowModel(after)];
  const changes = compareSteps(old, fresh);
  const removed = new Set(changes.filter(({ kind }) => kind === "removed").map(({ id }) => id));
  return {
    flow: {
      steps: [...fresh.steps, ...old.steps.filter(({ id }) => removed.has(id))],
      connections: [
        ...fresh.connections,
        ...old.connections.filter(
          ({ source, target }) => removed.has(source) || removed.has(target),
        ),
      ],
    },
    marks: new Map(changes.map(({ id, kind }) => [id, kind])),
  };
};
