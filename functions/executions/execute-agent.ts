import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { type ExecuteDeps, executeAgent as execute } from "../../lib/execution/execute-agent.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { createModelRegistry } from "../../lib/models/model-registry.ts";
import { revisionLoader } from "../../lib/revision/load-revision.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { createToolRegistry } from "../../lib/tools/tool-registry.ts";
import { executeAgent } from "./routes.ts";

let shared: ExecuteDeps | undefined;

const deps = (): ExecuteDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore() };
  const tools = createToolRegistry(outgoingSettings());
  const loadRevision = revisionLoader({ ...storage, sealer: kmsSealer(), tools });
  shared = { ...storage, loadRevision, models: createModelRegistry(), tools };
  return shared;
};

export const handler = endpoint(executeAgent, deps, ({ ctx, params, body }, deps) =>
  execute({ ctx, input: { agentId: params.agent, body }, deps }),
);
