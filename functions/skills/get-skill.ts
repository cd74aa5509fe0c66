import { getSkill } from "../../lib/agents/skill/store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getSkill, async ({ ctx, params }) => {
  const skill = await getSkill(database(), ctx.tenant.id, params.skill);
  if (!skill) throw notFound("skill", params.skill);
  return skill;
});
