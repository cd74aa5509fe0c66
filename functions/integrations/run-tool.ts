import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toolsDeps } from "../../lib/integration/deps.ts";
import { runTool as run } from "../../lib/integration/run-tool.ts";
import { runTool } from "./routes.ts";

const deps = () => ({ ...toolsDeps(), objects: objectStore() });

export const handler = endpoint(runTool, deps, ({ ctx, params, body }, deps) => {
  const input = { integrationId: params.integration, toolId: params.tool, body };
  return run({ ctx, input, deps });
});
