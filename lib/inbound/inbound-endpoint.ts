import type * as z from "zod";
import type { HttpHandler } from "../http/answer-call.ts";
import type { Shape } from "../http/route.ts";
import { acceptDelivery } from "./accept-delivery.ts";
import { arrivalEndpoint, type InboundRow } from "./arrival-endpoint.ts";

/** The handler of a webhook's inbound row, whatever its method and whether or not a key ends its path. */
export const inboundEndpoint = <Params extends Shape, Response extends z.ZodType>(
  row: InboundRow<Params, Response>,
): HttpHandler =>
  arrivalEndpoint(row, acceptDelivery, {
    kind: "webhook",
    provider: "webhookProvider",
    id: "webhookId",
  });
