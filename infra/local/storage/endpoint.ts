import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as z from "zod";
import type { Authenticator } from "../access/authenticator.ts";
import type { CallCounts } from "../access/call-counts.ts";
import { readAccessKeyId, signedFor } from "../access/caller.ts";
import { presignedIn } from "../access/presigned.ts";
import { sendError, sendJson } from "../access/service-response.ts";
import type { LocalSchedules } from "../schedules/start-schedules.ts";
import type { VectorsEndpoint } from "../vectors/endpoint.ts";
import type { DynamodbEndpoint } from "./dynamodb.ts";
import type { QueuesAndBuckets } from "./fauxqs.ts";
import type { KmsEndpoint } from "./kms.ts";
import { type SesEndpoint, sendEmailPath } from "./ses.ts";

/** Path of the storage call counts: GET reads, DELETE resets. */
export const storageCallsPath = "/_local/storage-calls";

/** Path of the schedules: GET lists, POST `{until}` (Unix milliseconds) fires those due until then. */
export const schedulesPath = "/_local/schedules";

/** Path to report receives that ended without a deletion: POST `{receipts}`. */
export const settledReceiptsPath = "/_local/settled-receipts";

/** Path of the local issuer's JWKS. */
export const jwksPath = "/.well-known/jwks.json";

type Parts = {
  authenticate: Authenticator;
  dynamodb: DynamodbEndpoint;
  kms: KmsEndpoint;
  ses: SesEndpoint;
  queuesAndBuckets: QueuesAndBuckets;
  vectors: VectorsEndpoint;
  schedules: LocalSchedules;
  counts: CallCounts;
  /** The local issuer's JWKS. */
  jwks: unknown;
};

/** Creates the server of all local AWS services. Rejects callers without the credentials of this start. */
export const createEndpoint = (parts: Parts): Server => {
  const server = createServer((request, response) => {
    if (allowPage(request, response)) return;
    const refusal = parts.authenticate(request);
    if (refusal) {
      request.resume();
      sendError(response, refusal.type, refusal.message, 403);
      return;
    }
    const target = request.headers["x-amz-target"];
    const service = target === undefined ? signedFor(request.headers.authorization) : undefined;
    if (service === "s3vectors") {
      readBody(request, response, (body) => {
        const operation = (request.url ?? "").slice(1);
        parts.vectors.handle(
          readAccessKeyId(request.headers.authorization),
          { operation, body },
          response,
        );
      });
    } else if (service === "scheduler") {
      readBody(request, response, (body) => {
        const caller = readAccessKeyId(request.headers.authorization);
        const { method = "", url = "" } = request;
        parts.schedules.handle({ caller, method, url, body }, response);
      });
    } else if (typeof target !== "string") {
      handlePlain(parts, request, response);
    } else if (target.startsWith("DynamoDB_")) {
      readBody(request, response, (body) => {
        parts.dynamodb(request, body, response).catch((error: unknown) => {
          sendError(response, "com.amazonaws.dynamodb#InternalServerError", String(error), 500);
        });
      });
    } else if (target.startsWith("TrentService.")) {
      readBody(request, response, (body) => {
        const operation = target.slice("TrentService.".length);
        parts.kms(readAccessKeyId(request.headers.authorization), operation, body, response);
      });
    } else {
      parts.queuesAndBuckets.handle(request, response);
    }
  });
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  return server;
};

/**
 * Lets web pages upload to presigned URLs, as the bucket's CORS rule does. Returns whether the request was the question for it.
 */
const allowPage = ({ method, url = "", headers }: IncomingMessage, response: ServerResponse) => {
  if (headers.origin === undefined || !presignedIn(url)) return false;
  response.setHeader("Access-Control-Allow-Origin", "*");
  if (method !== "OPTIONS") return false;
  response
    .writeHead(200, {
      "Access-Control-Allow-Methods": "PUT",
      "Access-Control-Allow-Headers": "content-type",
    })
    .end();
  return true;
};

const handlePlain = (parts: Parts, request: IncomingMessage, response: ServerResponse): void => {
  if (request.url === jwksPath) {
    sendJson(response, 200, parts.jwks);
  } else if (request.url === storageCallsPath) {
    if (request.method === "DELETE") parts.counts.reset();
    sendJson(response, 200, parts.counts.read());
  } else if (request.url === sendEmailPath && request.method === "POST") {
    readBody(request, response, (body) => {
      parts.ses(readAccessKeyId(request.headers.authorization), body, response);
    });
  } else if (request.url === schedulesPath) {
    handleSchedules(parts, request, response);
  } else if (request.url === settledReceiptsPath && request.method === "POST") {
    readBody(request, response, (body) => settleReceipts(parts, body, response));
  } else {
    parts.queuesAndBuckets.handle(request, response);
  }
};

const Settled = z.object({ receipts: z.array(z.string()) });

const settleReceipts = (
  { queuesAndBuckets }: Parts,
  body: Buffer,
  response: ServerResponse,
): void => {
  queuesAndBuckets.settle(Settled.parse(JSON.parse(String(body))).receipts);
  sendJson(response, 200, {});
};

const Until = z.object({ until: z.int() });

const handleSchedules = (
  { schedules }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (request.method !== "POST") {
    sendJson(response, 200, schedules.list());
    return;
  }
  readBody(request, response, (body) => {
    const fire = async () => schedules.fireUntil(Until.parse(JSON.parse(String(body))).until);
    fire().then(
      (report) => sendJson(response, 200, report),
      (error: unknown) => sendError(response, "ValidationException", String(error)),
    );
  });
};

/** Reads a request and handles it. An error, such as one of a full disk, is the service's: a 500, which AWS clients retry. */
const readBody = (
  request: IncomingMessage,
  response: ServerResponse,
  handle: (body: Buffer) => void,
): void => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const [only] = chunks;
    try {
      handle(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    } catch (error) {
      sendError(response, "InternalServerError", String(error), 500);
    }
  });
};
