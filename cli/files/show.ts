import { createTwoFilesPatch } from "diff";
import { buildPointer } from "../../lib/values/json/json.ts";
import type { Io } from "../io.ts";
import { printable } from "../printable.ts";
import { withoutCompleted } from "./completed.ts";
import { type Content, emptyContent } from "./content.ts";
import type { Environment } from "./environment.ts";
import { type FileValue, toFileValue } from "./file-value.ts";
import { differences, type Members, toRecords } from "./json-value.ts";
import { mergedTexts, mergeInto } from "./merge.ts";
import { buildKey } from "./names.ts";
import { type AgentPlan, differs, type Plan, type SkillPlan } from "./plan.ts";
import { writeSkillFile } from "./skill-file.ts";
import { parseYaml } from "./yaml-document.ts";

/** The comparison of a file with the API. */
export type Comparison = {
  kind: "agent" | "skill";
  id: string;
  file: string;
  status: "Same" | "Different" | "New";
  /** The revision that was compared; null if there is none. */
  revision: number | null;
  deployedRevision: number | null;
  /** JSON pointers of the members that differ. */
  changes: string[];
  /** Number of secrets in the file, which are not compared. */
  secretsNotCompared: number;
};

/** Summarizes the comparison of a folder, skills first. */
export const toComparisons = ({ agents, skills }: Plan): Comparison[] => [
  ...skills.map((plan) => ({
    ...place("skill", plan),
    status: plan.stored ? sameOrNot(plan.differs) : "New",
    revision: null,
    deployedRevision: null,
    changes: plan.stored ? differences(plan.stored, plan.local.skill, buildPointer) : [],
    secretsNotCompared: 0,
  })),
  ...agents.map((plan) => ({
    ...place("agent", plan),
    status: plan.agent ? sameOrNot(differs(plan)) : "New",
    revision: plan.agent?.latestRevision ?? null,
    deployedRevision: plan.agent?.deployedRevision ?? null,
    changes: plan.agent && differs(plan) ? listChanges(plan) : [],
    secretsNotCompared: plan.contentDiffers ? 0 : plan.secrets,
  })),
];

const sameOrNot = (isDifferent: boolean): Comparison["status"] =>
  isDifferent ? "Different" : "Same";

const place = (kind: "agent" | "skill", { local }: AgentPlan | SkillPlan) => ({
  kind,
  id: local.id,
  file: "yaml" in local ? local.yaml.file : local.file,
});

const listChanges = ({ agent, stored, parts, content }: AgentPlan): string[] => {
  const { displayName = "", description = null, avatarFileId = null } = agent ?? {};
  return differences(
    { displayName, description, avatarFileId, ...(stored?.content ?? emptyContent()) },
    { ...parts, ...content },
    buildPointer,
  );
};

/** Returns a unified diff from an agent as the API has it to its file, in the file's own style; "" if equal. */
export const agentPatch = (plan: AgentPlan, environment: Environment): string => {
  const { local, agent, stored, comment } = plan;
  if (!differs(plan)) return "";
  const { file, text } = local.yaml;
  if (!agent) return patch("/dev/null", file, "", text);
  const { document } = parseYaml(file, text).yaml;
  mergeInto(document, storedValue(plan, comment), environment);
  const name = stored ? `${agent.id}, revision ${agent.latestRevision}` : agent.id;
  const { merged, comparedWith } = mergedTexts(document, text);
  return patch(name, file, merged, comparedWith);
};

/** Builds the value that a pull would write, with references as the file has them. */
const storedValue = (
  { local, agent, stored, written, parts }: AgentPlan,
  comment: string | null,
): FileValue =>
  toFileValue(
    agent ?? parts,
    {
      content: withoutAdopted(stored?.content ?? emptyContent(), local.value),
      comment,
    },
    (reference) => written.get(buildKey(reference)) ?? reference.text,
  );

/** Removes what the service added and the file does not have. */
export const withoutAdopted = (stored: Content, file: Members): Content =>
  withoutCompleted(withoutAdoptedIds(stored, file), file);

/** Removes the ids of job policies that the file does not have, if it has policies without an id. */
const withoutAdoptedIds = (stored: Content, file: Members): Content => {
  const ids = toRecords(file.jobPolicyConfigs).map(({ id }) => String(id ?? "").toLowerCase());
  if (!ids.includes("")) return stored;
  return {
    ...stored,
    jobPolicyConfigs: stored.jobPolicyConfigs.map(({ id, ...policy }) =>
      id && ids.includes(id) ? { id, ...policy } : policy,
    ),
  };
};

/** Returns a unified diff from a skill as the API has it to its file; "" if equal. */
export const skillPatch = ({ local, stored, differs: isDifferent }: SkillPlan): string => {
  if (!isDifferent) return "";
  const { id, file, text } = local;
  if (!stored) return patch("/dev/null", file, "", text);
  return patch(`skill ${id}`, file, writeSkillFile(id, stored, text), text);
};

const patch = (from: string, to: string, before: string, after: string): string =>
  createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 3 })
    .split("\n")
    .slice(1)
    .join("\n");

/** Writes a patch to standard output; characters that would control the terminal are replaced. */
export const printPatch = ({ stdout }: Pick<Io, "stdout">, text: string): void => {
  const lines = text.split("\n").map((line) => line.split("\t").map(printable).join("\t"));
  stdout.write(lines.join("\n"));
};
