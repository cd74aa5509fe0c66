import { createSkill } from "../../lib/agents/skill/create-skill.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(
  rows.createSkill,
  ({ ctx, body }) => createSkill(deps(), { ctx, body }),
  { objects: objectStore },
);
