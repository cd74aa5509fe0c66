import { inboundEndpoint } from "../../lib/inbound/inbound-endpoint.ts";
import { verifySignedWebhook } from "./routes.ts";

export const handler = inboundEndpoint(verifySignedWebhook);
