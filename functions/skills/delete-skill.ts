import { removeSkill } from "../../lib/agents/skill/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.deleteSkill, async ({ db, ctx, params }) => {
  const removed = await removeSkill(db, ctx.tenant.id, params.skill);
  if (!removed) throw notFound("skill", params.skill);
  return undefined;
});
