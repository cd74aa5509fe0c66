import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import {
  IdempotencyKey,
  idempotencyKeyHeader,
  replayedHeader,
  takesIdempotencyKey,
} from "../http/idempotency/idempotency-key.ts";
import { problemsOf } from "../http/implied-problems.ts";
import { type ProblemSlug, problemRegistry } from "../http/problems.ts";
import type { Route } from "../http/route.ts";

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
  "X-Request-Id": header("requestId", z.string(), "Quote it when you report a fault."),
});

const replayableResponse = everyResponse.extend({
  [replayedHeader]: header(
    "idempotencyReplayed",
    z.literal("true").optional(),
    "Only on the answer of an earlier request with the same Idempotency-Key.",
  ),
});

const idempotencyKey = IdempotencyKey.optional().meta({ param: { id: "idempotencyKey" } });

/** The OpenAPI 3.1 document of rows, made of the very schemas that validate. */
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
      },
    },
  });
};

/** `get-agent` is `getAgent` in the document. */
export const toOperationId = (operation: string): string =>
  operation.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const toOperation = (row: Route) => ({
  operationId: toOperationId(row.operation),
  tags: [row.group],
  summary: row.summary,
  ...(row.scope.includes(":") && { description: `Scope: \`${row.scope}\`.` }),
  security: securityOf(row),
  requestParams: {
    path: z.object({ ...(row.path.includes("{tenant}") && { tenant }), ...row.params }),
    query: z.object(row.query ?? {}),
    ...(takesIdempotencyKey(row) && {
      header: z.object({ [idempotencyKeyHeader]: idempotencyKey }),
    }),
  },
  ...(row.body && {
    requestBody: { required: true, content: { "application/json": { schema: row.body } } },
  }),
  responses: { ...successOf(row), ...problemsByStatus(row) },
});

const securityOf = ({ scope }: Route): Record<string, string[]>[] => {
  if (scope === "public") return [];
  return scope === "api-key" ? [{ apiKey: [] }] : [{ apiKey: [] }, { userToken: [] }];
};

const successOf = (row: Route): ZodOpenApiResponsesObject => ({
  [`${row.response.status}`]: {
    description: row.summary,
    headers: takesIdempotencyKey(row) ? replayableResponse : everyResponse,
    ...(row.response.schema && {
      content: { "application/json": { schema: row.response.schema } },
    }),
  },
});

const problemsByStatus = (row: Route): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(problemsOf(row), (slug) => problemRegistry[slug].status);
  return Object.fromEntries(
    [...byStatus].map(([status, slugs]) => [String(status), problemResponse(slugs.toSorted())]),
  );
};

const responses = new Map<string, ZodOpenApiResponseObject>();

/** One response component for each set of problems that share a status. */
const problemResponse = (slugs: readonly ProblemSlug[]): ZodOpenApiResponseObject => {
  const id = slugs.join("-or-");
  const response = responses.get(id) ?? {
    id,
    description: slugs.map((slug) => `\`${slug}\`: ${problemRegistry[slug].title}.`).join(" "),
    headers: everyResponse,
    content: { "application/problem+json": { schema: ProblemDocument } },
  };
  responses.set(id, response);
  return response;
};
