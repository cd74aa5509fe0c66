import { endpoint } from "../../lib/edge/endpoint.ts";
import { createScorer } from "../../lib/evaluation/scorer/create-scorer.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(
  rows.createScorer,
  ({ ctx, body }) => createScorer(deps(), { ctx, body }),
  { objects: objectStore },
);
