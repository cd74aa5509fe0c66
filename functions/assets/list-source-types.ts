import { endpoint } from "../../lib/edge/endpoint.ts";
import { sourceSettings } from "../../lib/runtime/env.ts";
import { createSources } from "../../lib/sources/index.ts";
import { toSourceType } from "../../lib/sources/source-type.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSourceTypes, async () =>
  createSources(sourceSettings(), { loadAssets: async () => [] }).map(toSourceType),
);
