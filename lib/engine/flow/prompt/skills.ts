import { StepError } from "../../step-error.ts";
import type { FlowSkill } from "../skill.ts";
import type { StepContext } from "../step-context.ts";

/** Loads the skills that a Prompt names. One that is resumed does without those that were deleted since. */
export const loadSkills = async (
  ids: readonly string[],
  { skills, suspended }: StepContext,
): Promise<readonly FlowSkill[]> => {
  if (ids.length === 0) return [];
  if (!skills) throw new StepError("execution-failed", "There are no skills here.");
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const skill = await skills.resolve(id);
      if (skill || suspended !== undefined) return skill;
      throw new StepError("execution-failed", `There is no skill "${id.slice(0, 128)}".`);
    }),
  );
  return found.filter((skill) => skill !== undefined);
};

/** Returns a Prompt's instructions, followed by those of its skills. */
export const systemText = (
  system: string | undefined,
  skills: readonly FlowSkill[],
): string | undefined => {
  const parts = [
    ...(system === undefined || system === "" ? [] : [system]),
    ...skills.map(({ displayName, description, instructions }) =>
      [`# Skill: ${displayName}`, description, instructions].filter(Boolean).join("\n\n"),
    ),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n");
};
