import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { sendMessage } from "../../lib/a2a/send-message.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.sendA2aMessage,
  ({ ctx, params, query, headers, body }) => {
    requireA2aVersion(headers, query);
    return sendMessage(executionDeps(), { ctx, agentId: params.agent, request: body });
  },
  { objects: objectStore },
);
