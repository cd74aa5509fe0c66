import { listSkills } from "../../lib/agents/skill/list-skills.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSkills, ({ db, ctx, query }) =>
  listSkills(db, ctx.tenant.id, toPageRequest(query)),
);
