import { decideAccessRequest } from "../../lib/chat-user/decide-access-request.ts";
import { toAccessRequest } from "../../lib/chat-user/to-access-request.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { rejectAccessRequest } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rejectAccessRequest, deps, async ({ ctx, params, body }, deps) => {
  const input = {
    agentId: params.agent,
    accessRequestId: params.accessRequest,
    decision: "Rejected",
    note: body.note ?? null,
  } as const;
  return toAccessRequest(await decideAccessRequest({ ctx, input, deps }));
});
