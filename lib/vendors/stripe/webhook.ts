import { isFresh, readUnixSeconds } from "../../platform/signatures/freshness.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, maxSignatures, sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { checkCopied, copiedSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "stripe-signature";

/** Returns the values of a name in `t=1,v1=a,v1=b`. */
const readValues = (header: string, name: string): readonly string[] =>
  header
    .split(",")
    .filter((part) => part.startsWith(`${name}=`))
    .slice(0, maxSignatures)
    .map((part) => part.slice(name.length + 1));

/**
 * Stripe: https://docs.stripe.com/webhooks. The secret is used as text, including `whsec_`. Only v1 signatures are
 * accepted; v0 is a test scheme without security.
 */
export const webhook: WebhookProvider = {
  id: "stripe",
  displayName: "Stripe",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    generate: (randomBytes) => `whsec_${copiedSecret.generate(randomBytes)}`,
    checkSecret: (secret) =>
      /^[srp]k_/.test(secret)
        ? "must be the endpoint's signing secret, which starts with whsec_, not an API key"
        : checkCopied(secret),
    isSigned: (request) => hasHeader(request, signatureHeader),
    verify: (request, secret, now) => {
      const header = getSingleHeader(request, signatureHeader) ?? "";
      const [timestamp, another] = readValues(header, "t");
      if (timestamp === undefined || another !== undefined) return false;
      if (!isFresh(readUnixSeconds(timestamp), now)) return false;
      const expected = hmacHex(secret, `${timestamp}.`, request.body);
      return readValues(header, "v1").some((signature) => sameText(signature, expected));
    },
  },
  describe: (_request, payload) => ({
    eventType: toEventType(getText(payload, "type")),
    deliveryId: toDeliveryId(getText(payload, "id")),
  }),
  secretHeaders: [signatureHeader],
};
