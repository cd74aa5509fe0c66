import { nearestName } from "../../lib/platform/http/nearest-name.ts";
import { findWebhookSample } from "../../lib/vendors/registry/find-webhook-sample.ts";
import type { SampleRequest } from "../../lib/vendors/webhook-sample.ts";
import { usage } from "../exit.ts";

/** A delivery to build; without a secret it is not signed. */
type Wanted = {
  provider: string;
  /** Event of the sample, by default the provider's first. */
  event: string | undefined;
  /** Body in place of the sample's. */
  body: string | undefined;
  secret: string | undefined;
};

/** Builds a delivery as the provider sends it, from its sample. Throws a usage error for an unknown event. */
export const buildDelivery = ({
  provider,
  event,
  body,
  secret,
}: Wanted): { event: string; request: SampleRequest } => {
  const sample = findWebhookSample(provider);
  if (!sample) throw usage(`This version of wharf has no sample of ${provider}.`);
  const names = Object.keys(sample.events);
  const name = event ?? names[0] ?? "";
  const build = Object.hasOwn(sample.events, name) ? sample.events[name] : undefined;
  if (!build) {
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    throw usage(`${provider} has no sample of that event.${hint} Samples: ${names.join(", ")}.`);
  }
  const now = Date.now();
  const request = { ...build(now), ...(body !== undefined && { body }) };
  return {
    event: name,
    request: secret === undefined ? request : sample.sign(request, secret, now),
  };
};
