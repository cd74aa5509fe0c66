import { command, group } from "../command.ts";
import { argument, flag, positive, requiredText, text } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";
import { subscriptionOptions } from "../webhooks/subscription-options.ts";

const webhook = argument("the webhook's id");
const { webhook: id, delivery } = sampleIds;

const list = command({
  name: "list",
  summary: "List webhooks, newest first.",
  options: { provider: text("provider", "only webhooks of this provider") },
  examples: ["wharf webhooks list", "wharf webhooks list --provider github --json"],
  scopes: "integrations:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./webhooks/list.ts")).listWebhooks(input, io),
});

const create = command({
  name: "create",
  summary: "Create a webhook.",
  args: { provider: argument("the provider, such as github, stripe or generic") },
  options: {
    agent: text("agent", "subscribe this agent to its deliveries"),
    ...subscriptionOptions,
    providerFilter: text(
      "filter",
      "the provider's own filter: event types, or at Jira a JQL query",
    ),
    signingSecretFile: text(
      "file",
      "file with the provider's own signing secret; - reads standard input",
    ),
    signingSecretEnv: text("variable", "environment variable with that secret"),
  },
  notes:
    "The signing secret is printed once, on standard output. Enter URL and secret at the provider. If the agent cannot be subscribed, no webhook is left.",
  examples: [
    "wharf webhooks create github --agent triage",
    `wharf webhooks create github --agent hello --event-type issues --input name='{% payload.sender.login %}'`,
  ],
  scopes: "integrations:write; with --agent also agents:execute",
  json: "the webhook as the API returned it, with `signingSecret`; with `--agent` also `subscription`",
  run: async (input, io) => (await import("./webhooks/create.ts")).createWebhook(input, io),
});

const subscribe = command({
  name: "subscribe",
  summary: "Subscribe an agent to the deliveries of a webhook.",
  args: { webhook, agent: argument("the agent's id") },
  options: subscriptionOptions,
  notes:
    "Without inputs, the agent's input is `event`: {provider, eventType, deliveryId, headers, payload}. An agent that requires other inputs needs --input or --input-file. Values without an expression are converted to the types that the agent declares.",
  examples: [
    `wharf webhooks subscribe ${id} hello --event-type issues --filter "payload.action = 'opened'" --input name='{% payload.sender.login %}'`,
  ],
  scopes: "integrations:write, agents:execute",
  json: "the subscription as the API returned it",
  run: async (input, io) => (await import("./webhooks/subscribe.ts")).subscribeToWebhook(input, io),
});

const get = command({
  name: "get",
  summary: "Show a webhook with its subscriptions.",
  args: { webhook },
  examples: [`wharf webhooks get ${id}`],
  scopes: "integrations:read",
  json: "the webhook as the API returned it, with `subscriptions`",
  run: async (input, io) => (await import("./webhooks/get.ts")).getWebhook(input, io),
});

const remove = command({
  name: "delete",
  summary: "Delete a webhook with its subscriptions and deliveries.",
  args: { webhook },
  options: { yes: flag("skip the confirmation") },
  examples: [`wharf webhooks delete ${id} --yes`],
  scopes: "integrations:write",
  json: '`{"id": "01a1fb9f-…", "deleted": true}`',
  run: async (input, io) => (await import("./webhooks/delete.ts")).deleteWebhook(input, io),
});

const send = command({
  name: "send",
  summary: "Send a signed sample of the provider's events to a webhook, to test it.",
  args: { webhook },
  options: {
    event: text("name", "event of the sample, such as issues; by default the most common"),
    bodyFile: text("file", "body in place of the sample's; - reads standard input"),
    secretFile: text("file", "file with the signing secret; - reads standard input"),
    secretEnv: text("variable", "environment variable with the signing secret"),
    keyFile: text("file", "file with an API key for the URL; - reads standard input"),
    keyEnv: text("variable", "environment variable with an API key for the URL"),
  },
  notes:
    "The delivery is signed and sent as the provider does. The secret is the one that `wharf webhooks create` printed; for discord it is the private key (32 bytes, hex). A webhook that takes an API key instead needs one with inbound:deliver. The exit code is 1 if the webhook refuses the delivery.",
  examples: [
    `wharf webhooks send ${id} --event issues --secret-env WEBHOOK_SECRET`,
    `wharf webhooks send ${id} --secret-file - < secret.txt`,
  ],
  scopes: "integrations:read",
  json: '`{"webhookId": "…", "event": "push", "status": 204}`',
  run: async (input, io) => (await import("./webhooks/send.ts")).sendDelivery(input, io),
});

const deliveries = command({
  name: "deliveries",
  summary: "List the deliveries of a webhook, newest first.",
  args: { webhook },
  options: { limit: positive("maximum number of deliveries to list, by default 50") },
  examples: [`wharf webhooks deliveries ${id} --limit 5`],
  scopes: "integrations:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./webhooks/deliveries.ts")).listDeliveries(input, io),
});

const replay = command({
  name: "replay",
  summary: "Send a delivery to its subscribers again.",
  args: { webhook, delivery: argument("the delivery's id") },
  options: { subscription: text("id", "only to this subscription") },
  examples: [`wharf webhooks replay ${id} ${delivery}`],
  scopes: "integrations:write",
  json: 'the API\'s response: `{"runs": [{"subscriptionId": "…", "executionId": "…"}]}`',
  run: async (input, io) => (await import("./webhooks/replay.ts")).replayDelivery(input, io),
});

const listen = command({
  name: "listen",
  summary: "Forward deliveries to a local address as they arrive, until Ctrl-C.",
  args: { webhook },
  options: {
    forwardTo: requiredText("url", "address that receives the deliveries"),
    replayLast: positive("forward this many earlier deliveries first, oldest first"),
    interval: positive("seconds between two requests, by default 1"),
  },
  notes: `Each delivery is sent byte for byte as a POST with the headers and the signature of its provider, so that code that verifies signatures can be tested. Headers with a token are not kept and therefore not sent. Status and duration of each response are printed.`,
  examples: [
    `wharf webhooks listen ${id} --forward-to http://localhost:3000/hooks`,
    `wharf webhooks listen ${id} --forward-to http://localhost:3000/hooks --replay-last 3`,
  ],
  notRun: "runs until Ctrl-C",
  scopes: "integrations:read",
  json: 'a line for each delivery: `{"deliveryId": "…", "eventType": "push", "status": 200, "milliseconds": 12, "error": null}`; `status` is null and `error` set without a response',
  run: async (input, io) => (await import("./webhooks/listen.ts")).listenToWebhook(input, io),
});

/** Rows of `wharf webhooks`. */
export const webhooks = group({
  name: "webhooks",
  summary: "Manage webhooks, and test them against local code.",
  examples: [
    "wharf webhooks list",
    `wharf webhooks listen ${id} --forward-to http://localhost:3000/hooks`,
  ],
  commands: [list, get, create, subscribe, send, deliveries, replay, listen, remove],
});
