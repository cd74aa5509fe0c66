import type { ConnectorItem } from "../../chat/connector/items.ts";
import { openParameters } from "../../chat/connector/secrets.ts";
import { getConnector } from "../../chat/connector/store.ts";
import { queueMessages } from "../../chat/conversation/queue-messages.ts";
import { findChatProvider } from "../../chat/providers/index.ts";
import type { ChatProvider } from "../../chat/providers/provider.ts";
import { isUuid } from "../../platform/http/ids.ts";
import { noCheckByGet, unknownAddress, validationFailed } from "../../platform/http/problems.ts";
import { nthUuid } from "../../platform/runtime/runtime.ts";
import { parsePayload } from "../providers/parse-payload.ts";
import type { Accepted, Arrival, InboundDeps } from "./arrival.ts";
import { requireSignature } from "./require-signature.ts";

/** The secrets of a connector, opened; null where one is not set or not needed. */
type Secrets = ReturnType<ChatProvider["secretsOf"]>;
type Addressed = { provider: ChatProvider; connector: ConnectorItem };

/**
 * Receives a chat provider's request: the messages are on the queue before the response; a check of the address
 * gets the provider's own response. The body is parsed only after the sender was verified. Throws 401 and 404, and
 * 400 for a generic message that does not fit.
 */
export const acceptMessage = async (deps: InboundDeps, arrival: Arrival): Promise<Accepted> => {
  const { request, runtime, tenant } = arrival;
  const { provider, connector } = await findAddressed(deps, arrival);
  const { webhook } = provider;
  const secrets = await verifySender(deps, arrival, { provider, connector });
  const payload = parsePayload(request.headers.get("content-type")?.[0], request.body);
  const handshake = webhook.handshake?.(request, payload, secrets.handshake);
  if (handshake) return { answer: handshake.answer };
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
  return { answer: webhook.acknowledge?.(request, payload) ?? { status: 204 } };
};

const findAddressed = async (
  { db }: InboundDeps,
  { provider: providerId, id, tenant }: Arrival,
): Promise<Addressed> => {
  const provider = findChatProvider(providerId);
  if (!provider || !isUuid(id)) throw unknownAddress("connector", id);
  const connector = await getConnector(db, tenant.id, id.toLowerCase());
  if (connector?.provider !== provider.id || !connector.active)
    throw unknownAddress("connector", id);
  return { provider, connector };
};

/** Verifies the provider's signature over the raw bytes, where there is one, before anything reads them. */
const verifySender = async (
  { sealer }: InboundDeps,
  { request, runtime, tenant }: Arrival,
  { provider, connector }: Addressed,
): Promise<Secrets> => {
  const { signing, handshake } = provider.webhook;
  const isSigned = signing.isSigned(request);
  const secrets = provider.secretsOf(
    isSigned || handshake ? await openParameters(sealer, tenant.id, connector) : {},
  );
  if (isSigned && secrets.signing !== null) {
    requireSignature(signing, request, { secret: secrets.signing, now: runtime.clock() });
  }
  return secrets;
};
