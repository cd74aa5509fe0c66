import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { A2aError, RpcErrorResponse, versionParameter } from "../../lib/edge/a2a-error.ts";
import { FormBody, formType } from "../../lib/edge/form-body.ts";
import {
  IdempotencyKey,
  idempotencyKeyHeader,
  replayedHeader,
  takesIdempotencyKey,
} from "../../lib/edge/idempotency/idempotency-key.ts";
import { listRouteProblems } from "../../lib/edge/implied-problems.ts";
import { OpenAiError } from "../../lib/edge/openai-error.ts";
import { toOperationId } from "../../lib/edge/operation-id.ts";
import { type Protocol, protocolMediaTypes } from "../../lib/edge/protocol.ts";
import type { Route, RowStreaming } from "../../lib/edge/route.ts";
import { acceptsLines, jsonLinesType } from "../../lib/platform/http/json-lines.ts";
import { explainProblem } from "../../lib/platform/http/problem-explanation.ts";
import { type ProblemSlug, problemRegistry } from "../../lib/platform/http/problem-registry.ts";
import { RawBody } from "../../lib/platform/http/raw-body.ts";
import { exampleAccepted, exampleResponse } from "./examples.ts";

const tenant = z.string().meta({
  description: "A tenant's id or slug.",
  example: "demo",
});

const ProblemDocument = z
  .looseObject({
    type: z.string().meta({ example: "/problems/not-found" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details." });

const header = (id: string, schema: z.ZodType, description: string) =>
  schema.meta({ description, header: { id } });

const everyResponse = z.object({
  "X-RateLimit-Limit": header("rateLimitLimit", z.int32(), "Requests per window."),
  "X-RateLimit-Remaining": header("rateLimitRemaining", z.int32(), "Requests left in the window."),
  "X-RateLimit-Reset": header("rateLimitReset", z.int(), "When the window resets, Unix seconds."),
  "X-Request-Id": header(
    "requestId",
    z.string(),
    "Id of the request; include it when you report a problem.",
  ),
});

const replayableResponse = everyResponse.extend({
  [replayedHeader]: header(
    "idempotencyReplayed",
    z.literal("true").optional(),
    "Set when the response is that of an earlier request with the same Idempotency-Key.",
  ),
});

const idempotencyKey = IdempotencyKey.optional().meta({ param: { id: "idempotencyKey" } });

const prefer = z
  .string()
  .optional()
  .meta({
    param: { id: "prefer" },
    description:
      "RFC 7240. `respond-async` returns 202 immediately. `wait=N`, from 1 to 25, waits up to N seconds before 202. By default the request waits up to 25 seconds.",
    example: "respond-async",
  });

/** Request headers other than credentials. */
const requestHeaders = (row: Route): Record<string, z.ZodType> => ({
  ...(takesIdempotencyKey(row) && { [idempotencyKeyHeader]: idempotencyKey }),
  ...(row.response.accepted && { Prefer: prefer }),
  ...(row.query && versionParameter in row.query && { [versionParameter]: a2aVersion }),
});

const a2aVersion = z.string().optional().meta({
  description: "Version of A2A: `1.0`. Required here or as a query parameter.",
  example: "1.0",
});

/** Builds the OpenAPI 3.1 document of rows from the schemas that validate requests. */
export const toOpenApi = (routes: readonly Route[], version: string) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: toOperation(row) };
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Wharf",
      version,
      description:
        "Build and run AI agents: numbered revisions, executions, keys, webhooks, costs.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-KEY" },
        userToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        bearerKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key, on the paths of the OpenAI-compatible API and of A2A only.",
        },
      },
    },
  });
};

