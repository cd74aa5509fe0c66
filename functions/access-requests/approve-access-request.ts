import { decideEndpoint } from "../../lib/chat-user/decide-endpoint.ts";
import { approveAccessRequest } from "./routes.ts";

export const handler = decideEndpoint(approveAccessRequest, "Approved");
