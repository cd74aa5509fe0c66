import { createDefineRoute } from "../../lib/edge/route.ts";
import { CallbackBody, CallbackToken } from "../../lib/executions/schemas.ts";

const route = createDefineRoute("callbacks");

export const receiveCallback = route({
  operation: "receive-callback",
  method: "POST",
  path: "/v1/tenants/{tenant}/callbacks/{callbackToken}",
  summary: "Ends a wait for a callback with the body, once",
  scope: "public",
  signed: true,
  params: { callbackToken: CallbackToken },
  body: CallbackBody,
  response: { status: 204 },
  problems: ["conflict", "rate-limit-exceeded"],
  access: {
    table: "write",
    bucket: "write",
    secrets: "open",
    publishes: ["executions", "schedules"],
  },
});
