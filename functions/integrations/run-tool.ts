import { runTool } from "../../lib/integrations/tools/run-tool.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import { toolsDeps } from "../deps/tools-deps.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(
  rows.runTool,
  ({ ctx, params, body }) => {
    const input = { integrationId: params.integration, toolId: params.tool, body };
    return runTool(toolsDeps(), { ctx, ...input });
  },
  { objects: objectStore },
);
