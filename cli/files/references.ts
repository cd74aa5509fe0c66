import { buildPointer, isRecord } from "../../lib/values/json/json.ts";
import type { Members } from "./json-value.ts";

/** Kinds of resources that a revision refers to. */
export const referenceKinds = ["agent", "provider", "skill", "config", "asset"] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** A reference in a revision; expressions are none. */
export type Reference = { kind: ReferenceKind; pointer: string; text: string };

type Replace = (reference: Reference) => string;

/** Replaces each reference of a revision's content, also inside steps of a `ForEach`. */
export const mapReferences = (content: Members, replace: Replace): Members => {
  const at = (kind: ReferenceKind) => refer(kind, replace);
  return mapMembers(content, "", {
    llmConfigs: forItems(mapLlm(replace)),
    subAgents: forItems(members({ agentId: at("agent"), flow: mapFlow(replace) })),
    integrationConfigs: forItems(members({ id: at("config") })),
    assets: forItems(members({ id: at("asset") })),
    flow: mapFlow(replace),
  });
};

/** Lists the references of a revision's content. */
export const listReferences = (content: Members): Reference[] => {
  const found: Reference[] = [];
  mapReferences(content, (reference) => {
    found.push(reference);
    return reference.text;
  });
  return found;
};

type Mapping = (value: unknown, pointer: string) => unknown;

const refer =
  (kind: ReferenceKind, replace: Replace): Mapping =>
  (value, pointer) =>
    typeof value === "string" && !value.includes("{%")
      ? replace({ kind, pointer, text: value })
      : value;

const forItems =
  (map: Mapping): Mapping =>
  (value, pointer) =>
    Array.isArray(value) ? value.map((item, at) => map(item, pointer + buildPointer(at))) : value;

const members =
  (maps: Readonly<Record<string, Mapping>>): Mapping =>
  (value, pointer) =>
    isRecord(value) ? mapMembers(value, pointer, maps) : value;

const mapMembers = (
  value: Members,
  pointer: string,
  maps: Readonly<Record<string, Mapping>>,
): Members => ({
  ...value,
  ...Object.fromEntries(
    Object.entries(maps).flatMap(([name, map]) =>
      Object.hasOwn(value, name) ? [[name, map(value[name], pointer + buildPointer(name))]] : [],
    ),
  ),
});

const mapLlm = (replace: Replace): Mapping => {
  const providerId = refer("provider", replace);
  return members({ providerId, fallbacks: forItems(members({ providerId })) });
};

const mapFlow = (replace: Replace): Mapping => members({ steps: forItems(mapStep(replace)) });

const mapStep =
  (replace: Replace): Mapping =>
  (step, pointer) => {
    if (!isRecord(step)) return step;
    const at = (kind: ReferenceKind) => refer(kind, replace);
    const maps: Readonly<Record<string, Readonly<Record<string, Mapping>>>> = {
      Prompt: {
        llm: mapLlm(replace),
        skills: forItems(at("skill")),
        tools: forItems(members({ configId: at("config") })),
        assets: forItems(at("asset")),
      },
      Tool: { configId: at("config") },
      SubAgent: { agentId: at("agent") },
      Retrieve: { assets: forItems(at("asset")) },
      ForEach: { step: mapStep(replace) },
    };
    const own = typeof step.type === "string" && Object.hasOwn(maps, step.type);
    return own ? mapMembers(step, pointer, maps[String(step.type)] ?? {}) : step;
  };
