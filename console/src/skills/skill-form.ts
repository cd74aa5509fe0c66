import type { CreateSkillBody, Skill, SkillDraft } from "../../../client/openapi.ts";

/** A resource in the form. The key identifies its row. */
export type ResourceEntry = {
  key: string;
  assetId: string;
  description: string;
  vectorized: boolean;
};

/** The values of a skill's form. */
export type SkillForm = {
  id: string;
  displayName: string;
  description: string;
  instructions: string;
  /** `integration/tool`. */
  tools: string[];
  resources: ResourceEntry[];
};

export const emptySkillForm: SkillForm = {
  id: "",
  displayName: "",
  description: "",
  instructions: "",
  tools: [],
  resources: [],
};

/** Pointers that the form's fields show. */
export const skillPointers = [
  "/id",
  "/displayName",
  "/description",
  "/instructions",
  "/tools",
  "/resources",
] as const;

/** Converts a skill or a draft to the values of the form. */
export const toSkillForm = (skill: Skill | SkillDraft): SkillForm => ({
  id: skill.id,
  displayName: skill.displayName,
  description: skill.description,
  instructions: skill.instructions ?? "",
  tools: (skill.tools ?? []).map(({ integrationId, id }) => `${integrationId}/${id}`),
  resources: (skill.resources ?? []).map((resource, index) => ({
    key: String(index),
    ...resource,
  })),
});

/** A tool without an integration is one of `system`. */
const toTool = (text: string): { integrationId: string; id: string } => {
  const at = text.indexOf("/");
  return at === -1
    ? { integrationId: "system", id: text }
    : { integrationId: text.slice(0, at), id: text.slice(at + 1) };
};

/** Converts the values of the form to a request's body. */
export const toSkillBody = (form: SkillForm): CreateSkillBody => ({
  id: form.id,
  displayName: form.displayName,
  description: form.description,
  instructions: form.instructions === "" ? null : form.instructions,
  tools: form.tools.length === 0 ? null : form.tools.map(toTool),
  resources:
    form.resources.length === 0
      ? null
      : form.resources.map(({ assetId, description, vectorized }) => ({
          assetId,
          description,
          vectorized,
        })),
});
