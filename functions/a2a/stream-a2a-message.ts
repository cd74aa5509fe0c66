import { requireA2aVersion } from "../../lib/a2a/require-a2a-version.ts";
import { streamMessage } from "../../lib/a2a/stream-message.ts";
import { toSink } from "../../lib/a2a/to-sink.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.streamA2aMessage,
  ({ ctx, params, query, headers, body }) => {
    requireA2aVersion(headers, query);
    const sink = toSink(ctx.events);
    return streamMessage(executionDeps(), { ctx, agentId: params.agent, request: body, sink });
  },
  { objects: objectStore },
);