const toOperation = (row: Route) => ({
  operationId: toOperationId(row.operation),
  tags: [row.group],
  summary: row.summary,
  ...describeOperation(row),
  security: buildSecurity(row),
  requestParams: {
    path: z.object({ ...(row.path.includes("{tenant}") && { tenant }), ...row.params }),
    query: z.object(row.query ?? {}),
    ...(Object.keys(requestHeaders(row)).length > 0 && {
      header: z.object(requestHeaders(row)),
    }),
  },
  ...(row.inbound &&
    row.method === "POST" && {
      requestBody: {
        description: "The provider's request body, in any format, up to 4 MiB.",
        content: {
          "*/*": {
            schema: { type: "string", format: "binary" },
            example: '{"ref": "refs/heads/main"}',
          },
        },
      },
    }),
  ...(row.body && {
    requestBody: {
      required: !row.body.safeParse(undefined).success,
      content: buildRequestContent(row.body),
    },
  }),
  responses: { ...buildSuccessResponse(row), ...problemsByStatus(row) },
});

const buildRequestContent = (body: z.ZodType) => {
  if (body === RawBody) return { "*/*": { schema: body } };
  if (body === FormBody) return { [formType]: { schema: body } };
  if (!acceptsLines(body)) return { "application/json": { schema: body } };
  return {
    "application/json": { schema: body },
    [jsonLinesType]: { schema: lines, example: exampleLines(body) },
  };
};

const exampleLines = (body: z.ZodType): string => {
  const { example } = z.object({ example: Items }).parse(body.meta());
  return example.items.map((item) => `${JSON.stringify(item)}\n`).join("");
};
const Items = z.object({ items: z.array(z.unknown()) });

const lines = z.string().meta({ description: "The values of `items`, as JSON, one a line." });

const scopeNote = ({ scope, starterScope }: Route): string =>
  `Scope: \`${scope}\`${starterScope ? `; for the caller who started the execution, \`${starterScope}\` is sufficient` : ""}.`;

/** The schema of a response describes the first response to a request, which is never a replay. */
const replayNote = ({ shownOnce }: Route): string =>
  `A repeated request with the same \`${idempotencyKeyHeader}\` gets \`null\` as ${shownOnce.map((name) => `\`${name}\``).join(" and ")}, and the header \`${replayedHeader}: true\`.`;

const describeOperation = (row: Route): { description?: string } => {
  const notes = [
    ...(row.scope.includes(":") ? [scopeNote(row)] : []),
    ...(row.shownOnce.length > 0 && takesIdempotencyKey(row) ? [replayNote(row)] : []),
  ];
  return notes.length > 0 ? { description: notes.join(" ") } : {};
};

const buildSecurity = ({ scope, takesBearerKeys }: Route): Record<string, string[]>[] => {
  if (scope === "public") return [];
  if (takesBearerKeys) return [{ bearerKey: [] }, { apiKey: [] }, { userToken: [] }];
  return scope === "api-key" ? [{ apiKey: [] }] : [{ apiKey: [] }, { userToken: [] }];
};

const buildSuccessResponse = (row: Route): ZodOpenApiResponsesObject => {
  const headers = takesIdempotencyKey(row) ? replayableResponse : everyResponse;
  const mediaType = row.protocol ? protocolMediaTypes[row.protocol] : "application/json";
  const json = row.response.schema && {
    [mediaType]: { schema: row.response.schema, example: exampleResponse(row) },
  };
  const events = row.streaming && {
    "text/event-stream": {
      schema: row.protocol ? protocolEvents[row.protocol] : buildEventStreamSchema(row.streaming),
      example: buildEventExample(row, row.streaming),
    },
  };
  const reply =
    row.reply &&
    Object.fromEntries(
      Object.entries(row.reply.examples).map(([type, example]) => [
        type,
        { schema: z.unknown(), example },
      ]),
    );
  const isSameStatus = row.response.status === 200;
  const content = { ...json, ...events, ...(isSameStatus && reply) };
  return {
    ...(row.reply && { "200": { description: row.reply.description, headers, content: reply } }),
    [`${row.response.status}`]: {
      description: row.reply && isSameStatus ? row.reply.description : row.summary,
      headers,
      ...(Object.keys(content).length > 0 && { content }),
    },
    ...(row.response.accepted && {
      "202": {
        description:
          "Accepted: the execution continues after this response; `Location` is the address of its record.",
        headers: headers.extend({ Location: location }),
        ...(json && {
          content: {
            "application/json": { schema: row.response.schema, example: exampleAccepted(row) },
          },
        }),
      },
    }),
  };
};

