import type { Agent } from "../../lib/agents/agent/schemas.ts";
import { isRecord } from "../../lib/values/json/json.ts";
import { AgentFile, served } from "./agent-file.ts";
import type { Content } from "./content.ts";
import { escapeVariables } from "./environment.ts";
import { type Members, toRecords, without } from "./json-value.ts";
import { omitDefaults } from "./omit-defaults.ts";
import { mapReferences, type Reference } from "./references.ts";

/** Content of a file: with all defaults, and without them, as a new file is written. */
export type FileValue = { full: Members; compact: Members };

/** The agent's own members. */
export type AgentParts = Pick<Agent, "displayName" | "description" | "avatarFileId">;

/** Builds the value of an agent's file. `formatName` returns how a reference is written. */
export const toFileValue = (
  { displayName, description, avatarFileId }: AgentParts,
  { content, comment }: { content: Content; comment: string | null },
  formatReference: (reference: Reference) => string,
): FileValue => {
  const named = mapReferences(content, formatReference);
  const full = escaped({
    displayName,
    description,
    avatarFileId,
    comment,
    ...named,
    connectors: withoutServed(named.connectors),
    jobPolicyConfigs: withoutServed(named.jobPolicyConfigs),
    flow: named.flow && orderSteps(named.flow),
  });
  const shown = omitDefaults(AgentFile, full);
  const members = isRecord(shown) ? shown : {};
  const { flow, jobPolicyConfigs, ...rest } = without(members, [
    ...(description === null ? ["description"] : []),
    ...(avatarFileId === null ? ["avatarFileId"] : []),
    ...(content.flow.steps.length === 0 ? ["flow"] : []),
  ]);
  const compact = {
    ...rest,
    ...(flow !== undefined && { flow }),
    ...(jobPolicyConfigs !== undefined && { jobPolicyConfigs }),
  };
  return { full, compact };
};

const withoutServed = (parts: unknown): unknown =>
  toRecords(parts).map((part) => without(part, [...Object.keys(served), "tenantId"]));

const escaped = (value: Members): Members =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeDeep(member)]));

const escapeDeep = (value: unknown): unknown => {
  if (typeof value === "string") return escapeVariables(value);
  if (Array.isArray(value)) return value.map(escapeDeep);
  return isRecord(value) ? escaped(value) : value;
};

const first = ["id", "type", "name"];
const last = ["retry", "timeoutSeconds"];

/** Orders the members of steps, which the service may return in any order. */
const orderSteps = (flow: unknown): unknown =>
  isRecord(flow) && Array.isArray(flow.steps)
    ? { ...flow, steps: flow.steps.map(orderStep) }
    : flow;

const orderStep = (step: unknown): unknown => {
  if (!isRecord(step)) return step;
  const others = Object.keys(step).filter((name) => ![...first, ...last].includes(name));
  const names = [...first, ...others, ...last].filter((name) => Object.hasOwn(step, name));
  return Object.fromEntries(
    names.map((name) => [name, name === "step" ? orderStep(step[name]) : step[name]]),
  );
};
