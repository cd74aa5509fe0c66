import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacBase64, readBase64, sameText } from "../../platform/signatures/signatures.ts";
import { echoToken, jsonResponse } from "../shared/webhook/echo.ts";
import { parsePayload } from "../shared/webhook/parse-payload.ts";
import {
  getList,
  getText,
  hashedId,
  toDeliveryId,
  toEventType,
} from "../shared/webhook/payload-members.ts";
import { checkCopied } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const maxClientStateLength = 128;

/** Returns the `Authorization: HMAC` signature of an outgoing webhook; undefined for a change notification. */
const outgoingSignature = (request: InboundRequest): string | undefined => {
  const value = getSingleHeader(request, "authorization");
  return value?.startsWith("HMAC ") ? value.slice(5) : undefined;
};

const listClientStates = ({ body }: InboundRequest): readonly (string | undefined)[] =>
  getList(parsePayload("application/json", body), "value").map((item) =>
    getText(item, "clientState"),
  );

/**
 * Returns an id of a change. Undefined for a change without an id or version, which cannot be distinguished from another one
 * of the same resource.
 */
const toChangeId = (item: unknown): string | undefined => {
  const id = getText(item, "id");
  if (id !== undefined) return id;
  const version = getText(item, "resourceData", "@odata.etag");
  const changeType = getText(item, "changeType");
  if (version === undefined && changeType !== "created" && changeType !== "deleted") {
    return undefined;
  }
  const resource = getText(item, "resourceData", "id") ?? getText(item, "resource");
  return JSON.stringify([getText(item, "subscriptionId"), changeType, resource, version]);
};

const idOfChanges = (items: readonly unknown[]): string | null => {
  const changes = items.flatMap((item) => toChangeId(item) ?? []);
  if (changes.length === 0 || changes.length < items.length) return null;
  return hashedId(...changes.toSorted());
};

const typeOfChange = (item: unknown): string | undefined =>
  getText(item, "lifecycleEvent") ?? getText(item, "changeType");

/** Returns the type of a batch's changes; undefined if they differ. */
const commonType = (items: readonly unknown[]): string | undefined => {
  const [type, ...others] = new Set(items.map(typeOfChange));
  return others.length === 0 ? type : undefined;
};

/**
 * Microsoft Graph change notifications, which contain the subscription's `clientState`
 * (https://learn.microsoft.com/graph/change-notifications-delivery-webhooks), and Teams outgoing webhooks, which
 * sign the body.
 */
export const webhook: WebhookProvider = {
  id: "teams",
  displayName: "Microsoft Teams and Graph",
  authMode: "HMAC",
  signing: {
    issuedBy: "wharf",
    generate: (randomBytes) => Buffer.from(randomBytes(32)).toString("base64"),
    checkSecret: (secret) =>
      secret.length > maxClientStateLength
        ? `must have at most ${maxClientStateLength} characters`
        : checkCopied(secret),
    isSigned: (request) =>
      outgoingSignature(request) !== undefined ||
      listClientStates(request).some((state) => state !== undefined),
    verify: (request, secret) => {
      const signature = outgoingSignature(request);
      if (signature !== undefined) {
        const key = readBase64(secret);
        return key !== undefined && sameText(signature, hmacBase64(key, request.body));
      }
      const states = listClientStates(request);
      return states.length > 0 && states.every((state) => sameText(state, secret));
    },
  },
  handshake: ({ method, query }) => {
    const token = query.validationToken;
    return method === "POST" && token ? { response: echoToken(token) } : undefined;
  },
  describe: (_request, payload) => {
    const items = getList(payload, "value");
    return items.length > 0
      ? { eventType: toEventType(commonType(items)), deliveryId: idOfChanges(items) }
      : {
          eventType: toEventType(getText(payload, "type")),
          deliveryId: toDeliveryId(getText(payload, "id")),
        };
  },
  acknowledge: (request) =>
    outgoingSignature(request) === undefined
      ? { status: 204 }
      : jsonResponse({ type: "message", text: "Received." }),
  secretHeaders: ["authorization"],
};
