import { updateSkill } from "../../lib/agents/skill/update-skill.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.updateSkill, ({ db, ctx, params, body }) =>
  updateSkill(deps(db), { ctx, skillId: params.skill, body }),
);
