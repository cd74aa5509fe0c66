import { createInboundEndpoint, type InboundDeps } from "../../lib/edge/inbound-endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { keySettings, rateLimitSettings } from "../../lib/platform/runtime/env.ts";

let shared: Omit<InboundDeps, "db"> | undefined;

/** Returns what receives providers' requests in addition to the table, created once per function. */
const settings = (): Omit<InboundDeps, "db"> => {
  if (shared) return shared;
  const { inboundRequests, unauthenticatedRequests, windowSeconds } = rateLimitSettings();
  shared = {
    objects: objectStore(),
    sealer: kmsSealer(),
    send,
    prefixes: keySettings(),
    limits: {
      requests: inboundRequests,
      unauthenticatedRequests,
      windowSeconds,
      counter: "inbound",
    },
  };
  return shared;
};

/** Creates the Lambda handler of an inbound address. */
export const inboundEndpoint = createInboundEndpoint({ database, settings });
