import { inboundEndpoint } from "../../lib/inbound/inbound-endpoint.ts";
import { deliverWebhook } from "./routes.ts";

export const handler = inboundEndpoint(deliverWebhook);
