import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { problemsOf } from "../http/implied-problems.ts";
import { type ProblemSlug, problemRegistry } from "../http/problems.ts";
import type { Route } from "../http/route.ts";

const tenant = z
  .string()
  .meta({
    description: "A tenant's id or slug.",
    example: "demo",
    param: { name: "tenant", in: "path" },
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

const everyResponse = z.object({
  "X-RateLimit-Limit": z.int().meta({ description: "Requests per window." }),
  "X-RateLimit-Remaining": z.int().meta({ description: "Requests left in the window." }),
  "X-RateLimit-Reset": z.int().meta({ description: "When the window resets, Unix seconds." }),
  "X-Request-Id": z.string(),
});

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

const successOf = ({ response, summary }: Route): ZodOpenApiResponsesObject => ({
  [`${response.status}`]: {
    description: summary,
    headers: everyResponse,
    ...(response.schema && { content: { "application/json": { schema: response.schema } } }),
  },
});

const problemsByStatus = (row: Route): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(problemsOf(row), (slug) => problemRegistry[slug].status);
  return Object.fromEntries(
    [...byStatus].map(([status, slugs]) => [
      String(status),
      {
        description: slugs.map(describe).join(" "),
        headers: everyResponse,
        content: { "application/problem+json": { schema: ProblemDocument } },
      },
    ]),
  );
};

const describe = (slug: ProblemSlug): string => `\`${slug}\`: ${problemRegistry[slug].title}.`;
