import type { Sealer } from "../../platform/db/seal.ts";
import { createGuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { signStandard } from "../../platform/signatures/standard.ts";
import type { EventDestinationItem } from "./items.ts";
import { openHeaders, openKeys } from "./secret.ts";

/** Dependencies of calling a destination. */
export type CallDeps = { sealer: Sealer; outgoing: OutgoingOptions; clock: Clock };

const timeoutMs = 15_000;

/**
 * Sends a signed message to a destination and returns the response status, without following redirects or reading
 * the body (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). Throws an
 * UpstreamError that names only the host when there is no response within 15 s.
 */
export const callDestination = async (
  { sealer, outgoing, clock }: CallDeps,
  { destination, id, body }: { destination: EventDestinationItem; id: string; body: string },
): Promise<number> => {
  const now = clock();
  const timestamp = String(Math.floor(now / 1_000));
  const keys = await openKeys(sealer, destination, now);
  const signatures = keys.map((key) => signStandard(key, { id, timestamp, body }));
  return post(outgoing, destination.url, {
    headers: {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
    body,
  });
};

/** Sends a trace to an OTLP destination, otherwise as `callDestination` sends an event. */
export const exportTrace = async (
  { sealer, outgoing }: CallDeps,
  { destination, body }: { destination: EventDestinationItem; body: string },
): Promise<number> =>
  post(outgoing, destination.url, { headers: await openHeaders(sealer, destination), body });

const post = async (
  outgoing: OutgoingOptions,
  url: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
): Promise<number> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const all = new Headers({ ...headers, "user-agent": "Wharf" });
  all.set("content-type", "application/json");
  try {
    const response = await createGuardedFetch(outgoing)(url, {
      method: "POST",
      headers: all,
      body,
      signal,
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    throw asUpstreamError(error, new URL(url).host, signal.aborted);
  }
};

const asUpstreamError = (error: unknown, upstream: string, timedOut: boolean): unknown => {
  if (timedOut) {
    return new UpstreamError(`${upstream} did not respond in time.`, { upstream, timedOut });
  }
  return error instanceof OutgoingError ? new UpstreamError(error.message, { upstream }) : error;
};
