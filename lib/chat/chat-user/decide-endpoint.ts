import type * as z from "zod";
import type { HttpHandler } from "../../edge/context.ts";
import { endpoint } from "../../edge/endpoint.ts";
import type { NoShape, Route } from "../../edge/route.ts";
import { database } from "../../platform/db/database.ts";
import { send } from "../../platform/queue/send.ts";
import { decideAccessRequest } from "./decide-access-request.ts";
import type { AccessRequest, DecideAccessRequestBody } from "./schemas.ts";
import { toAccessRequest } from "./to-access-request.ts";

/** The route of an access decision. */
type DecidingRow = Route<
  { agent: z.ZodString; accessRequest: z.ZodString },
  NoShape,
  typeof DecideAccessRequestBody,
  typeof AccessRequest,
  `${string}/{tenant}${string}`
>;

/** Creates the handler that approves or rejects an access request. */
export const decideEndpoint = (row: DecidingRow, decision: "Approved" | "Rejected"): HttpHandler =>
  endpoint(row, async ({ ctx, params, body }) => {
    const deps = { db: database(), send };
    const { agent: agentId, accessRequest: accessRequestId } = params;
    const input = { agentId, accessRequestId, decision, note: body.note ?? null };
    return toAccessRequest(await decideAccessRequest(deps, { ctx, ...input }));
  });
