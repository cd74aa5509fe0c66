import type { Agent } from "../../client/openapi.ts";
import { failed } from "../exit.ts";
import { agentMembers, fileMembers } from "./agent-file.ts";
import { adoptCompleted } from "./completed.ts";
import {
  adoptPolicyIds,
  type Content,
  completeContent,
  emptyContent,
  isSameContent,
  listSecrets,
  readRevision,
  type StoredContent,
} from "./content.ts";
import { FileError, type FileProblem } from "./file-problem.ts";
import type { AgentParts } from "./file-value.ts";
import type { Folder, LocalAgent, LocalSkill } from "./folder.ts";
import { isSame, type Members, without } from "./json-value.ts";
import { buildKey, createNames, type Names } from "./names.ts";
import { sortByUse } from "./order.ts";
import { listReferences, mapReferences } from "./references.ts";
import type { Remote } from "./remote.ts";
import { type SkillContent, toSkillContent } from "./skill-file.ts";
import { problemAt } from "./yaml-document.ts";

/** An agent as the API has it. */
export type StoredAgent = {
  agent: Agent;
  /** Undefined without a revision. */
  stored: StoredContent | undefined;
  revision: number | null;
};

/** An agent's file compared with the agent. */
export type AgentPlan = {
  local: LocalAgent;
  parts: AgentParts;
  comment: string | null;
  content: Content;
  /** Undefined for an agent that does not exist. */
  agent: Agent | undefined;
  stored: StoredContent | undefined;
  /** Names that the file uses for ids, by kind and id. */
  written: ReadonlyMap<string, string>;
  partsDiffer: boolean;
  contentDiffers: boolean;
  /** Number of secrets in the file, which can't be compared. */
  secrets: number;
};

/** A skill's file compared with the skill. */
export type SkillPlan = {
  local: LocalSkill;
  stored: SkillContent | undefined;
  differs: boolean;
};

/** Everything that a folder has, agents in the order of their references. */
export type Plan = { agents: AgentPlan[]; skills: SkillPlan[] };

/** Returns whether an agent's file differs from the agent. */
export const differs = (plan: AgentPlan): boolean =>
  plan.agent === undefined || plan.partsDiffer || plan.contentDiffers;

/** Compares a folder with the API. Throws a FileError with everything that is wrong in its files. */
export const planFolder = async (
  remote: Pick<Remote, "findAgent" | "getRevision" | "findSkill" | "listNamed">,
  folder: Folder,
): Promise<Plan> => {
  if (folder.problems.length > 0) throw new FileError(folder.problems);
  const names = createNames(remote, {
    agent: folder.agents.map(({ id, value }) => ({ id, displayName: readDisplayName(id, value) })),
    skill: folder.skills.map(({ id }) => ({ id, displayName: null })),
  });
  const agents = await inGroups(folder.agents, (local) => planAgent(remote, names, local));
  const problems = agents.flatMap((plan) => ("problems" in plan ? plan.problems : []));
  if (problems.length > 0) throw new FileError(problems);
  return {
    agents: sortByUse(
      agents.flatMap((plan) => ("problems" in plan ? [] : plan)),
      ({ local }) => local.id,
      ({ content }) =>
        listReferences(content).flatMap(({ kind, text }) => (kind === "agent" ? text : [])),
    ),
    skills: await inGroups(folder.skills, (local) => planSkill(remote, local)),
  };
};

const atOnce = 8;

/** Calls a function for all items, a few at a time; results are in order. */
export const inGroups = async <Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(call))));
  }
  return results;
};

/** Returns the display name of a file's agent. */
export const readDisplayName = (id: string, { displayName }: Members): string =>
  typeof displayName === "string" ? displayName : id;

/** Reads an agent with its latest revision, or a given one; undefined if it does not exist. */
export const readAgentState = async (
  remote: Pick<Remote, "findAgent" | "getRevision">,
  id: string,
  revision?: number,
): Promise<StoredAgent | undefined> => {
  const agent = await remote.findAgent(id);
  if (!agent) return undefined;
  const number = revision ?? agent.latestRevision;
  if (number === null) return { agent, stored: undefined, revision: number };
  const stored = readRevision(await remote.getRevision(id, number));
  if (!("errors" in stored)) return { agent, stored, revision: number };
  const [error] = stored.errors;
  throw failed(
    `Revision ${number} of ${id} has content that this version of wharf does not support: ${error?.pointer} ${error?.detail}.`,
  );
};

const planAgent = async (
  remote: Pick<Remote, "findAgent" | "getRevision">,
  names: Names,
  local: LocalAgent,
): Promise<AgentPlan | { problems: FileProblem[] }> => {
  const found = await readAgentState(remote, local.id);
  const { agent, stored } = found ?? { agent: undefined, stored: undefined };
  const { comment, ...value } = without(local.value, [...fileMembers, ...agentMembers]);
  const before = stored ? listReferences(stored.content).map(buildKey) : [];
  const references = listReferences(value);
  const resolved = await names.resolve(references, new Set(before));
  const problems: FileProblem[] = [];
  const written = new Map<string, string>();
  const withIds = mapReferences(value, (reference) => {
    const found = resolved.get(buildKey(reference)) ?? { id: reference.text };
    if ("id" in found) {
      written.set(buildKey({ kind: reference.kind, text: found.id }), reference.text);
      return found.id;
    }
    problems.push(problemAt(local.yaml, reference.pointer, found.detail));
    return reference.text;
  });
  const completed = completeContent(withIds);
  if ("errors" in completed) {
    const { errors } = completed;
    return { problems: errors.map((error) => problemAt(local.yaml, error.pointer, error.detail)) };
  }
  if (problems.length > 0) return { problems };
  const content = stored
    ? adoptCompleted(adoptPolicyIds(completed.content, stored.content), stored.content)
    : completed.content;
  const parts = toAgentParts(local);
  return {
    local,
    parts,
    comment: typeof comment === "string" ? comment : null,
    content,
    agent,
    stored,
    written,
    partsDiffer: agent !== undefined && agentMembers.some((name) => agent[name] !== parts[name]),
    contentDiffers: !isSameContent(content, stored?.content ?? emptyContent()),
    secrets: listSecrets(content).length,
  };
};

const toAgentParts = ({ id, value }: LocalAgent): AgentParts => {
  const readString = (name: string) => (typeof value[name] === "string" ? value[name] : null);
  return {
    displayName: readDisplayName(id, value),
    description: readString("description"),
    avatarFileId: readString("avatarFileId"),
  };
};

const planSkill = async (
  remote: Pick<Remote, "findSkill">,
  local: LocalSkill,
): Promise<SkillPlan> => {
  const found = await remote.findSkill(local.id);
  const stored = found && toSkillContent(found);
  return { local, stored, differs: !isSame(stored, local.skill) };
};
