import { callApi } from "../../platform/outgoing/call-api.ts";
import { hmacBase64 } from "../../platform/signatures/signatures.ts";
import { readStandardKey } from "../../platform/signatures/standard.ts";
import type { ChatCall, ChatProvider } from "../chat-provider.ts";
import { readGenericMessage } from "../shared/chat/generic-message.ts";
import { address, need, secret, sourcesSetting } from "../shared/chat/parameters.ts";
import { standardSigning } from "../shared/webhook/standard-signing.ts";

/**
 * Builds the headers of a reply, signed where there is a secret
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
const buildHeaders = (
  { parameters, now }: ChatCall,
  replyId: string,
  body: string,
): Record<string, string> => {
  const key = readStandardKey(parameters.signingSecret ?? "");
  if (key?.version !== "v1") return { "webhook-id": replyId };
  const timestamp = String(Math.floor(now / 1_000));
  return {
    "webhook-id": replyId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmacBase64(key.bytes, `${replyId}.${timestamp}.`, body)}`,
  };
};

const post = async (call: ChatCall, replyId: string, content: object): Promise<void> => {
  const body = JSON.stringify(content);
  await callApi(call.fetch, {
    provider: "The receiver of replies",
    method: "POST",
    url: need(call.parameters, "replyUrl"),
    headers: buildHeaders(call, replyId, body),
    body: content,
  });
};

/** Any sender: posts messages and receives replies at its own URL. */
export const chat: ChatProvider = {
  id: "generic",
  displayName: "Any chat",
  parameters: [
    address("replyUrl", { isRequired: true, mayHaveQuery: true }),
    secret("signingSecret", {
      isRequired: false,
      check: (value) =>
        readStandardKey(value)?.version === "v1" && value.startsWith("whsec_")
          ? undefined
          : "must be whsec_ followed by the base64 of 24 to 64 bytes",
    }),
    sourcesSetting,
  ],
  webhook: { signing: standardSigning },
  selectSecrets: ({ signingSecret = null }) => ({ signing: signingSecret, handshake: null }),
  readMessages: (payload) => {
    const read = readGenericMessage(payload);
    return "message" in read ? [read.message] : [];
  },
  findProblems: (payload) => {
    const read = readGenericMessage(payload);
    return "problems" in read ? read.problems : [];
  },
  buildReplyTo: () => ({}),
  textLimit: () => ({ longest: Number.POSITIVE_INFINITY }),
  reply: (call, { message, text, id: replyId, sources }) =>
    post(call, replyId, {
      connectorId: call.connectorId,
      conversationId: message.conversation.id,
      inReplyTo: message.id,
      text,
      ...(sources && { sources: sources.items }),
    }),
  postText: (call, { conversationId, text, id }) =>
    post(call, id, { connectorId: call.connectorId, conversationId, inReplyTo: null, text }),
  test: (call) =>
    post(call, `test_${call.now}`, {
      connectorId: call.connectorId,
      conversationId: null,
      inReplyTo: null,
      text: "This is a test of the connector.",
    }),
};
