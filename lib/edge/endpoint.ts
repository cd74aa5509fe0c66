import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import type { CountDeps } from "../platform/auth/count-requests.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import { type Runtime, systemRuntime } from "../platform/runtime/runtime.ts";
import { type Audited, auditChanges } from "./audit-changes.ts";
import { type AuthSettings, authenticate } from "./authenticate.ts";
import { authorize } from "./authorize.ts";
import { connectTable } from "./connect-table.ts";
import { type HttpHandler, type InTenant, toHandler } from "./context.ts";
import { type Claiming, idempotency } from "./idempotency/idempotency.ts";
import { limitBatch, type RequestsIn } from "./limit-batch.ts";
import { limitBody } from "./limit-body.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import { limitRequests } from "./limit-requests.ts";
import { matchRoute } from "./match-route.ts";
import { type Parsed, parseRequest } from "./parse-request.ts";
import { problemDetails } from "./problem-details.ts";
import { readAgentAhead } from "./read-agent-ahead.ts";
import { requestContext } from "./request-context.ts";
import { resolveTenant } from "./resolve-tenant.ts";
import type { RouteResponse } from "./respond.ts";
import type { RouteRequest, Row } from "./route.ts";
import { shapeResponse } from "./shape-response.ts";

/** The function's connection to the table and its settings of authentication and of rate limits, created on first use. */
export type EdgeDeps = {
  database: () => Database;
  auth: () => AuthSettings;
  limits: () => CountDeps["limits"];
};

/** Settings of an endpoint. */
export type EndpointOptions<R extends Row> = {
  /** Bucket for stored responses that are too large for an item; for rows that write to it. */
  objects?: () => ObjectStore;
  /** Returns how many requests a body counts as for the rate limit; 1 by default. */
  requestsIn?: RequestsIn<R>;
  runtime?: Runtime;
};

/** Returns the creator of Lambda handlers of rows that need credentials. */
export const createEndpoint =
  (deps: EdgeDeps) =>
  <R extends Row>(
    row: R,
    handle: (request: RouteRequest<R>) => Promise<RouteResponse<R>> | RouteResponse<R>,
    options: EndpointOptions<R> = {},
  ): HttpHandler =>
    toHandler(
      chain(deps, { row, ...options }).handler((_, context) => handle(toRouteRequest<R>(context))),
    );

/** The chain of a row that needs credentials, without its handler. The list is the order of checks. */
export const chain = <R extends Row>(
  { database, auth, limits }: EdgeDeps,
  { row, objects, requestsIn, runtime = systemRuntime }: EndpointOptions<R> & { row: R },
) =>
  middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
    .use(requestContext(row, runtime))
    .use(connectTable(database))
    .use(problemDetails(row))
    .use(matchRoute(row))
    .use(limitBody(row))
    .use(readAgentAhead(row))
    .use(authenticate(row, auth))
    .use(limitRequests(limits))
    .use(resolveTenant(row))
    .use(authorize(row))
    .use(parseRequest(row))
    .use(limitBatch(requestsIn))
    .use(idempotency(row, { objects }))
    .use(limitConcurrency(row))
    .use(auditChanges(row))
    .use(shapeResponse(row));

/** Returns the request as the row's handler gets it. */
export function toRouteRequest<R extends Row>(
  context: InTenant & Parsed<R> & Claiming & Audited,
): RouteRequest<R>;
export function toRouteRequest(context: InTenant & Parsed<Row> & Claiming & Audited) {
  const { call, headers, principal, tenant, input, claimed, readAgent, db } = context;
  const ctx = { ...call, principal, tenant, once: claimed?.once, readAgent };
  return { ...input, headers, principal, tenant, ctx, db };
}
