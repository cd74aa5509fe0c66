import { listSkills } from "../../lib/agents/skill/list-skills.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSkills, ({ ctx, query }) =>
  listSkills(database(), ctx.tenant.id, toPageRequest(query)),
);
