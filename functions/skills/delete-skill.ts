import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { removeSkill } from "../../lib/skill/store.ts";
import { deleteSkill } from "./routes.ts";

export const handler = endpoint(deleteSkill, database, async ({ ctx, params }, db) => {
  const removed = await removeSkill(db, ctx.tenant.id, params.skill);
  if (!removed) throw notFound("skill", params.skill);
  return undefined;
});
