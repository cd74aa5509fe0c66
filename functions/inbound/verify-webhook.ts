import { inboundEndpoint } from "../../lib/inbound/inbound-endpoint.ts";
import { verifyWebhook } from "./routes.ts";

export const handler = inboundEndpoint(verifyWebhook);
