import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getSkill } from "../../lib/skill/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getSkill, async ({ ctx, params }) => {
  const skill = await getSkill(database(), ctx.tenant.id, params.skill);
  if (!skill) throw notFound("skill", params.skill);
  return skill;
});
