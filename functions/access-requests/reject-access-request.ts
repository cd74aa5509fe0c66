import { decideAccessRequest } from "../../lib/chat/chat-user/decide-access-request.ts";
import { toAccessRequest } from "../../lib/chat/chat-user/to-access-request.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.rejectAccessRequest, async ({ db, ctx, params, body }) => {
  const accessRequest = await decideAccessRequest(
    { db, send },
    {
      ctx,
      agentId: params.agent,
      accessRequestId: params.accessRequest,
      decision: "Rejected",
      note: body.note ?? null,
    },
  );
  return toAccessRequest(accessRequest);
});
