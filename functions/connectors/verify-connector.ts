import { connectorAddress } from "../../lib/edge/inbound-endpoint.ts";
import { botTokenVerifier } from "../../lib/platform/auth/bot-token.ts";
import { acceptMessage } from "../../lib/webhooks/delivery/accept-message.ts";
import { inboundEndpoint } from "../deps/inbound-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = inboundEndpoint(rows.verifyConnector, connectorAddress, (deps, arrival) =>
  acceptMessage({ ...deps, verifyBotToken: botTokenVerifier() }, arrival),
);
