import { StepError } from "../../step-error.ts";
import type { FlowSkill, SkillResource } from "../skill.ts";
import type { StepContext } from "../step-context.ts";

/** Skills of a Prompt with instructions in the system text; of more, a model loads those that it needs. */
const maxInText = 2;

/** The skills of a Prompt. */
export type PromptSkills = {
  readonly skills: readonly FlowSkill[];
  /** Whether the model loads their instructions by a tool. */
  readonly areLoaded: boolean;
};

/** Reads the skills that a Prompt names. One that is resumed does without those that were deleted since. */
export const readSkills = async (
  named: readonly string[],
  { skills, suspended }: StepContext,
): Promise<PromptSkills> => {
  const ids = [...new Set(named)];
  const areLoaded = ids.length > maxInText;
  if (ids.length === 0) return { skills: [], areLoaded };
  if (!skills) throw new StepError("execution-failed", "There are no skills here.");
  const found = await Promise.all(
    ids.map(async (id) => {
      const skill = await skills.resolve(id);
      if (skill || suspended !== undefined) return skill;
      throw new StepError("execution-failed", `There is no skill "${id.slice(0, 128)}".`);
    }),
  );
  return { skills: found.filter((skill) => skill !== undefined), areLoaded };
};

const catalogIntroduction =
  "Each of these skills has instructions for a kind of task. When a task matches the description of a skill, call the tool `load_skill` with its id first, and follow the instructions.";

/** Returns a Prompt's system text, followed by its skills. */
export const systemText = (
  system: string | undefined,
  { skills, areLoaded }: PromptSkills,
): string | undefined => {
  const catalog = [
    "# Skills",
    catalogIntroduction,
    ...skills.map(
      ({ id, displayName, description }) => `## ${id}: ${displayName}\n\n${description}`,
    ),
  ];
  const texts = areLoaded ? catalog : skills.map((skill) => formatSkill(skill, skill.description));
  const parts = [system, ...(skills.length === 0 ? [] : texts)].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join("\n\n");
};

/** Formats a skill's instructions and the list of its resources for a model. */
export const formatSkill = (
  { displayName, instructions, resources }: FlowSkill,
  description?: string,
): string =>
  [
    `# Skill: ${displayName}`,
    description,
    instructions,
    resources.length === 0 ? "" : `Resources:\n\n${resources.map(formatResource).join("\n")}`,
  ]
    .filter(Boolean)
    .join("\n\n");

const formatResource = ({ assetId, description, vectorized }: SkillResource): string => {
  const tool = vectorized ? "search_knowledge" : "read_resource";
  const text = description.replaceAll(/\s+/g, " ").trim();
  return `- ${assetId} (${tool})${text === "" ? "" : `: ${text}`}`;
};
