import { createChatCompletion } from "../../lib/openai/create-chat-completion.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.createChatCompletion,
  ({ ctx: { events, ...ctx }, body }) =>
    createChatCompletion(executionDeps(), { ctx, body, events }),
  { objects: objectStore },
);
