import type { APIGatewayProxyEvent } from "aws-lambda";
import { localAccount } from "../template/physical.ts";
import type { Match } from "./router.ts";

/** A request to the gateway. */
export type GatewayRequest = {
  method: string;
  /** Percent-encoded as sent, without the query. */
  path: string;
  /** As sent, without the question mark. */
  query: string;
  /** Alternates names and values, as sent. */
  rawHeaders: readonly string[];
  body: Buffer;
  sourceIp: string;
  requestId: string;
  /** Unix milliseconds. */
  time: number;
};

const hopByHop = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

type ProxyEvent = Omit<APIGatewayProxyEvent, "requestContext"> & {
  requestContext: Omit<APIGatewayProxyEvent["requestContext"], "authorizer" | "identity"> & {
    identity: { sourceIp: string; userAgent: string | null };
  };
};

/**
 * Builds the event of a REST API's Lambda proxy integration: path and path parameters percent-encoded as sent,
 * the query decoded, every body in base64 (`binaryMediaTypes` is any).
 */
export const proxyEvent = (request: GatewayRequest, match: Match, stage: string): ProxyEvent => {
  const { headers, multiValueHeaders } = readHeaders(request);
  const lowerCase = (name: string): string | undefined =>
    headers[Object.keys(headers).find((key) => key.toLowerCase() === name) ?? ""];
  const hasBody = request.body.length > 0;
  return {
    resource: match.resource,
    path: request.path,
    httpMethod: request.method,
    headers,
    multiValueHeaders,
    ...readQuery(request.query),
    pathParameters: match.parameters,
    stageVariables: null,
    requestContext: {
      accountId: localAccount,
      apiId: "local",
      domainName: lowerCase("host") ?? "",
      domainPrefix: "local",
      extendedRequestId: request.requestId,
      httpMethod: request.method,
      identity: { sourceIp: request.sourceIp, userAgent: lowerCase("user-agent") ?? null },
      path: request.path,
      protocol: "HTTP/1.1",
      requestId: request.requestId,
      requestTimeEpoch: request.time,
      resourceId: match.resource,
      resourcePath: match.resource,
      stage,
    },
    body: hasBody ? request.body.toString("base64") : null,
    isBase64Encoded: hasBody,
  };
};

type Headers = Pick<ProxyEvent, "headers" | "multiValueHeaders">;

const readHeaders = ({ rawHeaders, sourceIp }: GatewayRequest): Headers => {
  const headers: Record<string, string> = {};
  const multiValueHeaders: Record<string, string[]> = {};
  const spelling = new Map<string, string>();
  let forwarded = sourceIp;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    const key = name.toLowerCase();
    if (hopByHop.has(key)) continue;
    if (key === "x-forwarded-for") {
      forwarded = `${value}, ${sourceIp}`;
      continue;
    }
    const spelled = spelling.get(key) ?? name;
    spelling.set(key, spelled);
    headers[spelled] = value;
    const values = multiValueHeaders[spelled];
    if (values) values.push(value);
    else multiValueHeaders[spelled] = [value];
  }
  headers["X-Forwarded-For"] = forwarded;
  multiValueHeaders["X-Forwarded-For"] = [forwarded];
  return { headers, multiValueHeaders };
};

type Query = Pick<ProxyEvent, "queryStringParameters" | "multiValueQueryStringParameters">;

const readQuery = (query: string): Query => {
  if (query === "") return { queryStringParameters: null, multiValueQueryStringParameters: null };
  const one: [string, string][] = [];
  const many = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query.replaceAll(";", "&"))) {
    one.push([name, value]);
    const values = many.get(name);
    if (values) values.push(value);
    else many.set(name, [value]);
  }
  if (one.length === 0)
    return { queryStringParameters: null, multiValueQueryStringParameters: null };
  return {
    queryStringParameters: Object.fromEntries(one),
    multiValueQueryStringParameters: Object.fromEntries(many),
  };
};
