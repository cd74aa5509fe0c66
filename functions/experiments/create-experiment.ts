import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import {
  type CreateExperimentDeps,
  createExperiment,
} from "../../lib/evaluation/experiment/create-experiment.ts";
import { toExperiment } from "../../lib/evaluation/experiment/to-experiment.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

let shared: CreateExperimentDeps | undefined;

const deps = (): CreateExperimentDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const loadRevision = revisionLoader({ ...storage, tools: createToolRegistry() });
  shared = { ...storage, send, loadRevision };
  return shared;
};

export const handler = endpoint(
  rows.createExperiment,
  async ({ ctx, body }) => toExperiment(await createExperiment(deps(), { ctx, body })),
  { objects: objectStore },
);
