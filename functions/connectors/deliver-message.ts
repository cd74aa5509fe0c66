import { acceptMessage } from "../../lib/inbound/accept-message.ts";
import { arrivalEndpoint } from "../../lib/inbound/arrival-endpoint.ts";
import { deliverMessage } from "./routes.ts";

export const handler = arrivalEndpoint(deliverMessage, acceptMessage, {
  kind: "connector",
  provider: "connectorProvider",
  id: "connectorId",
});
