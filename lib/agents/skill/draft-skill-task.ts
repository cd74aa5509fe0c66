import { draftSkill, MarkdownRefused } from "./draft-skill.ts";
import type { GenerateSkillBody, SkillDraft } from "./schemas.ts";

/** A skill draft, or why there is none. */
export type DraftResult =
  | { readonly ok: true; readonly draft: SkillDraft }
  | { readonly ok: false; readonly detail: string };

/** Drafts a skill from a markdown file. */
export const run = (body: GenerateSkillBody): DraftResult => {
  try {
    return { ok: true, draft: draftSkill(body) };
  } catch (error) {
    if (!(error instanceof MarkdownRefused)) throw error;
    return { ok: false, detail: error.message };
  }
};
