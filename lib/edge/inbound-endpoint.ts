import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { Sealer } from "../platform/db/seal.ts";
import type { InboundRequest, InboundResponse } from "../platform/http/inbound.ts";
import type { RateLimit } from "../platform/http/rate-limit.ts";
import { readEventBody } from "../platform/http/request.ts";
import type { Send } from "../platform/queue/send.ts";
import { type Runtime, systemRuntime } from "../platform/runtime/runtime.ts";
import type { KeyAuthDeps } from "../tenancy/api-key/authenticate-key.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import { admitSender, type Sent } from "./admit-sender.ts";
import { connectTable } from "./connect-table.ts";
import { type HttpHandler, toHandler } from "./context.ts";
import { limitBody } from "./limit-body.ts";
import { countAgainstAddress, limitRequests } from "./limit-requests.ts";
import { matchRoute } from "./match-route.ts";
import { problemDetails } from "./problem-details.ts";
import { requestContext } from "./request-context.ts";
import { resolveOwner } from "./resolve-owner.ts";
import { Reply } from "./respond.ts";
import type { Row } from "./route.ts";
import { shapeResponse } from "./shape-response.ts";

/** Dependencies of receiving providers' requests. */
export type InboundDeps = KeyAuthDeps & {
  objects: ObjectStore;
  sealer: Sealer;
  send: Send;
};

/** The function's connection to the table, and its other dependencies, created on first use. */
export type InboundConnections = {
  database: () => Database;
  settings: () => Omit<InboundDeps, "db">;
};

/** A request to an inbound address of a tenant that exists; the key in its path, if any, was admitted. */
export type Arrival = {
  tenant: TenantOwner;
  provider: string;
  /** Of the webhook or the connector. */
  id: string;
  /** False at a signed address, where only the signature authenticates the sender. */
  hasKey: boolean;
  request: InboundRequest;
  /** Counts a request of an unknown sender against its source address, once, before work is done for it. Throws 429. */
  countUnknown: () => Promise<void>;
  runtime: Runtime;
};

/** The response to a request, and the rate-limit window in which it was counted, if not its key's. */
export type AcceptedDelivery = { response: InboundResponse; rateLimit?: RateLimit | undefined };

/** Handles a request: finds the address, verifies the sender, and only then reads the body. */
export type Accept = (deps: InboundDeps, arrival: Arrival) => Promise<AcceptedDelivery>;

/** The kind of an inbound address, and the names of its path's variables. */
type InboundAddress = { kind: "webhook" | "connector"; provider: string; id: string };

/** The address of a webhook. */
export const webhookAddress = {
  kind: "webhook",
  provider: "webhookProvider",
  id: "webhookId",
} as const satisfies InboundAddress;

/** The address of a connector. */
export const connectorAddress = {
  kind: "connector",
  provider: "connectorProvider",
  id: "connectorId",
} as const satisfies InboundAddress;

/**
 * Returns the creator of Lambda handlers of inbound addresses, whatever their method and whether or not a key ends their
 * path. The list is the order of checks; `accept` then verifies the sender before it reads the body.
 */
export const createInboundEndpoint =
  ({ database, settings }: InboundConnections) =>
  (
    row: Row & { scope: "public"; inbound: boolean },
    address: InboundAddress,
    accept: Accept,
  ): HttpHandler =>
    toHandler(
      middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
        .use(requestContext(row, systemRuntime))
        .use(connectTable(database))
        .use(problemDetails(row))
        .use(matchRoute(row))
        .use(limitBody(row))
        .use(admitSender(settings))
        .use(limitRequests(() => settings().limits))
        .use(resolveOwner(address))
        .use(shapeResponse(row))
        .handler(async (event, context) => {
          const { response, rateLimit } = await accept(
            { ...settings(), db: context.database() },
            buildArrival(event, context, { ...address, limits: settings().limits }),
          );
          if (rateLimit) context.rateLimit = rateLimit;
          return toReply(response);
        }),
    );

const buildArrival = (
  event: APIGatewayProxyEvent,
  context: Sent,
  { provider, id, limits }: InboundAddress & Pick<InboundDeps, "limits">,
) => {
  const { call, headers, pathValues, tenant, hasKey } = context;
  const query = Object.entries(event.queryStringParameters ?? {});
  return {
    tenant,
    provider: pathValues[provider] ?? "",
    id: pathValues[id] ?? "",
    hasKey,
    request: {
      method: event.httpMethod === "GET" ? ("GET" as const) : ("POST" as const),
      headers,
      query: Object.fromEntries(query.map(([name, value]) => [name, value ?? ""])),
      body: readEventBody(event),
    },
    countUnknown: async () => {
      if (context.isCounted) return;
      context.isCounted = true;
      const exceeded = await countAgainstAddress(limits, context);
      if (exceeded) throw exceeded;
    },
    runtime: call,
  };
};

const toReply = ({ status, body, contentType }: InboundResponse): Reply =>
  new Reply(body ?? "", { "Content-Type": contentType ?? "text/plain; charset=utf-8" }, status);
