import { ProblemError } from "../../client/problem-error.ts";
import { describeShortfalls, type Requirement } from "../experiments/requirements.ts";
import { toBody } from "./content.ts";
import { FileError, type FileProblem } from "./file-problem.ts";
import type { LocalAgent, LocalSkill } from "./folder.ts";
import { type AgentPlan, differs, type Plan, type SkillPlan } from "./plan.ts";
import type { Remote } from "./remote.ts";
import { findKeyLine } from "./skill-file.ts";
import { asWarning } from "./tool-warnings.ts";
import { problemAt } from "./yaml-document.ts";

/** Options of `apply` other than creating revisions. */
export type ApplyOptions = {
  deploy: boolean;
  /** Whether secrets that are given make a revision by themselves. */
  secrets: boolean;
  /** Replaces the comments of the files. */
  comment: string | undefined;
  /** Of the agents that are deployed only after good results in an experiment, by their ids. */
  requirements?: ReadonlyMap<string, Requirement>;
};

/** The changes that one agent needs. */
export type AgentWork = {
  plan: AgentPlan;
  create: boolean;
  update: boolean;
  revise: boolean;
  deploy: boolean;
  requirement: Requirement | undefined;
};

/** The changes that a folder needs, in order. */
export type Work = { skills: SkillPlan[]; agents: AgentWork[] };

/** Decides what has to be done so that the API has what the files have. */
export const planWork = ({ agents, skills }: Plan, options: ApplyOptions): Work => ({
  skills: skills.filter((plan) => plan.differs),
  agents: agents.flatMap((plan) => {
    const { agent, contentDiffers, secrets } = plan;
    const revise = contentDiffers || (options.secrets && secrets > 0);
    const isBehind =
      agent !== undefined &&
      agent.latestRevision !== null &&
      agent.latestRevision !== agent.deployedRevision;
    const work = {
      plan,
      create: agent === undefined,
      update: plan.partsDiffer,
      revise,
      deploy: options.deploy && (revise || isBehind),
      requirement: options.requirements?.get(plan.local.id),
    };
    return differs(plan) || work.revise || work.deploy ? [work] : [];
  }),
});

/** Returns whether nothing has to be done. */
export const isNothing = ({ skills, agents }: Work): boolean =>
  skills.length === 0 && agents.length === 0;

/** One thing that was done, or a deployment that was refused because a revision fell short in its experiment. */
export type Done = {
  kind: "agent" | "skill";
  id: string;
  file: string;
  action: "Created" | "Updated" | "Revised" | "Deployed" | "FellShort";
  /** The revision that was created, deployed or not deployed. */
  revision: number | null;
  /** Describes the means that are too low; only of one that fell short. */
  shortfalls?: readonly string[];
  /** References of a new revision that probably do not resolve. */
  warnings?: readonly FileProblem[];
};

/** Describes something that was done. */
export const doneText = ({ kind, id, action, revision, shortfalls = [] }: Done): string => {
  switch (action) {
    case "Created":
    case "Updated":
      return `${action} ${kind} ${id}.`;
    case "Revised":
      return `Created revision ${revision} of ${id}.`;
    case "Deployed":
      return `Deployed revision ${revision} of ${id}.`;
    case "FellShort":
      return shortfalls
        .map((shortfall) => `wharf: Revision ${revision} of ${id} fell short: ${shortfall}`)
        .join("\n");
  }
};

/**
 * Applies the changes in the order of references: skills, then all new agents, then revisions, then
 * deployments. A refused revision does not stop the other revisions, but prevents deployments. A
 * revision that missed a minimum in its experiment is not deployed, and stops no other. Throws a
 * FileError with all refusals.
 */
