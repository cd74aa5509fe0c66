import * as z from "zod";
import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacBase64, hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { hexSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "x-hub-signature";
const maxAheadSeconds = 60;

const Claims = z.object({ exp: z.number(), iat: z.number().optional() });

/** Returns the header, claims and signature of an app's token in base64url. */
const parseBearerToken = (request: InboundRequest): string[] | undefined => {
  const bearer = /^(?:Bearer|JWT) ([\w-]+)\.([\w-]+)\.([\w-]+)$/i;
  return bearer.exec(getSingleHeader(request, "authorization") ?? "")?.slice(1);
};

/** Verifies a token by RFC 7519; always as HS256, whatever algorithm its header names. */
const isTokenRight = (
  [head = "", claims = "", signature = ""]: string[],
  secret: string,
  now: number,
) => {
  const expected = hmacBase64(secret, `${head}.${claims}`);
  if (!sameText(signature, toBase64Url(expected))) return false;
  const { success, data } = Claims.safeParse(readJson(claims));
  const seconds = now / 1_000;
  return success && data.exp > seconds && (data.iat ?? 0) < seconds + maxAheadSeconds;
};

const toBase64Url = (base64: string) => Buffer.from(base64, "base64").toString("base64url");

const readJson = (base64url: string): unknown => {
  try {
    return JSON.parse(Buffer.from(base64url, "base64url").toString());
  } catch {
    return undefined;
  }
};

/**
 * Jira: https://developer.atlassian.com/cloud/jira/platform/webhooks. A webhook with a secret signs its body with
 * SHA-256; one registered by an app sends a token signed with the app's client secret.
 */
export const webhook: WebhookProvider = {
  id: "jira",
  displayName: "Jira",
  authMode: "HMAC",
  registration: { needsContext: true },
  signing: {
    ...hexSecret,
    isSigned: (request) =>
      hasHeader(request, signatureHeader) || parseBearerToken(request) !== undefined,
    verify: (request, secret, now) => {
      if (hasHeader(request, signatureHeader)) {
        const expected = `sha256=${hmacHex(secret, request.body)}`;
        return sameText(getSingleHeader(request, signatureHeader), expected);
      }
      const token = parseBearerToken(request);
      return token !== undefined && isTokenRight(token, secret, now);
    },
  },
  signedIdentity: "body",
  describe: (request, payload) => ({
    eventType: toEventType(getText(payload, "webhookEvent")),
    deliveryId: toDeliveryId(getSingleHeader(request, "x-atlassian-webhook-identifier")),
  }),
  secretHeaders: [signatureHeader],
};
