import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { updateSkill } from "../../lib/skill/update-skill.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.updateSkill, ({ ctx, params, body }) =>
  updateSkill({ ctx, input: { skillId: params.skill, body }, deps: deps() }),
);
