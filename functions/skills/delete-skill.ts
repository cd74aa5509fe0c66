import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { removeSkill } from "../../lib/skill/store.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteSkill, async ({ ctx, params }) => {
  const removed = await removeSkill(database(), ctx.tenant.id, params.skill);
  if (!removed) throw notFound("skill", params.skill);
  return undefined;
});
