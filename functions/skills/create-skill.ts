import { createSkill } from "../../lib/agents/skill/create-skill.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(
  rows.createSkill,
  ({ db, ctx, body }) => createSkill(deps(db), { ctx, body }),
  { objects: objectStore },
);
