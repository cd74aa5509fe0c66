import { createAllSources } from "../../lib/knowledge/estimate/wharf.ts";
import { toSourceType } from "../../lib/knowledge/sources/source-type.ts";
import { sourceSettings } from "../../lib/vendors/registry/source-settings.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSourceTypes, async () =>
  createAllSources(sourceSettings(), async () => []).map(toSourceType),
);
