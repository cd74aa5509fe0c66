import { randomBytes } from "node:crypto";
import type { InboundRequest } from "../../lib/platform/http/inbound.ts";
import { findWebhookProvider } from "../../lib/vendors/registry/find-webhook-provider.ts";
import { findWebhookSample } from "../../lib/vendors/registry/find-webhook-sample.ts";
import { webhookProviderIds } from "../../lib/vendors/registry/ids.ts";
import { parsePayload } from "../../lib/vendors/shared/webhook/parse-payload.ts";
import type { WebhookProvider } from "../../lib/vendors/webhook-provider.ts";
import type { SampleRequest, WebhookSample } from "../../lib/vendors/webhook-sample.ts";

/** The current time in tests of webhooks, Unix milliseconds. */
export const webhookNow = Date.UTC(2026, 10, 20, 12);

/** Returns a provider and its samples; throws for an unknown id. */
export const providerAndSample = (
  id: string,
): { provider: WebhookProvider; sample: WebhookSample } => {
  const provider = findWebhookProvider(id);
  const sample = findWebhookSample(id);
  if (!provider || !sample) throw new Error(`no provider ${id}`);
  return { provider, sample };
};

/** Every provider with its samples. */
export const everyProvider = webhookProviderIds.map((id) => ({ id, ...providerAndSample(id) }));

/** Converts a sample to the request that the function receives; `GET` has no body. */
export const toInbound = (
  { headers, body }: SampleRequest,
  { method = "POST", query = {} }: Partial<Pick<InboundRequest, "method" | "query">> = {},
): InboundRequest => ({
  method,
  headers: new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]])),
  query,
  body: typeof body === "string" ? Buffer.from(body) : body,
});

/** Creates a provider's key and the webhook's secret for it. */
export const createKey = (sample: WebhookSample): { key: string; secret: string } => {
  const key = sample.newKey(randomBytes);
  return { key, secret: sample.toSigningSecret?.(key) ?? key };
};

/** Returns the request with one header replaced, repeated or removed. */
export const withHeader = (
  request: InboundRequest,
  name: string,
  values: readonly string[],
): InboundRequest => {
  const headers = new Map(request.headers);
  if (values.length === 0) headers.delete(name);
  else headers.set(name, values);
  return { ...request, headers };
};

/** Parses the body of a request as the function does. */
export const readPayload = (request: InboundRequest): unknown =>
  parsePayload(request.headers.get("content-type")?.[0], request.body);

/** Returns the response to a provider's URL verification. */
export const greet = (id: string, request: InboundRequest, secret: string | null) =>
  providerAndSample(id).provider.handshake?.(request, readPayload(request), secret);

/** Returns the response to a provider's delivery. */
export const acknowledge = (id: string, sent: SampleRequest) => {
  const request = toInbound(sent);
  const { provider } = providerAndSample(id);
  return provider.acknowledge?.(request, readPayload(request)) ?? { status: 204 };
};

/** Returns the event type and id of a provider's delivery. */
export const describeDelivery = (id: string, sent: SampleRequest) => {
  const request = toInbound(sent);
  return providerAndSample(id).provider.describe(request, readPayload(request));
};
