import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  apiKeyAuth,
  InboundVariable,
  inboundProblems,
} from "../../lib/webhooks/delivery/schemas.ts";

const route = createDefineRoute("inbound");

const webhookProvider = InboundVariable("github", "The webhook's provider.");
const webhookId = InboundVariable("0193f0a0-7c4b-7000-8000-000000000002", "The webhook's id.");
/** The 200 with a body that some providers expect. */
const acknowledgement = {
  description:
    "For providers that expect a body: the response to the verification of the address (Slack, Zoom, Microsoft Graph, Discord), a command or an interaction. Empty for Linear, Meta and Notion.",
  examples: {
    "application/json": { challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" },
    "text/plain": "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
  },
};

/** The 200 to a provider that verifies the address by GET. */
const verification = {
  description: "The challenge that the provider sent.",
  examples: { "text/plain": "1158201444" },
};

export const deliverWebhook = route({
  operation: "deliver-webhook",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhookProvider}/{webhookId}/{apiKeyAuth}",
  summary: "Receives a webhook delivery authenticated by the API key in the path",
  scope: "public",
  inbound: true,
  reply: acknowledgement,
  params: { webhookProvider, webhookId, apiKeyAuth },
  response: { status: 204 },
  problems: inboundProblems,
  access: { table: "write", bucket: "write", secrets: "seal", publishes: ["deliveries"] },
});

export const deliverSignedWebhook = route({
  operation: "deliver-signed-webhook",
  method: "POST",
  path: "/v1/tenants/{tenant}/webhooks/{webhookProvider}/{webhookId}",
  summary: "Receives a webhook delivery authenticated by the provider's signature",
  scope: "public",
  inbound: true,
  reply: acknowledgement,
  params: { webhookProvider, webhookId },
  response: { status: 204 },
  problems: inboundProblems,
  access: { table: "write", bucket: "write", secrets: "seal", publishes: ["deliveries"] },
});

export const verifyWebhook = route({
  operation: "verify-webhook",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhookProvider}/{webhookId}/{apiKeyAuth}",
  summary: "Responds to a provider's verification of the address with an API key",
  scope: "public",
  inbound: true,
  reply: verification,
  params: { webhookProvider, webhookId, apiKeyAuth },
  response: { status: 200 },
  problems: inboundProblems,
  access: { table: "read", secrets: "open" },
});

export const verifySignedWebhook = route({
  operation: "verify-signed-webhook",
  method: "GET",
  path: "/v1/tenants/{tenant}/webhooks/{webhookProvider}/{webhookId}",
  summary: "Responds to a provider's verification of the address without an API key",
  scope: "public",
  inbound: true,
  reply: verification,
  params: { webhookProvider, webhookId },
  response: { status: 200 },
  problems: inboundProblems,
  access: { table: "read", secrets: "open" },
});
