import type { Sealer } from "../../platform/db/seal.ts";
import { createGuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { signStandard } from "../../platform/signatures/standard.ts";
import type { EventDestinationItem } from "./items.ts";
import { openKeys } from "./secret.ts";

/** What calling a destination needs. */
export type CallDeps = { sealer: Sealer; outgoing: OutgoingOptions; clock: Clock };

const timeoutMs = 15_000;

/**
 * Sends a message to a destination, signed as
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md says, and gives
 * the status of the answer. Redirects are not followed and the answer's body is not read. Throws an
 * UpstreamError, which names the host alone, when there is no answer within 15 s.
 */
export const callDestination = async (
  { sealer, outgoing, clock }: CallDeps,
  destination: EventDestinationItem,
  { id, body }: { id: string; body: string },
): Promise<number> => {
  const now = clock();
  const timestamp = String(Math.floor(now / 1_000));
  const keys = await openKeys(sealer, destination, now);
  const signatures = keys.map((key) => signStandard(key, { id, timestamp, body }));
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await createGuardedFetch(outgoing)(destination.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Wharf",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signatures.join(" "),
      },
      body,
      signal,
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    throw asUpstreamError(error, new URL(destination.url).host, signal.aborted);
  }
};

const asUpstreamError = (error: unknown, upstream: string, timedOut: boolean): unknown => {
  if (timedOut) {
    return new UpstreamError(`${upstream} did not answer in time.`, { upstream, timedOut });
  }
  return error instanceof OutgoingError ? new UpstreamError(error.message, { upstream }) : error;
};
