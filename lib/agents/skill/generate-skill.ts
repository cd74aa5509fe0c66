import { type Problem, validationFailed } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { sandboxTask } from "../../platform/sandbox/task.ts";
import type * as draftTask from "./draft-skill-task.ts";
import type { GenerateSkillBody, SkillDraft } from "./schemas.ts";

const task = sandboxTask<typeof draftTask>(new URL("./draft-skill-task.ts", import.meta.url));

/**
 * Drafts a skill from a markdown file in the sandbox. Throws 400, with the line, for broken front matter, and
 * for markdown that needs too much time or memory.
 */
export const generateSkill = async (
  { markdownContent, fileName }: GenerateSkillBody,
  processor: ProcessorBudget,
): Promise<SkillDraft> => {
  const input = { markdownContent, fileName };
  const result = await processor
    .run(task, input, processorLimits.markdownMs)
    .catch((error: unknown) => {
      if (!(error instanceof SandboxLimitError)) throw error;
      const what = error.limit === "memory" ? "memory" : "processor time";
      throw refused(`exceeds the limit of ${what} for parsing`);
    });
  if (result.ok) return result.draft;
  throw refused(result.detail);
};

const refused = (detail: string): Problem =>
  validationFailed([{ pointer: "/markdownContent", detail }]);
