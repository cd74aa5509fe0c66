import { webhookAddress } from "../../lib/edge/inbound-endpoint.ts";
import { acceptDelivery } from "../../lib/webhooks/delivery/accept-delivery.ts";
import { inboundEndpoint } from "../deps/inbound-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = inboundEndpoint(rows.deliverWebhook, webhookAddress, acceptDelivery);
