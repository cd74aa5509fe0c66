import type { InboundRequest } from "../../../platform/http/inbound.ts";
import { isFresh, readUnixSeconds } from "../../../platform/signatures/freshness.ts";
import { getSingleHeader } from "../../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../../platform/signatures/signatures.ts";

/** Verifies a `v0=` HMAC over time and body, as Slack and Zoom sign; `headers` are its names of both headers. */
export const verifyV0 = (
  request: InboundRequest,
  headers: { signature: string; timestamp: string },
  secret: string,
  now: number,
): boolean => {
  const timestamp = getSingleHeader(request, headers.timestamp);
  if (timestamp === undefined || !isFresh(readUnixSeconds(timestamp), now)) return false;
  const expected = hmacHex(secret, `v0:${timestamp}:`, request.body);
  return sameText(getSingleHeader(request, headers.signature), `v0=${expected}`);
};
