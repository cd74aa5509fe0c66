import type * as z from "zod";
import { authenticateKey } from "../auth/authenticate.ts";
import { countRefusal } from "../auth/count-requests.ts";
import { requireWithinLimit } from "../auth/rate-limit.ts";
import { database } from "../db/database.ts";
import { objectStore } from "../db/object-store.ts";
import { kmsSealer } from "../db/seal.ts";
import type { HttpHandler } from "../http/answer-call.ts";
import { insufficientScope, notFound, Problem, unauthenticated } from "../http/problems.ts";
import { publicEndpoint } from "../http/public-endpoint.ts";
import { bodyOf } from "../http/request.ts";
import { Reply } from "../http/respond.ts";
import type { NoShape, Route, Shape } from "../http/route.ts";
import { send } from "../queue/send.ts";
import { keySettings, rateLimitSettings } from "../runtime/env.ts";
import { ownerOf } from "../tenant/owner-of.ts";
import type { Accept, InboundDeps } from "./arrival.ts";

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
  names: { kind: string; provider: keyof Params & string; id: keyof Params & string },
): HttpHandler =>
  publicEndpoint(row, async ({ call }) => {
    const { event, headers, pathValues, context, reportRateLimit } = call;
    const { apiKeyAuth, tenant: tenantRef = "" } = pathValues;
    const now = context.startedAt;
    const id = pathValues[names.id] ?? "";
    const count = async (webhookId?: string) => {
      const refused = await countRefusal(deps(), { address: context.sourceIp, now, webhookId });
      if (!refused) return;
      reportRateLimit(refused);
      requireWithinLimit(refused, now);
    };
    try {
      const admission =
        apiKeyAuth === undefined
          ? undefined
          : await authenticateKey(deps(), apiKeyAuth, now).catch(asOfAddress);
      if (admission?.rateLimit) {
        reportRateLimit(admission.rateLimit);
        requireWithinLimit(admission.rateLimit, now);
      }
      const tenant = await ownerOf(deps().db, tenantRef);
      const principal = admission?.principal;
      if (!tenant || (principal && principal.organizationId !== tenant.organizationId)) {
        throw notFound(names.kind, id);
      }
      if (principal && !principal.scopes.includes("inbound:deliver")) {
        throw insufficientScope("inbound:deliver");
      }
      const query = Object.entries(event.queryStringParameters ?? {});
      const { answer, rateLimit } = await accept(deps(), {
        tenant,
        provider: pathValues[names.provider] ?? "",
        id,
        hasKey: apiKeyAuth !== undefined,
        request: {
          method: event.httpMethod === "GET" ? "GET" : "POST",
          headers,
          query: Object.fromEntries(query.map(([name, value]) => [name, value ?? ""])),
          body: bodyOf(event),
        },
        address: context.sourceIp,
        runtime: context,
      });
      if (rateLimit) reportRateLimit(rateLimit);
      if (answer.status === 403) await count();
      return new Reply(
        answer.body ?? "",
        { "Content-Type": answer.contentType ?? "text/plain; charset=utf-8" },
        answer.status,
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.slug === "unauthenticated") await count(apiKeyAuth === undefined ? id : undefined);
      else if (error.slug === "not-found" || error.slug === "credentials-expired") await count();
      throw error;
    }
  });

/** A key that is not valid, in the words of an address that ends with it. */
const asOfAddress = (error: unknown): never => {
  if (!(error instanceof Problem) || error.slug !== "unauthenticated") throw error;
  throw unauthenticated("The address must end with a valid API key; this one's is not.");
};
