import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getSkill as get } from "../../lib/skill/store.ts";
import { getSkill } from "./routes.ts";

export const handler = endpoint(getSkill, database, async ({ ctx, params }, db) => {
  const skill = await get(db, ctx.tenant.id, params.skill);
  if (!skill) throw notFound("skill", params.skill);
  return skill;
});
