import { randomUUID } from "node:crypto";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { inject, vi } from "vitest";
import * as z from "zod";
import { endpoint } from "../../functions/deps/endpoint.ts";
import { buildEnvironment } from "../../infra/local/functions/function-environment.ts";
import { type GatewayRequest, proxyEvent } from "../../infra/local/gateway/proxy-event.ts";
import { createRouter } from "../../infra/local/gateway/router.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import type { Route } from "../../lib/edge/route.ts";
import { toGatewayPath } from "../../lib/platform/http/gateway-path.ts";
import type { Call, TestResponse } from "../harness/api.ts";
import { quiet } from "../harness/verbose.ts";

const Result = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** Whether the chain of `endpoint` alone refuses a row's requests. Few rows have other chains, or check in the handler. */
export const isOrdinary = ({
  scope,
  inbound,
  signed,
  protocol,
  streaming,
  starterScope,
}: Route): boolean =>
  ![inbound, signed, protocol, streaming, starterScope].some(Boolean) && scope !== "public";

let environment: Record<string, string> | undefined;

/** Environment of a function of the stack, with the DynamoDB engine in place of the services, which check permissions. */
const readEnvironment = (): Record<string, string> => {
  const stack = inject("stack");
  const fn = readModel(readAssembly(stack.assembly), stack.services).functions.find(({ name }) =>
    name.endsWith("-execute-agent-or-test-draft"),
  );
  if (!fn) throw new Error("no function execute-agent");
  const jwksUrl = `${stack.services}/.well-known/jwks.json`;
  return {
    ...buildEnvironment(fn, { ...stack, jwksUrl }),
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
    ...quiet,
  };
};

const toRequest = (method: string, url: string, call: Call): GatewayRequest => {
  const { body, raw, key, token, headers = {} } = call;
  const content = raw ?? (body === undefined ? "" : JSON.stringify(body));
  const sent = {
    ...(key !== undefined && { "X-API-KEY": key }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(content.length > 0 && { "Content-Type": "application/json" }),
    ...headers,
  };
  const [path = "", query = ""] = url.split("?");
  return {
    method,
    path,
    query,
    rawHeaders: Object.entries(sent).flat(),
    body: Buffer.from(content),
    sourceIp: "127.0.0.1",
    requestId: randomUUID(),
    time: Date.now(),
  };
};

const unreachable = (): never => {
  throw new Error("the handler was reached");
};

/** Sends a request that is refused to the chain of a row, in this process, with the storage of the stack. */
export const callChain = async (
  row: Route,
  method: string,
  url: string,
  call: Call,
): Promise<TestResponse> => {
  environment ??= readEnvironment();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const request = toRequest(method, url, call);
  const match = createRouter([toGatewayPath(row.path).resource])(request.path);
  if (!match) throw new Error(`${request.path} is not a path of ${row.operation}`);
  const event = z.custom<APIGatewayProxyEvent>().parse(proxyEvent(request, match, "live"));
  const handler = endpoint(row, unreachable);
  const context = { awsRequestId: request.requestId, getRemainingTimeInMillis: () => 25_000 };
  const { statusCode, headers, body: text } = Result.parse(await handler(event, context));
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: statusCode, headers: new Headers(headers), text, body };
};
