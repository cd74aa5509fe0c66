import { EventEmitter } from "node:events";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { isRecord } from "../../../lib/values/json/json.ts";
import { createSharedCounter, type SharedCounts } from "../access/call-counts.ts";
import { type PartitionKeys, parseDynamodbAccess } from "../access/dynamodb.ts";
import { createAuthorizer } from "../template/authorizer.ts";
import type { PolicyStatement } from "../template/policies.ts";

/** The DynamoDB engine, and what allows a function to reach it. */
export type EngineRoute = {
  /** Base URL of the local AWS services, to which the function sends its requests. */
  services: string;
  /** Base URL of the engine. */
  engine: string;
  statements: readonly PolicyStatement[];
  partitionKeys: PartitionKeys;
  counts: SharedCounts;
};

type Received = (response: IncomingMessage) => void;

/** `http.request` with options, as the SDK and `aws-handler.ts` call it. */
type Send = (options: RequestOptions, received?: Received) => ClientRequest;

/** The part of a request that `aws-handler.ts` uses. */
type Deferred = EventEmitter & {
  end: (body?: string | Uint8Array) => void;
  destroy: (error?: Error) => void;
};

const targetPrefix = "DynamoDB_20120810.";

/**
 * Wraps `http.request` in the thread of a function: calls to DynamoDB that its policies allow go to the engine, without the
 * way through the thread of the services, which takes as much processor time as the engine. All other requests, also calls
 * that are not allowed, go to the services, which respond to them.
 */
export const routeToEngine = (
  send: Send,
  { services, engine, statements, partitionKeys, counts }: EngineRoute,
  { caller, token }: { caller: string; token: string },
): ((options: RequestOptions, received?: Received) => ClientRequest | Deferred) => {
  const allowed = createAuthorizer(new Map([[caller, statements]]));
  const count = createSharedCounter(counts, caller);
  const [from, to] = [new URL(services), new URL(engine)];
  const credential = `AWS4-HMAC-SHA256 Credential=${caller}/`;

  const readOperation = ({ host, port, headers }: RequestOptions): string | undefined => {
    if (host !== from.hostname || String(port) !== from.port || !isRecord(headers)) return;
    const { authorization, "x-amz-target": target, "x-amz-security-token": given } = headers;
    if (given !== token || !String(authorization).startsWith(credential)) return;
    if (typeof target !== "string" || !target.startsWith(targetPrefix)) return;
    return target.slice(targetPrefix.length);
  };

  const check = (operation: string, body: string | Uint8Array): boolean => {
    const accesses = parseDynamodbAccess(operation, body, partitionKeys);
    if (!accesses?.every((access) => allowed(caller, access))) return false;
    for (const { action } of accesses) count(action);
    return true;
  };

  return (options, received) => {
    const operation = received ? undefined : readOperation(options);
    if (operation === undefined) return send(options, received);
    return defer((body = "") => {
      const direct = { ...options, host: to.hostname, port: to.port };
      return send(check(operation, body) ? direct : options);
    });
  };
};

/** Creates a request that is sent once its body is known. */
const defer = (open: (body?: string | Uint8Array) => ClientRequest): Deferred => {
  let sent: ClientRequest | undefined;
  const deferred = new EventEmitter();
  return Object.assign(deferred, {
    end: (body?: string | Uint8Array) => {
      sent = open(body);
      sent.on("error", (error) => deferred.emit("error", error));
      sent.on("response", (response) => deferred.emit("response", response));
      sent.end(body);
    },
    destroy: (error?: Error) => {
      sent?.destroy(error);
    },
  });
};
