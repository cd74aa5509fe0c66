import { inboundEndpoint, webhookAddress } from "../../lib/edge/inbound-endpoint.ts";
import { acceptDelivery } from "../../lib/webhooks/delivery/accept-delivery.ts";
import * as rows from "./routes.ts";

export const handler = inboundEndpoint(rows.verifySignedWebhook, webhookAddress, acceptDelivery);
