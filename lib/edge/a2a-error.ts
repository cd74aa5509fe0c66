import * as z from "zod";
import { problemRegistry } from "../platform/http/problem-registry.ts";
import type { Problem } from "../platform/http/problems.ts";
import { chooseMediaType, type FailedRequest } from "./protocol.ts";
import type { HttpResponse } from "./respond.ts";

/** The errors of A2A 1.0 (section 5.4 of its specification) by reason: code in JSON-RPC, HTTP status, gRPC status. */
export const a2aReasons = {
  TASK_NOT_FOUND: { code: -32_001, httpStatus: 404, status: "NOT_FOUND" },
  TASK_NOT_CANCELABLE: { code: -32_002, httpStatus: 400, status: "FAILED_PRECONDITION" },
  PUSH_NOTIFICATION_NOT_SUPPORTED: {
    code: -32_003,
    httpStatus: 400,
    status: "FAILED_PRECONDITION",
  },
  UNSUPPORTED_OPERATION: { code: -32_004, httpStatus: 400, status: "FAILED_PRECONDITION" },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32_005, httpStatus: 400, status: "INVALID_ARGUMENT" },
  VERSION_NOT_SUPPORTED: { code: -32_009, httpStatus: 400, status: "FAILED_PRECONDITION" },
} as const;

/** Reason of an error of A2A. */
export type A2aReason = keyof typeof a2aReasons;

/** Name of the parameter with the version of the protocol: a header, or a query parameter. */
export const versionParameter = "A2A-Version";

const Detail = z.looseObject({ "@type": z.string() });

const example = {
  code: 404,
  status: "NOT_FOUND",
  message: "There is no task 0193f0a0-7c4b-7000-8000-000000000000.",
  details: [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "TASK_NOT_FOUND",
      domain: "a2a-protocol.org",
      metadata: { problem: "not-found", requestId: "0193f0a0-7c4b-7000-8000-000000000001" },
    },
  ],
};

/** An error in A2A's binding to HTTP: google.rpc.Status. */
export const A2aError = z
  .object({
    error: z.object({
      code: z.int().meta({ description: "The HTTP status." }),
      status: z.string().meta({ description: "The code of google.rpc." }),
      message: z.string(),
      details: z.array(Detail).meta({
        description:
          "An ErrorInfo with the `reason`, and in its `metadata` the slug of the `problem`, as in `/problems/{slug}`; a BadRequest with the invalid fields.",
      }),
    }),
  })
  .meta({ id: "A2aError", example: { error: example } });

/** An error in JSON-RPC. */
export const RpcError = z
  .object({
    code: z.int(),
    message: z.string(),
    data: z.array(Detail).meta({ description: "As the `details` of the binding to HTTP." }),
  })
  .meta({ id: "A2aRpcError" });
type RpcError = z.output<typeof RpcError>;

/** A response with an error in JSON-RPC. `id` is null where the request was not read. */
export const RpcErrorResponse = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).nullable(),
    error: RpcError,
  })
  .meta({
    id: "A2aRpcErrorResponse",
    example: {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_000, message: example.message, data: example.details },
    },
  });

const Members = z.object({
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  executionId: z.string().optional(),
  reason: z.string().optional(),
});
type Members = z.output<typeof Members>;

const isReason = (text: string | undefined): text is A2aReason =>
  text !== undefined && Object.hasOwn(a2aReasons, text);

/** Returns the reason of a problem; undefined for one that A2A has no error for. */
const findReason = ({ errors = [], reason }: Members): A2aReason | undefined => {
  if (isReason(reason)) return reason;
  const isVersion = errors.some(({ pointer }) => pointer.endsWith(`/${versionParameter}`));
  return isVersion ? "VERSION_NOT_SUPPORTED" : undefined;
};

/** Reasons that the official SDKs have for problems beyond the errors of A2A itself: InvalidParamsError. */
const protocolReasons: Partial<Record<Problem["slug"], string>> = {
  "validation-failed": "INVALID_PARAMS",
};

const buildDetails = (
  { slug }: Pick<Problem, "slug">,
  members: Members,
  requestId: string | undefined,
): z.output<typeof Detail>[] => {
  const { errors = [], executionId } = members;
  const reason = findReason(members);
  const known = reason ?? protocolReasons[slug];
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: known ?? slug.toUpperCase().replaceAll("-", "_"),
    domain: known === undefined ? "wharf" : "a2a-protocol.org",
    metadata: {
      problem: slug,
      ...(requestId !== undefined && { requestId }),
      ...(executionId !== undefined && { taskId: executionId }),
    },
  };
  if (errors.length === 0) return [info];
  const fieldViolations = errors.map(({ pointer, detail }) => ({
    field: pointer,
    description: detail,
  }));
  return [info, { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }];
};

const readMembers = ({ members }: Problem): Members => Members.catch({}).parse(members);

/** Builds the response of a problem in the binding to HTTP. */
export const statusErrorResponse = (
  problem: Problem,
  { requestId, headers }: FailedRequest,
): HttpResponse => {
  const members = readMembers(problem);
  const reason = findReason(members);
  const httpStatus = problemRegistry[problem.slug].status;
  const { httpStatus: code, status } = reason
    ? a2aReasons[reason]
    : { httpStatus, status: toStatus(httpStatus) };
  const details = buildDetails(problem, members, requestId);
  return {
    status: code,
    headers: { ...problem.headers, "Content-Type": chooseMediaType("a2a-http", headers) },
    body: JSON.stringify({ error: { code, status, message: problem.message, details } }),
  };
};

/** Returns the code of google.rpc for an HTTP status. */
const toStatus = (httpStatus: number): string =>
  statuses[httpStatus] ?? (httpStatus < 500 ? "INVALID_ARGUMENT" : "INTERNAL");

const statuses: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  409: "ABORTED",
  422: "FAILED_PRECONDITION",
  429: "RESOURCE_EXHAUSTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Codes of JSON-RPC 2.0 by the slug of a problem. */
const rpcCodes: Partial<Record<Problem["slug"], number>> = {
  "malformed-json": -32_700,
  "validation-failed": -32_602,
  "internal-error": -32_603,
};

/** Code of JSON-RPC for errors that neither it nor A2A has a code for. */
export const otherCode = -32_000;

/** Formats a problem as an error of JSON-RPC. */
export const toRpcError = (problem: Problem, requestId?: string): RpcError => {
  const members = readMembers(problem);
  const reason = findReason(members);
  const code = reason ? a2aReasons[reason].code : (rpcCodes[problem.slug] ?? otherCode);
  return { code, message: problem.message, data: buildDetails(problem, members, requestId) };
};

const Identified = z.object({ id: z.union([z.string(), z.number()]).nullable() });

/** Returns the id of a request in JSON-RPC; null for one that has none, was not read, or is a batch. */
export const readRpcId = (request: unknown): string | number | null =>
  Identified.catch({ id: null }).parse(request).id;

/** Builds the response of a request that is refused or fails: it has the problem's status, and the id of a request that was read. */
export const rpcErrorResponse = (
  problem: Problem,
  { requestId, body }: FailedRequest,
): HttpResponse => {
  const error = toRpcError(problem, requestId);
  // The invalid part is the request, since its method was not read.
  const code = error.code === -32_602 ? -32_600 : error.code;
  return {
    status: problemRegistry[problem.slug].status,
    headers: { ...problem.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: readRpcId(body), error: { ...error, code } }),
  };
};
