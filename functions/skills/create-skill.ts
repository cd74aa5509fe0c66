import { createSkill } from "../../lib/agents/skill/create-skill.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(
  rows.createSkill,
  ({ db, ctx, body }) => createSkill(deps(db), { ctx, body }),
  { objects: objectStore },
);
