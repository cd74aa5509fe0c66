import { acceptMessage } from "../../lib/inbound/accept-message.ts";
import { arrivalEndpoint } from "../../lib/inbound/arrival-endpoint.ts";
import { verifyConnector } from "./routes.ts";

export const handler = arrivalEndpoint(verifyConnector, acceptMessage, {
  kind: "connector",
  provider: "connectorProvider",
  id: "connectorId",
});
