import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { updateSkill as update } from "../../lib/skill/update-skill.ts";
import { updateSkill } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(updateSkill, deps, ({ ctx, params, body }, deps) =>
  update({ ctx, input: { skillId: params.skill, body }, deps }),
);
