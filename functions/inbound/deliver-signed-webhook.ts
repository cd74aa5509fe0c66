import { inboundEndpoint } from "../../lib/inbound/inbound-endpoint.ts";
import { deliverSignedWebhook } from "./routes.ts";

export const handler = inboundEndpoint(deliverSignedWebhook);
