import type { InboundRequest } from "../http/inbound.ts";
import { isFresh, readUnixSeconds } from "./freshness.ts";
import { getSingleHeader, hasHeader } from "./inbound-header.ts";
import { hmacBase64, isEd25519, maxSignatures, readBase64, sameText } from "./signatures.ts";

/** `webhook` of the specification, or `svix`, which Svix also sends. */
export type HeaderPrefix = "webhook" | "svix";

/** A secret of Standard Webhooks: a key of 24 to 64 bytes (v1), or the public key of a pair (v1a). */
export type StandardKey = { readonly version: "v1" | "v1a"; readonly bytes: Buffer };

/** Reads `whsec_…` or `whpk_…`; a text without either is the key's base64 alone. Undefined for another. */
export const readStandardKey = (secret: string): StandardKey | undefined => {
  if (secret.startsWith("whpk_")) {
    const bytes = readBase64(secret.slice(5));
    return bytes?.byteLength === 32 ? { version: "v1a", bytes } : undefined;
  }
  const bytes = readBase64(secret.startsWith("whsec_") ? secret.slice(6) : secret);
  if (!bytes || bytes.byteLength < 24 || bytes.byteLength > 64) return undefined;
  return { version: "v1", bytes };
};

/** Whether a request has a Standard Webhooks signature. */
export const isStandardSigned = (request: InboundRequest, prefix: HeaderPrefix): boolean =>
  hasHeader(request, `${prefix}-signature`);

/** A message to sign: its id without a full stop, its timestamp in Unix seconds, and its body. */
export type StandardMessage = {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string | Uint8Array;
};

/** Signs a message (version 1), for the space-separated list in `webhook-signature`. */
export const signStandard = (key: Uint8Array, { id, timestamp, body }: StandardMessage): string =>
  `v1,${hmacBase64(key, `${id}.${timestamp}.`, body)}`;

/**
 * Verifies a Standard Webhooks signature
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md); one of several is
 * enough. Rejects an id with a full stop, which would be ambiguous.
 */
export const verifyStandard = (
  request: InboundRequest,
  prefix: HeaderPrefix,
  { version, bytes }: StandardKey,
  now: number,
): boolean => {
  const id = getSingleHeader(request, `${prefix}-id`);
  const timestamp = getSingleHeader(request, `${prefix}-timestamp`);
  const signatures =
    getSingleHeader(request, `${prefix}-signature`)?.split(" ", maxSignatures) ?? [];
  if (id === undefined || !/^[^.\s]+$/.test(id)) return false;
  if (timestamp === undefined || !isFresh(readUnixSeconds(timestamp), now)) return false;
  if (version === "v1") {
    const expected = signStandard(bytes, { id, timestamp, body: request.body });
    return signatures.some((signature) => sameText(signature, expected));
  }
  const signed = [`${id}.${timestamp}.`, request.body] as const;
  return signatures
    .filter((signature) => signature.startsWith("v1a,"))
    .slice(0, maxAsymmetric)
    .some((signature) => isEd25519(bytes, readBase64(signature.slice(4)), ...signed));
};

/** Every signature costs a check; a rotation needs two. */
const maxAsymmetric = 4;
