import type { WebhookSample } from "../webhook-sample.ts";
import { samples } from "./samples.ts";

const byProvider: ReadonlyMap<string, WebhookSample> = new Map(Object.entries(samples));

/** Returns the samples of a webhook provider. */
export const findWebhookSample = (providerId: string): WebhookSample | undefined =>
  byProvider.get(providerId);
