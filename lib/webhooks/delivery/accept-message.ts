import { queuePress } from "../../chat/approval/queue-press.ts";
import type { ConnectorItem } from "../../chat/connector/items.ts";
import { openParameters } from "../../chat/connector/secrets.ts";
import { getConnector } from "../../chat/connector/store.ts";
import { queueMessages } from "../../chat/conversation/queue-messages.ts";
import { putThumb } from "../../chat/feedback/put-thumb.ts";
import type { AcceptedDelivery, Arrival, InboundDeps } from "../../edge/inbound-endpoint.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import {
  type BotTokenVerifier,
  noBotToken,
  type TokenClaims,
} from "../../platform/auth/bot-token.ts";
import { isUuid } from "../../platform/http/ids.ts";
import {
  noCheckByGet,
  unknownAddress,
  validationFailed,
  verificationFailed,
} from "../../platform/http/problems.ts";
import { nthUuid } from "../../platform/runtime/runtime.ts";
import { readTraceContext } from "../../platform/tracing/trace-context.ts";
import type { ChatProvider } from "../../vendors/chat-provider.ts";
import { findChatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { readThumb } from "../../vendors/shared/chat/thumbs.ts";
import { parsePayload } from "../../vendors/shared/webhook/parse-payload.ts";
import { notSigned, requireSignature } from "./require-signature.ts";

/** Dependencies of receiving chat messages. */
export type MessageDeps = InboundDeps & {
  files: Pick<FileStorage, "objects">;
  verifyBotToken: BotTokenVerifier;
};

type Addressed = { provider: ChatProvider; connector: ConnectorItem };
/** The secret for URL verification, if any, and the claims of the sender's token. */
type Sender = { handshakeSecret: string | null; claims?: TokenClaims };

/**
 * Receives a chat provider's request: queues its messages before responding, or responds to a URL verification.
 * Parses the body only after the sender is verified. Throws 401, 403, 404, 503, and 400 for an invalid generic message.
 */
export const acceptMessage = async (
  deps: MessageDeps,
  arrival: Arrival,
): Promise<AcceptedDelivery> => {
  const { request, runtime, tenant } = arrival;
  const { provider, connector } = await findAddressed(deps, arrival);
  const { webhook, senderToken } = provider;
  const { handshakeSecret, claims } = await verifySender(deps, arrival, { provider, connector });
  const payload = parsePayload(request.headers.get("content-type")?.[0], request.body);
  if (claims && senderToken?.covers(claims, payload) !== true) throw noBotToken();
  const handshake = webhook.handshake?.(request, payload, handshakeSecret);
  if (handshake) {
    if ("refused" in handshake) throw verificationFailed(handshake.refused);
    return { response: handshake.response };
  }
  if (request.method === "GET") throw noCheckByGet(provider.displayName);
  const problems = provider.findProblems?.(payload) ?? [];
  if (problems.length > 0) throw validationFailed(problems);
  const receivedAt = runtime.clock();
  const press = provider.buttons?.readPress(payload);
  const thumb = press && readThumb(press);
  if (thumb) await putThumb(deps.db, { tenantId: tenant.id, connector }, thumb, receivedAt);
  await queuePress(deps.send, { tenant, connectorId: connector.id, press });
  await queueMessages(deps, {
    tenant,
    connectorId: connector.id,
    messages: provider.readMessages(payload),
    receivedAt,
    traceContext: readTraceContext(request.headers),
    messageIdFor: (at) => nthUuid(receivedAt, at, runtime.randomBytes),
  });
  return { response: webhook.acknowledge?.(request, payload) ?? { status: 204 } };
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

/**
 * Verifies the provider's token, or its signature over the raw bytes if the connector has a signing secret. A GET
 * carries no message and is checked by the provider's handshake.
 */
const verifySender = async (
  { sealer, verifyBotToken }: MessageDeps,
  { request, runtime, tenant }: Arrival,
  { provider, connector }: Addressed,
): Promise<Sender> => {
  const isMessage = request.method === "POST";
  const now = runtime.clock();
  if (provider.senderToken) {
    if (!isMessage) return { handshakeSecret: null };
    const { channel, getAudience } = provider.senderToken;
    const expected = { audience: getAudience(connector.parameters), channel, now };
    return { handshakeSecret: null, claims: await verifyBotToken(request, expected) };
  }
  const secrets = provider.selectSecrets(await openParameters(sealer, tenant.id, connector));
  const { signing } = provider.webhook;
  if (isMessage && signing && secrets.signing !== null) {
    if (!signing.isSigned(request)) throw notSigned();
    requireSignature(signing, request, { secret: secrets.signing, now });
  }
  return { handshakeSecret: secrets.handshake };
};
