import { unauthenticated } from "../../platform/http/problems.ts";
import type { InboundRequest, Signing } from "../providers/provider.ts";

/** 401 for a delivery that is not signed as it must be; `detail` where more is known. */
export const notSigned = (detail = "The signature of the delivery is missing, wrong or too old.") =>
  unauthenticated(detail);

/** Throws 401 for a signature that is wrong or too old. `now` in Unix milliseconds. */
export const requireSignature = (
  signing: Signing,
  request: InboundRequest,
  { secret, now, detail }: { secret: string; now: number; detail?: string | undefined },
): void => {
  if (!signing.verify(request, secret, now)) throw notSigned(detail);
};
