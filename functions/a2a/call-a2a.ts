import { handleRpc } from "../../lib/a2a/handle-rpc.ts";
import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.callA2a,
  ({ ctx, params, query, headers, body }) => {
    requireA2aVersion(headers, query);
    return handleRpc(executionDeps(), { ctx, agentId: params.agent, body });
  },
  { objects: objectStore },
);