const location = header(
  "location",
  z.string(),
  "Address of the record of the accepted execution: a path, or a URL where the deployment declares its public URL.",
);

/** Response to a caller who accepts `text/event-stream`: the last event is the response or the problem. */
const buildEventStreamSchema = ({
  completed,
  failed,
  onDemand,
  rpcErrors,
}: RowStreaming): z.ZodType => {
  const error = rpcErrors ? "an error of JSON-RPC that has a problem as its `data`" : "a problem";
  return z.string().meta({
    description: `Server-sent events, for requests that accept them${onDemand ? ", where something is sent before the response" : ""}; the data of each event is JSON. The last event is \`${completed}\`, with the body of the JSON response, or \`${failed}\`, with ${error}.`,
  });
};

/** Streams of the protocols. */
const protocolEvents: Readonly<Record<Protocol, z.ZodType>> = {
  openai: z.string().meta({
    description:
      'Server-sent events as OpenAI defines them, for requests with `"stream": true`; the last one is `[DONE]`.',
  }),
  "a2a-http": z.string().meta({
    description: "Server-sent events; the data of each is a StreamResponse of A2A.",
  }),
  "a2a-json-rpc": z.string().meta({
    description:
      "Server-sent events, for the methods that stream; the data of each is a response with a StreamResponse of A2A as its result.",
  }),
};

const buildEventExample = (row: Route, { completed }: RowStreaming): string => {
  if (row.protocol === "openai") return "data: [DONE]\n\n";
  const data = JSON.stringify(exampleResponse(row));
  return row.protocol ? `data: ${data}\n\n` : `event: ${completed}\ndata: ${data}\n\n`;
};

const problemsByStatus = (row: Route): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(listRouteProblems(row), (slug) => problemRegistry[slug].status);
  return Object.fromEntries(
    [...byStatus].map(([status, slugs]) => [
      String(status),
      row.protocol
        ? protocolResponse(row.protocol, slugs.toSorted())
        : problemResponse(slugs.toSorted()),
    ]),
  );
};

/** Schemas of the protocols' errors. */
const protocolErrors: Readonly<Record<Protocol, z.ZodType>> = {
  openai: OpenAiError,
  "a2a-http": A2aError,
  "a2a-json-rpc": RpcErrorResponse,
};

/** Describes an error in the format of a protocol. */
const protocolResponse = (
  protocol: Protocol,
  slugs: readonly ProblemSlug[],
): ZodOpenApiResponseObject => ({
  description: describeProblems(slugs),
  headers: everyResponse,
  content: { [protocolMediaTypes[protocol]]: { schema: protocolErrors[protocol] } },
});

const describeProblems = (slugs: readonly ProblemSlug[]): string =>
  slugs.map((slug) => `\`${slug}\`: ${problemRegistry[slug].title}.`).join(" ");

const responses = new Map<string, ZodOpenApiResponseObject>();

/** Returns a response component per set of problems with the same status. */
const problemResponse = (slugs: readonly ProblemSlug[]): ZodOpenApiResponseObject => {
  const id = slugs.join("-or-");
  const examples = Object.fromEntries(
    slugs.map((slug) => [slug, { value: explainProblem(slug)?.example }]),
  );
  const response = responses.get(id) ?? {
    id,
    description: describeProblems(slugs),
    headers: everyResponse,
    content: { "application/problem+json": { schema: ProblemDocument, examples } },
  };
  responses.set(id, response);
  return response;
};
