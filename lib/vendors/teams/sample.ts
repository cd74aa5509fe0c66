import { randomUUID } from "node:crypto";
import { hmacBase64 } from "../../platform/signatures/signatures.ts";
import { jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

const state = "the subscription's clientState";

/** Samples of Microsoft Graph, with the secret as `clientState`, and of a signed outgoing webhook. */
export const sample: WebhookSample = {
  signature: { header: "authorization" },
  events: {
    created: () =>
      jsonRequest({
        value: [
          {
            id: randomUUID(),
            subscriptionId: "0fc0d6db-0073-42e5-a186-853da75fb308",
            changeType: "created",
            clientState: state,
            resource: "teams('1')/channels('2')/messages('3')",
            resourceData: { id: "3", "@odata.type": "#Microsoft.Graph.chatMessage" },
          },
        ],
      }),
    message: (now) =>
      jsonRequest({
        type: "message",
        id: randomUUID(),
        timestamp: new Date(now).toISOString(),
        text: "<at>wharf</at> hello",
        from: { name: "Ada" },
      }),
  },
  newKey: (randomBytes) => Buffer.from(randomBytes(32)).toString("base64"),
  sign: (request, key) => {
    const text = Buffer.from(request.body).toString("utf8");
    if (text.includes(state)) return { ...request, body: text.replaceAll(state, key) };
    const signature = hmacBase64(Buffer.from(key, "base64"), request.body);
    return withHeaders(request, { authorization: `HMAC ${signature}` });
  },
};
