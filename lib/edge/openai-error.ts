import * as z from "zod";
import { problemRegistry } from "../platform/http/problem-registry.ts";
import type { Problem } from "../platform/http/problems.ts";
import type { HttpResponse } from "./respond.ts";

/** An error in the format of the OpenAI and Open Responses APIs. */
export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z
        .enum(["invalid_request", "not_found", "too_many_requests", "model_error", "server_error"])
        .meta({ description: "The kind of error in Open Responses." }),
      param: z.string().nullable().meta({
        description: "The invalid parameter, such as `input[0].content`; null for other errors.",
      }),
      code: z.string().meta({
        description:
          "The slug of the problem, as in `/problems/{slug}`; `model_not_found` for a model that does not exist.",
      }),
      request_id: z.string(),
      execution_id: z.string().optional().meta({
        description: "The execution that failed, or that continues in the background.",
      }),
      response_id: z.string().optional().meta({
        description: "The response of that execution, which can be read.",
      }),
    }),
  })
  .meta({
    id: "OpenAiError",
    example: {
      error: {
        message: "temperature: is not supported: the agent's revision has its own",
        type: "invalid_request",
        param: "temperature",
        code: "validation-failed",
        request_id: "0193f0a0-7c4b-7000-8000-000000000000",
      },
    },
  });
export type OpenAiError = z.output<typeof OpenAiError>;

/** Formats a problem as an OpenAI error. */
export const toOpenAiError = (
  { slug, message, members }: Problem,
  requestId: string,
): OpenAiError => {
  const { param, code, ...other } = readMembers(members);
  return {
    error: {
      message,
      type: toType(slug),
      param: param ?? null,
      code: code ?? slug,
      request_id: requestId,
      ...(other.executionId !== undefined && { execution_id: other.executionId }),
      ...(other.responseId !== undefined && { response_id: other.responseId }),
    },
  };
};

/**
 * Builds the response of a problem as an OpenAI error. The official clients repeat a request after a 409 and a 5xx unless
 * `x-should-retry` says otherwise: repeating one that started an execution would start another.
 */
export const openAiErrorResponse = (problem: Problem, requestId: string): HttpResponse => {
  const { slug, members, headers } = problem;
  const isStarted = readMembers(members).executionId !== undefined;
  const isFinal = isStarted || (slug === "conflict" && headers["Retry-After"] === undefined);
  return {
    status: problemRegistry[slug].status,
    headers: {
      ...headers,
      ...(isFinal && { "x-should-retry": "false" }),
      "Content-Type": "application/json",
    },
    body: JSON.stringify(toOpenAiError(problem, requestId)),
  };
};

const toType = (slug: Problem["slug"]): OpenAiError["error"]["type"] => {
  const { status } = problemRegistry[slug];
  if (slug === "execution-failed" || slug.startsWith("upstream-")) return "model_error";
  if (status >= 500) return "server_error";
  if (status === 404) return "not_found";
  return status === 429 ? "too_many_requests" : "invalid_request";
};

const Members = z.object({
  errors: z.array(z.object({ pointer: z.string() })).optional(),
  executionId: z.string().optional(),
  responseId: z.string().optional(),
  param: z.string().optional(),
  code: z.string().optional(),
});

const readMembers = (
  members: Problem["members"],
): Record<"param" | "code" | "executionId" | "responseId", string | undefined> => {
  const { errors, param, ...others } = Members.catch({}).parse(members);
  const [first] = errors ?? [];
  const { code, executionId, responseId } = others;
  return { param: param ?? (first && toParam(first.pointer)), code, executionId, responseId };
};

/** Formats a pointer as OpenAI names parameters: `/input/0/content` as `input[0].content`. */
const toParam = (pointer: string): string | undefined => {
  const parts = pointer.replace(/^(?:query|path|header)?\//, "").split("/");
  const names = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const param = names.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === "" ? name : `${path}.${name}`;
  }, "");
  return param === "" ? undefined : param;
};
