import { unwrapBody } from "../../../client/client.ts";
import type { Webhook } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { provider: string | undefined };

/** Runs `wharf webhooks list`. */
export const listWebhooks = async ({ provider, ...input }: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/webhooks", { params: { path: { tenant } } }),
  );
  const wanted = items.filter((webhook) => !provider || webhook.provider === provider);
  printList(io, input, { items: wanted, none: "No webhooks found.", heading, toRow });
};

const heading = ["ID", "PROVIDER", "STATUS", "CREATED", "URL"];

const toRow = (webhook: Webhook): string[] => [
  webhook.id,
  webhook.provider,
  webhook.status,
  showTime(webhook.createdAt),
  webhook.webhookUrl,
];
