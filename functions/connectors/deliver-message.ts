import { connectorAddress } from "../../lib/edge/inbound-endpoint.ts";
import { botTokenVerifier } from "../../lib/platform/auth/bot-token.ts";
import { fileObjects } from "../../lib/platform/db/file-objects.ts";
import { acceptMessage } from "../../lib/webhooks/delivery/accept-message.ts";
import { inboundEndpoint } from "../deps/inbound-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = inboundEndpoint(rows.deliverMessage, connectorAddress, (deps, arrival) =>
  acceptMessage(
    { ...deps, files: { objects: fileObjects() }, verifyBotToken: botTokenVerifier() },
    arrival,
  ),
);
