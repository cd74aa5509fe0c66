import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createRevision } from "../../lib/revision/create-revision.ts";
import { bedrockModels } from "../../lib/runtime/env.ts";
import * as rows from "./routes.ts";

const deps = () => ({
  db: database(),
  objects: objectStore(),
  sealer: kmsSealer(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(
  rows.createRevision,
  ({ ctx, params, body }) =>
    createRevision({ ctx, input: { agentId: params.agent, content: body }, deps: deps() }),
  { objects: objectStore },
);
