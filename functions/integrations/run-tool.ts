import { principalFiles } from "../../lib/files/principal-files.ts";
import { runTool } from "../../lib/integrations/tools/run-tool.ts";
import { fileObjects } from "../../lib/platform/db/file-objects.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import { toolsDeps } from "../deps/tools-deps.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(
  rows.runTool,
  ({ db, ctx, params, body }) => {
    const files = principalFiles({ db, files: fileObjects() }, { ctx });
    const input = { integrationId: params.integration, toolId: params.tool, body, files };
    return runTool(toolsDeps(), { ctx, ...input });
  },
  { objects: objectStore },
);
