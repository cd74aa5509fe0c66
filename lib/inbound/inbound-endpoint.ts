import type * as z from "zod";
import { database } from "../db/database.ts";
import { objectStore } from "../db/object-store.ts";
import { kmsSealer } from "../db/seal.ts";
import type { HttpHandler } from "../http/answer-call.ts";
import { publicEndpoint } from "../http/public-endpoint.ts";
import { bodyOf } from "../http/request.ts";
import { Reply } from "../http/respond.ts";
import type { NoShape, Route, Shape } from "../http/route.ts";
import { send } from "../queue/send.ts";
import { keySettings, rateLimitSettings } from "../runtime/env.ts";
import { acceptDelivery, type InboundDeps } from "./accept-delivery.ts";

type InboundParams = { webhookProvider: z.ZodString; webhookId: z.ZodString };

let shared: InboundDeps | undefined;

const deps = (): InboundDeps => {
  if (shared) return shared;
  const { inboundRequests, unauthenticatedRequests, windowSeconds } = rateLimitSettings();
  shared = {
    db: database(),
    objects: objectStore(),
    sealer: kmsSealer(),
    send,
    prefixes: keySettings(),
    limits: { requests: inboundRequests, unauthenticatedRequests, windowSeconds },
  };
  return shared;
};

/** The handler of an inbound row, whatever its method and whether or not a key ends its path. */
export const inboundEndpoint = <Params extends InboundParams & Shape, Response extends z.ZodType>(
  row: Route<Params, NoShape, z.ZodUndefined, Response, string, "public">,
): HttpHandler =>
  publicEndpoint(row, async ({ call }) => {
    const { event, headers, pathValues, context, reportRateLimit } = call;
    const query = Object.entries(event.queryStringParameters ?? {});
    const answer = await acceptDelivery(deps(), {
      tenant: pathValues.tenant ?? "",
      provider: pathValues.webhookProvider ?? "",
      webhookId: pathValues.webhookId ?? "",
      key: pathValues.apiKeyAuth,
      request: {
        method: event.httpMethod === "GET" ? "GET" : "POST",
        headers,
        query: Object.fromEntries(query.map(([name, value]) => [name, value ?? ""])),
        body: bodyOf(event),
      },
      address: context.sourceIp,
      runtime: context,
      reportRateLimit,
    });
    return new Reply(
      answer.body ?? "",
      { "Content-Type": answer.contentType ?? "text/plain; charset=utf-8" },
      answer.status,
    );
  });
