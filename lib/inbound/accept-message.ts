import type { ChatProvider } from "../chat/chat-provider.ts";
import { findChatProvider } from "../chat/providers/index.ts";
import { queueMessages } from "../chat/queue-messages.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { openParameters } from "../connector/secrets.ts";
import { getConnector } from "../connector/store.ts";
import { isUuid } from "../http/ids.ts";
import { noCheckByGet, notFound, validationFailed } from "../http/problems.ts";
import { nthUuid } from "../runtime/runtime.ts";
import type { TenantOwner } from "../tenant/store.ts";
import { parsePayload } from "../webhooks/parse-payload.ts";
import type { InboundAnswer } from "../webhooks/webhook-provider.ts";
import { type Arrival, admitArrival, checkSignature, type InboundDeps } from "./admit-arrival.ts";

/**
 * Takes in what a chat provider sends: what people said is on the queue before it is answered; a check of
 * the address is answered as the provider wants. Throws 401, 403 and 404 as other routes do, the key in the
 * path being the credentials, besides the provider's own signature where there is one; 400 for a generic
 * message that does not fit.
 */
export const acceptMessage = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<InboundAnswer> => {
  const { request, runtime } = arrival;
  const { provider, tenant, connector } = await findAddressed(deps, arrival);
  const { webhook } = provider;
  const payload = parsePayload(request.headers.get("content-type")?.[0], request.body);
  const isSigned = webhook.signing.isSigned(request);
  const needsSecrets = isSigned || webhook.handshake !== undefined;
  const secrets = provider.secretsOf(
    needsSecrets ? await openParameters(deps.sealer, tenant.id, connector) : {},
  );
  if (isSigned && secrets.signing !== null) {
    await checkSignature(deps, arrival, webhook.signing, secrets.signing);
  }
  const handshake = webhook.handshake?.(request, payload, secrets.handshake);
  if (handshake) return handshake.answer;
  if (request.method === "GET") throw noCheckByGet(provider.displayName);
  const problems = provider.findProblems?.(payload) ?? [];
  if (problems.length > 0) throw validationFailed(problems);
  const receivedAt = runtime.clock();
  await queueMessages(deps.send, {
    tenant,
    connectorId: connector.id,
    messages: provider.readMessages(payload),
    receivedAt,
    idOf: (at) => nthUuid(receivedAt, at, runtime.randomBytes),
  });
  return webhook.acknowledge?.(request, payload) ?? { status: 204 };
};

const findAddressed = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<{ provider: ChatProvider; tenant: TenantOwner; connector: ConnectorItem }> => {
  const provider = findChatProvider(arrival.provider);
  const unknown = notFound("connector", arrival.id);
  if (!provider || !isUuid(arrival.id)) throw unknown;
  const tenant = await admitArrival(deps, arrival, unknown);
  const connector = await getConnector(deps.db, tenant.id, arrival.id.toLowerCase());
  if (connector?.provider !== provider.id || !connector.active) throw unknown;
  return { provider, tenant, connector };
};
