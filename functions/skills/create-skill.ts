import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createSkill } from "../../lib/skill/create-skill.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(
  rows.createSkill,
  ({ ctx, body }) => createSkill({ ctx, input: body, deps: deps() }),
  { objects: objectStore },
);
