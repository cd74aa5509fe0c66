import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listSkills } from "../../lib/skill/list-skills.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSkills, ({ ctx, query }) =>
  listSkills(database(), ctx.tenant.id, toPageRequest(query)),
);