export const applyWork = async (
  remote: Remote,
  work: Work,
  { comment }: ApplyOptions,
  onDone: (done: Done) => void,
): Promise<void> => {
  const problems: FileProblem[] = [];
  const attempt = async (toProblem: Locate, act: () => Promise<Done>): Promise<void> => {
    try {
      onDone(await act());
    } catch (error) {
      problems.push(...toFileProblems(error, toProblem));
    }
  };
  for (const plan of work.skills) {
    await attempt(inSkill(plan.local), () => applySkill(remote, plan));
  }
  for (const { plan, create, update } of work.agents) {
    if (create || update) await attempt(inAgent(plan.local), () => applyParts(remote, plan));
  }
  if (problems.length > 0) throw new FileError(problems);
  const revisions = new Map<string, number>();
  for (const { plan, revise } of work.agents) {
    if (!revise) continue;
    await attempt(inAgent(plan.local), async () => {
      const done = await reviseAgent(remote, plan, comment);
      revisions.set(done.id, done.revision);
      return done;
    });
  }
  if (problems.length > 0) throw new FileError(problems);
  for (const { plan, deploy, requirement } of work.agents) {
    const revision = revisions.get(plan.local.id) ?? plan.agent?.latestRevision ?? null;
    if (!deploy || revision === null) continue;
    await attempt(inAgent(plan.local), () => deployAgent(remote, plan, { revision, requirement }));
  }
  if (problems.length > 0) throw new FileError(problems);
};

const describeAgent = ({ local }: AgentPlan) => ({
  kind: "agent" as const,
  id: local.id,
  file: local.yaml.file,
});

const applySkill = async (
  remote: Pick<Remote, "createSkill" | "updateSkill">,
  { local, stored }: SkillPlan,
): Promise<Done> => {
  const { id, file, skill } = local;
  await (stored ? remote.updateSkill(id, skill) : remote.createSkill(id, skill));
  return { kind: "skill", id, file, action: stored ? "Updated" : "Created", revision: null };
};

const applyParts = async (
  remote: Pick<Remote, "createAgent" | "updateAgent">,
  plan: AgentPlan,
): Promise<Done> => {
  const { local, agent, parts } = plan;
  await (agent ? remote.updateAgent(local.id, parts) : remote.createAgent(local.id, parts));
  return { ...describeAgent(plan), action: agent ? "Updated" : "Created", revision: null };
};

const reviseAgent = async (
  remote: Pick<Remote, "createRevision" | "findAgent">,
  plan: AgentPlan,
  comment: string | undefined,
): Promise<Done & { revision: number }> => {
  const { local, agent, content, stored } = plan;
  const latest = (await remote.findAgent(local.id))?.latestRevision ?? null;
  if (latest !== (agent?.latestRevision ?? null)) {
    const detail = `was changed meanwhile: its latest revision is ${latest}. Compare again`;
    throw new FileError([problemAt(local.yaml, "", detail)]);
  }
  const body = toBody(content, comment ?? plan.comment, stored);
  const { agentRevision, warnings } = await remote.createRevision(local.id, body);
  return {
    ...describeAgent(plan),
    action: "Revised",
    revision: agentRevision,
    ...(warnings.length > 0 && {
      warnings: warnings.map(({ pointer, detail }) =>
        asWarning(problemAt(local.yaml, pointer, detail)),
      ),
    }),
  };
};

const deployAgent = async (
  remote: Pick<Remote, "deploy">,
  plan: AgentPlan,
  { revision, requirement }: { revision: number; requirement: Requirement | undefined },
): Promise<Done> => {
  try {
    await remote.deploy(plan.local.id, revision, requirement);
    return { ...describeAgent(plan), action: "Deployed", revision };
  } catch (error) {
    const shortfalls = describeShortfalls(error);
    if (!shortfalls) throw error;
    return { ...describeAgent(plan), action: "FellShort", revision, shortfalls };
  }
};

type Locate = (pointer: string, detail: string) => FileProblem;

const inAgent =
  ({ yaml }: LocalAgent): Locate =>
  (pointer, detail) =>
    problemAt(yaml, pointer, detail);

const inSkill =
  ({ file, text }: LocalSkill): Locate =>
  (pointer, detail) => {
    const key = pointer.split("/")[1] ?? "";
    const line = findKeyLine(text, key === "tools" ? "allowed-tools" : key);
    return { file, line, column: 1, pointer, detail };
  };

/** Statuses of refusals that the content of a file causes; others end the command. */
const refusals = [400, 409, 413, 422];

/** Maps the refusal of a request to places of its file. Throws other errors. */
const toFileProblems = (error: unknown, toProblem: Locate): readonly FileProblem[] => {
  if (error instanceof FileError) return error.problems;
  if (!(error instanceof ProblemError) || !refusals.includes(error.status)) throw error;
  const { fields, title, detail } = error;
  if (fields.length === 0) return [toProblem("", `${title}: ${detail}`)];
  return fields.map((field) => toProblem(field.pointer, field.detail));
};
