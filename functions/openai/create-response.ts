import { createResponse } from "../../lib/openai/create-response.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.createResponse,
  ({ ctx: { events, ...ctx }, body }) => createResponse(executionDeps(), { ctx, body, events }),
  { objects: objectStore },
);
