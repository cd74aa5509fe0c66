import { endpoint } from "../../lib/edge/endpoint.ts";
import { createSources } from "../../lib/knowledge/sources/index.ts";
import { toSourceType } from "../../lib/knowledge/sources/source-type.ts";
import { sourceSettings } from "../../lib/platform/runtime/env.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSourceTypes, async () =>
  createSources(sourceSettings(), { loadAssets: async () => [] }).map(toSourceType),
);
