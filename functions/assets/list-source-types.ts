import { endpoint } from "../../lib/http/endpoint.ts";
import { sourceSettings } from "../../lib/runtime/env.ts";
import { createSources } from "../../lib/sources/index.ts";
import { toSourceType } from "../../lib/sources/source-type.ts";
import { listSourceTypes } from "./routes.ts";

const deps = () => ({ sources: createSources(sourceSettings(), { loadAssets: async () => [] }) });

export const handler = endpoint(listSourceTypes, deps, async (_, { sources }) =>
  sources.map(toSourceType),
);
