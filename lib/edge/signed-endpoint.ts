import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import type { CountDeps } from "../platform/auth/count-requests.ts";
import type { Database } from "../platform/db/database.ts";
import { unknownLink } from "../platform/http/problems.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";
import { findOwner } from "../tenancy/tenant/find-owner.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import { connectTable } from "./connect-table.ts";
import { type Connected, type HttpHandler, type Link, type Routed, toHandler } from "./context.ts";
import { limitBody } from "./limit-body.ts";
import { limitAddress, limitRequests } from "./limit-requests.ts";
import { matchRoute } from "./match-route.ts";
import { parseRequest } from "./parse-request.ts";
import { problemDetails } from "./problem-details.ts";
import { requestContext } from "./request-context.ts";
import type { RouteResponse } from "./respond.ts";
import type { PublicRouteRequest, Row } from "./route.ts";
import { shapeResponse } from "./shape-response.ts";

/** A call to a signed address of a tenant that exists. `signed`: the last segment of its path. Time in Unix milliseconds. */
export type SignedCall = { tenant: TenantOwner; signed: string; now: number };

/** The function's connection to the table and its settings of rate limits, created on first use. */
type SignedDeps = { database: () => Database; limits: () => CountDeps["limits"] };

type Verified<Signed> = Connected & Routed & { signed: Signed };

/**
 * Returns the creator of Lambda handlers of addresses with a signature at the end of their path. The list is the
 * order of checks; `verify` checks the signature before the body is read, and a refused call counts
 * against its source address, as does every call of a row that takes slots.
 */
export const createSignedEndpoint =
  ({ database, limits }: SignedDeps) =>
  <R extends Row & { scope: "public" }, Signed>(
    row: R,
    verify: (call: SignedCall) => Promise<Signed>,
    handle: (
      request: PublicRouteRequest<R> & { signed: Signed },
    ) => Promise<RouteResponse<R>> | RouteResponse<R>,
  ): HttpHandler =>
    toHandler(
      middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
        .use(requestContext(row, systemRuntime))
        .use(connectTable(database))
        .use(problemDetails(row))
        .use(matchRoute(row))
        .use(limitBody(row))
        .use(limitRequests(limits))
        .use(admitSigned(verify))
        .use(limitAddress(row, limits))
        .use(parseRequest(row))
        .use(shapeResponse(row))
        .handler((_, { input, headers, call, signed }) =>
          handle({ ...input, headers, ctx: call, signed }),
        ),
    );

const admitSigned = <Signed>(
  verify: (call: SignedCall) => Promise<Signed>,
): Link<Verified<Signed>> => ({
  before: async ({ context }) => {
    const { database, call, pathValues } = context;
    const tenant = await findOwner(database(), pathValues.tenant ?? "", call.startedAt);
    if (!tenant) throw unknownLink();
    const signed = Object.values(pathValues).at(-1) ?? "";
    context.signed = await verify({ tenant, signed, now: call.startedAt });
  },
});
