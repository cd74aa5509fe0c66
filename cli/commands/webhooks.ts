import { command, group } from "../command.ts";
import { argument, positive, requiredText, text, texts } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const webhook = argument("the webhook's id");
const { webhook: id, delivery } = sampleIds;

const list = command({
  name: "list",
  summary: "List webhooks, newest first.",
  options: { provider: text("provider", "only webhooks of this provider") },
  examples: ["wharf webhooks list", "wharf webhooks list --provider github --json"],
  scopes: "integrations:read",
  json: '`{"items": […]}`, each item as the API returned it',
  run: async (input, io) => (await import("./webhooks/list.ts")).listWebhooks(input, io),
});

const create = command({
  name: "create",
  summary: "Create a webhook.",
  args: { provider: argument("the provider, such as github, stripe or generic") },
  options: {
    agent: text("agent", "subscribe this agent to its deliveries"),
    filter: text(
      "jsonata",
      "run the agent only for deliveries for which this expression over eventType, headers and payload is true",
    ),
    eventType: texts("type", "run the agent only for deliveries of this type; can be repeated"),
    providerFilter: text(
      "filter",
      "the provider's own filter of what it sends: event types, or at Jira a JQL query",
    ),
    signingSecretFile: text("file", "file with the provider's own signing secret; - reads stdin"),
  },
  notes:
    "The signing secret is printed once, on standard output. Enter URL and secret at the provider. If the agent cannot be subscribed, no webhook is left.",
  examples: [
    "wharf webhooks create github --agent triage",
    `wharf webhooks create github --agent triage --filter "payload.action = 'opened'"`,
  ],
  scopes: "integrations:write; with --agent also agents:execute",
  json: "the webhook as the API returned it, with `signingSecret`; with `--agent` also `subscription`",
  run: async (input, io) => (await import("./webhooks/create.ts")).createWebhook(input, io),
});

const deliveries = command({
  name: "deliveries",
  summary: "List the deliveries of a webhook, newest first.",
  args: { webhook },
  options: { limit: positive("maximum number of deliveries to list, by default 50") },
  examples: [`wharf webhooks deliveries ${id} --limit 5`],
  scopes: "integrations:read",
  json: '`{"items": […]}`, each item as the API returned it',
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
  commands: [list, create, deliveries, replay, listen],
});
