import { updateSkill } from "../../lib/agents/skill/update-skill.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.updateSkill, ({ ctx, params, body }) =>
  updateSkill(deps(), { ctx, skillId: params.skill, body }),
);
