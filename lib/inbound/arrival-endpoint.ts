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
import type { InboundAnswer } from "../webhooks/webhook-provider.ts";
import type { Arrival, InboundDeps } from "./admit-arrival.ts";

/** Takes in what came to an inbound address. */
export type Accept = (deps: InboundDeps, arrival: Arrival) => Promise<InboundAnswer>;

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

/** A row of an inbound address. */
export type InboundRow<Params extends Shape, Response extends z.ZodType> = Route<
  Params,
  NoShape,
  z.ZodUndefined,
  Response,
  string,
  "public"
>;

/** The handler of an inbound row; `names` are those of its path variables. */
export const arrivalEndpoint = <Params extends Shape, Response extends z.ZodType>(
  row: InboundRow<Params, Response>,
  accept: Accept,
  names: { provider: keyof Params & string; id: keyof Params & string },
): HttpHandler =>
  publicEndpoint(row, async ({ call }) => {
    const { event, headers, pathValues, context, reportRateLimit } = call;
    const query = Object.entries(event.queryStringParameters ?? {});
    const answer = await accept(deps(), {
      tenant: pathValues.tenant ?? "",
      provider: pathValues[names.provider] ?? "",
      id: pathValues[names.id] ?? "",
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
