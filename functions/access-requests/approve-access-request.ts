import { decideEndpoint } from "../../lib/chat/chat-user/decide-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = decideEndpoint(rows.approveAccessRequest, "Approved");
