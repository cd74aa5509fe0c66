import {
  authenticateKey,
  countRefusals,
  countWebhookDelivery,
  type KeyAuthDeps,
} from "../auth/authenticate.ts";
import type { RateLimit } from "../auth/rate-limit.ts";
import type { Database } from "../db/database.ts";
import { type ObjectStore, packValue } from "../db/large-value.ts";
import type { Sealer } from "../db/seal.ts";
import { deliveriesPrefix } from "../db/table.ts";
import { isUuid } from "../http/ids.ts";
import { insufficientScope, notFound, unauthenticated } from "../http/problems.ts";
import type { DispatchDeliveryMessage } from "../queue/messages.ts";
import type { Send } from "../queue/send.ts";
import { newUuid, type Runtime } from "../runtime/runtime.ts";
import { findTenantOwner, type TenantOwner } from "../tenant/store.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { getWebhook, learnSecret, openSecret } from "../webhook/store.ts";
import { parsePayload } from "../webhooks/parse-payload.ts";
import { findWebhookProvider } from "../webhooks/providers/index.ts";
import { safeHeaders } from "../webhooks/safe-headers.ts";
import type {
  InboundAnswer,
  InboundRequest,
  WebhookProvider,
} from "../webhooks/webhook-provider.ts";
import { toQueued } from "./queued-value.ts";

/** What accepting deliveries needs. */
export type InboundDeps = KeyAuthDeps & {
  objects: ObjectStore;
  sealer: Sealer;
  send: Send;
};

/** A request to an inbound address, and where it came. */
export type Arrival = {
  tenant: string;
  provider: string;
  webhookId: string;
  /** The key in the path; undefined for the signed address. */
  key: string | undefined;
  request: InboundRequest;
  /** The caller's address. */
  address: string;
  runtime: Runtime;
  reportRateLimit: (rateLimit: RateLimit) => void;
};

/** A list of deliveries reads their items whole: what is larger, compressed, goes to the bucket. */
const mostInline = 16_000;

/**
 * Takes in what a provider sends: a delivery is on the queue before it is answered; a check of the address
 * is answered as the provider wants. Throws 401, 403 and 404 as other routes do, the key in the path being
 * the credentials, or else the provider's own signature.
 */
export const acceptDelivery = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<InboundAnswer> => {
  const { request, key } = arrival;
  const { provider, tenant, webhook } = await findAddressed(deps, arrival);
  const payload = parsePayload(request.headers.get("content-type")?.[0], request.body);
  const isSigned = provider.signing.isSigned(request);
  const needsSecret = isSigned || provider.handshake !== undefined;
  const secret = needsSecret ? await openSecret(deps.sealer, tenant.id, webhook) : null;
  if (isSigned && secret !== null) await checkSignature(deps, arrival, provider, secret);
  const handshake = provider.handshake?.(request, payload, secret);
  if (handshake) {
    if (handshake.learns) {
      if (key === undefined) await refuse(deps, arrival);
      const learning = { before: webhook, ...handshake.learns };
      await learnSecret(deps.db, deps.sealer, tenant.id, learning);
    }
    return handshake.answer;
  }
  if (request.method === "GET") throw notFound("webhook", arrival.webhookId);
  if (key === undefined) {
    if (!isSigned || secret === null) await refuse(deps, arrival);
    await countWebhookDelivery(deps, webhook.id, attemptOf(arrival), arrival.reportRateLimit);
  }
  await queueDelivery(deps, arrival, { provider, tenant, webhook, payload });
  return provider.acknowledge?.(request, payload) ?? { status: 204 };
};

const attemptOf = ({ address, runtime }: Arrival) => ({ address, now: runtime.clock() });

const findAddressed = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<{ provider: WebhookProvider; tenant: TenantOwner; webhook: WebhookItem }> => {
  const provider = findWebhookProvider(arrival.provider);
  const unknown = notFound("webhook", arrival.webhookId);
  if (!provider || !isUuid(arrival.webhookId)) throw unknown;
  const principal =
    arrival.key === undefined || arrival.request.method === "GET"
      ? undefined
      : await authenticateKey(deps, arrival.key, attemptOf(arrival), arrival.reportRateLimit);
  const tenant = await ownerOf(deps.db, arrival.tenant);
  if (!tenant) throw unknown;
  if (principal && principal.organizationId !== tenant.organizationId) throw unknown;
  if (principal && !principal.scopes.includes("inbound:deliver")) {
    throw insufficientScope("inbound:deliver");
  }
  const webhook = await getWebhook(deps.db, tenant.id, arrival.webhookId);
  if (!webhook || webhook.provider !== provider.id || webhook.status === "DISABLED") throw unknown;
  return { provider, tenant, webhook };
};

const owners = new Map<string, TenantOwner>();
const mostOwners = 1_000;

/** Whose tenant it is never changes, so what was found is kept in the instance. */
const ownerOf = async (db: Database, idOrSlug: string): Promise<TenantOwner | undefined> => {
  const known = owners.get(idOrSlug) ?? (await findTenantOwner(db, idOrSlug));
  if (!known) return undefined;
  if (owners.size >= mostOwners) owners.clear();
  owners.set(idOrSlug, known);
  return known;
};

const checkSignature = async (
  deps: InboundDeps,
  arrival: Arrival,
  { signing }: WebhookProvider,
  secret: string,
): Promise<void> => {
  const isRight = await signing.verify(arrival.request, secret, arrival.runtime.clock());
  if (!isRight) await refuse(deps, arrival);
};

const refuse = (deps: InboundDeps, arrival: Arrival): Promise<never> =>
  countRefusals(deps, attemptOf(arrival), arrival.reportRateLimit, async () => {
    throw unauthenticated("The signature of the delivery is missing, wrong or too old.");
  });

const queueDelivery = async (
  { objects, send }: InboundDeps,
  { request, runtime }: Arrival,
  {
    provider,
    tenant,
    webhook,
    payload,
  }: { provider: WebhookProvider; tenant: TenantOwner; webhook: WebhookItem; payload: unknown },
): Promise<void> => {
  const id = newUuid(runtime);
  const objectKey = `${deliveriesPrefix}/${tenant.id}/${webhook.id}/${id}`;
  const packed = await packValue(payload, objectKey, objects, mostInline);
  const message: DispatchDeliveryMessage = {
    type: "dispatch-delivery",
    tenantId: tenant.id,
    webhookId: webhook.id,
    id,
    content: {
      provider: provider.id,
      ...provider.describe(request, payload),
      receivedAt: runtime.clock(),
      size: request.body.byteLength,
      headers: safeHeaders(request.headers, provider.secretHeaders),
      payload: toQueued(packed),
    },
  };
  await send("deliveries", tenant.id, message);
};
