import type { InboundRequest } from "../../platform/http/inbound.ts";
import { unauthenticated } from "../../platform/http/problems.ts";
import type { Signing } from "../../vendors/webhook-provider.ts";

/** Creates the 401 for a missing or invalid signature, with a more specific `detail` where there is one. */
export const notSigned = (
  detail = "The signature of the delivery is missing, invalid or too old.",
) => unauthenticated(detail);

/** Throws 401 for an invalid or expired signature. `now` in Unix milliseconds. */
export const requireSignature = (
  signing: Signing,
  request: InboundRequest,
  { secret, now, detail }: { secret: string; now: number; detail?: string | undefined },
): void => {
  if (!signing.verify(request, secret, now)) throw notSigned(detail);
};
