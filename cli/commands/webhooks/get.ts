import { unwrapBody } from "../../../client/client.ts";
import type { WebhookSubscription } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, printTable, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { webhook: string };

/** Runs `wharf webhooks get`. */
export const getWebhook = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const params = { path: { tenant, webhook: input.webhook } };
  const webhook = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/webhooks/{webhook}", { params }),
  );
  const subscriptions = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions", { params }),
  );
  if (input.json) return printJson(io, { ...webhook, subscriptions });
  const { status, statusReason, externalContext, filter } = webhook;
  printFields(io, [
    ["ID", webhook.id],
    ["Provider", webhook.provider],
    ["URL", webhook.webhookUrl],
    ["Status", statusReason === null ? status : `${status}: ${statusReason}`],
    ["Authentication", webhook.authMode],
    ...(externalContext === null ? [] : [["External context", externalContext] as const]),
    ...(filter === null ? [] : [["Provider filter", filter] as const]),
    ["Created", showTime(webhook.createdAt)],
    ["Subscriptions", String(subscriptions.length)],
  ]);
  if (subscriptions.length === 0) return;
  io.stdout.write("\n");
  printTable(io, heading, subscriptions.map(toRow));
};

const heading = ["SUBSCRIPTION", "SUBSCRIBER", "EVENT TYPES", "FILTER", "INPUT"];

const toRow = (subscription: WebhookSubscription): string[] => [
  subscription.id,
  `${subscription.subscriberType} ${subscription.subscriberId}`,
  subscription.eventTypes?.join(", ") ?? "all",
  subscription.filter ?? "none",
  subscription.input === null ? "none" : JSON.stringify(subscription.input),
];
