import {
  CreateSkillBody,
  GenerateSkillBody,
  Skill,
  SkillDraft,
  SkillPage,
  UpdateSkillBody,
} from "../../lib/agents/skill/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("skills");
const params = { skill: ChosenId.meta({ example: "travel" }) };

export const listSkills = route({
  operation: "list-skills",
  method: "GET",
  path: "/v1/tenants/{tenant}/skills",
  summary: "Lists skills by id; a page may hold fewer than PageSize when skills are large",
  scope: "skills:read",
  query: pagingQuery,
  response: { status: 200, schema: SkillPage },
  access: { table: "read" },
});

export const createSkill = route({
  operation: "create-skill",
  creates: "Skill",
  method: "POST",
  path: "/v1/tenants/{tenant}/skills",
  summary: "Creates a skill",
  scope: "skills:write",
  body: CreateSkillBody,
  response: { status: 201, schema: Skill },
  problems: ["conflict"],
  access: { table: "write", bucket: "write" },
});

export const getSkill = route({
  operation: "get-skill",
  method: "GET",
  path: "/v1/tenants/{tenant}/skills/{skill}",
  summary: "Retrieves a skill",
  scope: "skills:read",
  params,
  response: { status: 200, schema: Skill },
  access: { table: "read" },
});

export const updateSkill = route({
  operation: "update-skill",
  changes: "Skill",
  method: "PUT",
  path: "/v1/tenants/{tenant}/skills/{skill}",
  summary: "Updates the sent members of a skill",
  scope: "skills:write",
  params,
  body: UpdateSkillBody,
  response: { status: 200, schema: Skill },
  access: { table: "write" },
});

export const deleteSkill = route({
  operation: "delete-skill",
  changes: "Skill",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/skills/{skill}",
  summary: "Deletes a skill",
  scope: "skills:write",
  params,
  response: { status: 204 },
  access: { table: "write" },
});

export const generateSkill = route({
  operation: "generate-skill",
  method: "POST",
  path: "/v1/tenants/{tenant}/skills:generate-from-markdown",
  summary: "Drafts a skill from a markdown file without storing it",
  scope: "skills:write",
  body: GenerateSkillBody,
  response: { status: 200, schema: SkillDraft },
  access: { table: "write", bucket: "write" },
});
