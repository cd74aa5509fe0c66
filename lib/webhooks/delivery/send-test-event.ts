import type { Arrival, InboundDeps } from "../../edge/inbound-endpoint.ts";
import { conflict, validationFailed } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { findWebhookProvider } from "../../vendors/registry/find-webhook-provider.ts";
import { samples } from "../../vendors/registry/samples.ts";
import { parsePayload } from "../../vendors/shared/webhook/parse-payload.ts";
import type { SampleRequest, WebhookSample } from "../../vendors/webhook-sample.ts";
import { authorizeSubscribers } from "../webhook/authorize-subscribers.ts";
import { requireWebhook } from "../webhook/require-webhook.ts";
import type { SendTestEventBody, TestEvent } from "../webhook/schemas.ts";
import { listSubscriptions } from "../webhook/store.ts";
import { queueDelivery } from "./queue-delivery.ts";

/** The header that marks a delivery as a test. */
const testHeader = "wharf-test";

/**
 * Queues a sample event of a webhook's provider as a delivery, without a signature. Throws 403 for a caller who may not run
 * the agents of its subscribers, 404 for an unknown webhook, 400 for an event type without a sample, and 409 while the
 * webhook is disabled.
 */
export const sendTestEvent = async (
  deps: Pick<InboundDeps, "db" | "objects" | "send">,
  {
    ctx,
    webhookId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
    webhookId: string;
    body: SendTestEventBody;
  },
): Promise<TestEvent> => {
  const { db } = deps;
  const { tenant } = ctx;
  const [webhook, subscriptions] = await Promise.all([
    requireWebhook(db, tenant.id, webhookId),
    listSubscriptions(db, tenant.id, webhookId),
  ]);
  await authorizeSubscribers(db, ctx, subscriptions);
  if (webhook.status === "DISABLED") {
    throw conflict(`The webhook "${webhookId}" is disabled. Set its status to ACTIVE first.`);
  }
  const provider = findWebhookProvider(webhook.provider);
  const sample = findSample(webhook.provider);
  if (!provider || !sample) throw conflict(`"${webhook.provider}" has no sample events.`);
  const [eventType, create] = chooseEvent(sample, body.eventType);
  const request = toRequest(create(ctx.clock()));
  const payload = parsePayload(request.headers.get("content-type")?.[0], request.body);
  const arrival = { request, runtime: ctx, tenant };
  const received = { arrival, provider, webhook, payload, isVerified: false };
  return { deliveryId: await queueDelivery(deps, received), eventType };
};

const findSample = (provider: string): WebhookSample | undefined =>
  Object.entries(samples).find(([name]) => name === provider)?.[1];

/** Returns the sample of an event type, or the most common one. */
const chooseEvent = (
  { events }: WebhookSample,
  eventType: string | undefined,
): [string, (now: number) => SampleRequest] => {
  const all = Object.entries(events);
  const chosen = all.find(([name]) => eventType === undefined || name === eventType);
  if (chosen) return chosen;
  const detail = `has no sample; there are: ${all.map(([name]) => name).join(", ")}`;
  throw validationFailed([{ pointer: "/eventType", detail }]);
};

const toRequest = ({ headers, body }: SampleRequest): Arrival["request"] => ({
  method: "POST",
  headers: new Map(
    Object.entries({ ...headers, [testHeader]: "true" }).map(([name, value]) => [name, [value]]),
  ),
  query: {},
  body: Buffer.from(body),
});
