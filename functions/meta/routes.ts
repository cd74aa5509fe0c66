import * as z from "zod";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ProblemExplanation } from "../../lib/platform/http/problem-explanation.ts";

const route = createDefineRoute("meta");

export const getHealth = route({
  operation: "get-health",
  method: "GET",
  path: "/health",
  summary: "Reports that the service is available",
  scope: "public",
  response: { status: 200, schema: z.object({ status: z.literal("ok") }).meta({ id: "Health" }) },
});

export const getOpenapi = route({
  operation: "get-openapi",
  method: "GET",
  path: "/v1/openapi.json",
  summary: "Retrieves the OpenAPI 3.1 document of this API",
  scope: "public",
  response: {
    status: 200,
    schema: z.looseObject({ openapi: z.string() }).meta({ id: "OpenApiDocument" }),
  },
});

export const getProblem = route({
  operation: "get-problem",
  method: "GET",
  path: "/problems/{slug}",
  summary: "Describes a problem type",
  scope: "public",
  params: { slug: z.string().meta({ example: "not-found" }) },
  response: { status: 200, schema: ProblemExplanation },
  reply: {
    description: "The explanation, as JSON, or as a page for `Accept: text/html`",
    examples: { "text/html": '<!doctype html>\n<html lang="en">…' },
  },
  problems: ["not-found"],
});
