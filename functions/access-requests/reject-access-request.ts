import { decideEndpoint } from "../../lib/chat-user/decide-endpoint.ts";
import { rejectAccessRequest } from "./routes.ts";

export const handler = decideEndpoint(rejectAccessRequest, "Rejected");
