import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listSkills as list } from "../../lib/skill/list-skills.ts";
import { listSkills } from "./routes.ts";

export const handler = endpoint(listSkills, database, ({ ctx, query }, db) =>
  list(db, ctx.tenant.id, toPageRequest(query)),
);
