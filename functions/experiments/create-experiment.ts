import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import {
  type CreateExperimentDeps,
  createExperiment,
} from "../../lib/evaluation/experiment/create-experiment.ts";
import { toExperiment } from "../../lib/evaluation/experiment/to-experiment.ts";
import { type Database, database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

/** Keeps the revisions that the instance has read. */
let sharedLoader: CreateExperimentDeps["loadRevision"] | undefined;

const deps = (db: Database): CreateExperimentDeps => {
  const storage = { objects: objectStore(), sealer: kmsSealer() };
  sharedLoader ??= revisionLoader({ db: database(), ...storage, tools: createToolRegistry() });
  return { db, ...storage, send, loadRevision: sharedLoader };
};

export const handler = endpoint(
  rows.createExperiment,
  async ({ db, ctx, body }) => toExperiment(await createExperiment(deps(db), { ctx, body })),
  { objects: objectStore },
);
