import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { createSkill as create } from "../../lib/skill/create-skill.ts";
import { createSkill } from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(createSkill, deps, ({ ctx, body }, deps) =>
  create({ ctx, input: body, deps }),
);
