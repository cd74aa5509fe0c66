import { createRevision } from "../../lib/agents/revision/create-revision.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels } from "../../lib/platform/runtime/env.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  objects: objectStore(),
  sealer: kmsSealer(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(
  rows.createRevision,
  ({ db, ctx, params, body }) =>
    createRevision(deps(db), { ctx, agentId: params.agent, content: body }),
  { objects: objectStore },
);
