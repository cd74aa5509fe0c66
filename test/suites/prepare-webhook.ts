import { createHmac } from "node:crypto";
import { expect, vi } from "vitest";
import * as z from "zod";
import { getDelivery, replayDelivery } from "../../functions/webhooks/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import { call, type newOrganization } from "../harness/api.ts";

const Created = z.looseObject({ id: z.string() });
const secret = "the-secret-of-the-sample";
const Deliveries = z.looseObject({ items: z.array(Created) });

/** Creates a webhook with a subscription of the agent `hello`, and a delivery for the rows that read or replay it. */
export const prepareWebhook = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (row.group !== "webhooks") return {};
  const created = await own.send("POST", "/webhooks", { provider: "generic" });
  const { id: webhook } = Created.parse(created.body);
  const subscriber = { subscriberType: "Agent", subscriberId: "hello" };
  const subscribed = await own.send("POST", `/webhooks/${webhook}/subscriptions`, subscriber);
  const { id: subscription } = Created.parse(subscribed.body);
  const isOfDelivery = [getDelivery, replayDelivery].some((other) => other.path === row.path);
  if (!isOfDelivery) return { webhook, subscription };
  const key = await own.mintKey(["inbound:deliver"]);
  await call("POST", `${own.base}/webhooks/generic/${webhook}/${key}`, { body: {} });
  const deliveries = async () =>
    Deliveries.parse((await own.send("GET", `/webhooks/${webhook}/deliveries`)).body).items;
  return vi.waitFor(
    async () => {
      const [delivery] = await deliveries();
      expect(delivery).toBeDefined();
      return { webhook, delivery: delivery?.id ?? "" };
    },
    { timeout: 15_000 },
  );
};

/** The query and headers of an inbound sample request with an empty body. */
export type InboundSample = {
  params: Record<string, string>;
  headers?: Record<string, string>;
  query?: string;
};

/** Creates a webhook for a row that receives deliveries, and the credentials of its provider. */
export const prepareInbound = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<InboundSample> => {
  if (!row.inbound) return { params: {} };
  const provider = row.method === "GET" ? "meta" : "github";
  const created = await own.send("POST", "/webhooks", { provider, signingSecret: secret });
  const params = {
    webhookProvider: provider,
    webhookId: Created.parse(created.body).id,
    apiKeyAuth: await own.mintKey(["inbound:deliver"]),
  };
  if (row.method === "GET") {
    const query = `?hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${secret}`;
    return { params, query };
  }
  const signature = createHmac("sha256", secret).update("").digest("hex");
  return { params, headers: { "X-Hub-Signature-256": `sha256=${signature}` } };
};
