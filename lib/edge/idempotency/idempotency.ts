import type { ObjectStore } from "../../platform/db/large-value.ts";
import { readEventBody } from "../../platform/http/request.ts";
import type { InTenant, Link } from "../context.ts";
import type { Parsed } from "../parse-request.ts";
import { completeResponse, type HttpResponse, toHttpResponse } from "../respond.ts";
import type { Row } from "../route.ts";
import { type Claimed, claimOnce, keepFailure, keepResponse } from "./claim.ts";

/** Set by `idempotency`; undefined without an Idempotency-Key. */
export type Claiming = { claimed: Claimed | undefined };

/** `objects`: a bucket for large responses. */
export type KeptIn = { objects?: (() => ObjectStore) | undefined };

/**
 * Runs a request with an `Idempotency-Key` once: claims it, stores its response or failure, and replays a stored
 * response. A refusal is not stored, whether it is thrown or a response. Throws 400, 409 and 422.
 */
export const idempotency = (
  row: Row,
  { objects }: KeptIn,
): Link<InTenant & Parsed<Row> & Claiming, HttpResponse> => ({
  before: async ({ event, context }) => {
    const { database, call, headers, principal, tenant, input } = context;
    const request = {
      call,
      headers,
      body: readEventBody(event),
      principal,
      tenantId: tenant?.id ?? null,
      input,
    };
    const met = await claimOnce({ db: database(), objects: objects?.() }, { row, request });
    if (!met || "claim" in met) {
      context.claimed = met;
      return undefined;
    }
    context.ids.idempotency = "replayed";
    return completeResponse(row, context, toHttpResponse(row, met.replay, context.headers));
  },
  after: async ({ context, response }) => {
    if (context.claimed && response) await keepResponse(row, context.claimed, response);
  },
  onError: async ({ context, error }) => {
    if (context.claimed) await keepFailure(row, context.claimed, error);
  },
});
