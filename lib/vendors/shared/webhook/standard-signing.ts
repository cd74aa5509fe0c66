import type { InboundRequest } from "../../../platform/http/inbound.ts";
import {
  isStandardSigned,
  readStandardKey,
  verifyStandard,
} from "../../../platform/signatures/standard.ts";
import type { Signing } from "../../webhook-provider.ts";

/** Prefix of the headers of a request. */
export const detectPrefix = (request: InboundRequest): "webhook" | "svix" =>
  isStandardSigned(request, "webhook") ? "webhook" : "svix";

/** Signs as Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks). */
export const standardSigning: Signing = {
  issuedBy: "wharf",
  generate: (randomBytes) => `whsec_${Buffer.from(randomBytes(24)).toString("base64")}`,
  checkSecret: (secret) =>
    readStandardKey(secret)
      ? undefined
      : "must be whsec_ and the base64 of 24 to 64 bytes, or whpk_ and the base64 of a public key",
  isSigned: (request) => isStandardSigned(request, detectPrefix(request)),
  verify: (request, secret, now) => {
    const key = readStandardKey(secret);
    return key !== undefined && verifyStandard(request, detectPrefix(request), key, now);
  },
};
