import type { WebhookDeliveryDetail } from "../../client/openapi.ts";
import { WharfError } from "../exit.ts";
import { toNetworkError } from "../network-error.ts";
import { readDeliveryBytes } from "./delivery-body.ts";

/** Result of a forwarded delivery; without a response there is an `error`. */
export type Forwarded = {
  deliveryId: string;
  eventType: string | null;
  status: number | null;
  milliseconds: number;
  error: string | null;
};

const timeLimitSeconds = 30;

/** Headers that `fetch` sets itself. */
const ownHeaders = new Set(["host", "content-length", "connection", "accept-encoding"]);

/** Sends a delivery on, byte for byte, with the headers and the signature of its provider. */
export const forward = async (
  delivery: WebhookDeliveryDetail,
  url: string,
  signal: AbortSignal,
): Promise<Forwarded> => {
  const { id: deliveryId, eventType } = delivery;
  const started = performance.now();
  const end = (status: number | null, error: string | null): Forwarded => ({
    deliveryId,
    eventType,
    status,
    milliseconds: Math.round(performance.now() - started),
    error,
  });
  try {
    const given = { ...delivery.headers, ...delivery.signatureHeaders };
    const headers = Object.entries(given).filter(([name]) => !ownHeaders.has(name));
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: await readDeliveryBytes(delivery),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimitSeconds * 1_000)]),
    });
    await response.body?.cancel();
    return end(response.status, null);
  } catch (error) {
    if (signal.aborted) return end(null, "interrupted");
    const shown =
      error instanceof WharfError ? error : toNetworkError(error, url, timeLimitSeconds);
    return end(null, shown.message);
  }
};
