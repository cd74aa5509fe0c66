import { getSkill } from "../../lib/agents/skill/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getSkill, async ({ db, ctx, params }) => {
  const skill = await getSkill(db, ctx.tenant.id, params.skill);
  if (!skill) throw notFound("skill", params.skill);
  return skill;
});
