import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { createRevision as create } from "../../lib/revision/create-revision.ts";
import { bedrockModels } from "../../lib/runtime/env.ts";
import { createRevision } from "./routes.ts";

const deps = () => ({
  db: database(),
  objects: objectStore(),
  sealer: kmsSealer(),
  bedrockModels: bedrockModels(),
});

export const handler = endpoint(createRevision, deps, ({ ctx, params, body }, deps) =>
  create({ ctx, input: { agentId: params.agent, content: body }, deps }),
);
