import * as z from "zod";
import type { OutgoingOptions, OutgoingRequest } from "../../../platform/outgoing/request.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import { maskedExcerpt } from "../failing-response.ts";
import { ToolError } from "../tool.ts";
import { callForJson } from "./call-for-json.ts";
import type { RemoteAgent } from "./remote-agent.ts";
import { RemoteTask, SendResponse } from "./wire.ts";

/** Limits and options of the calls of one use of a tool. */
export type AgentCallOptions = {
  readonly outgoing: OutgoingOptions;
  readonly signal: AbortSignal;
  /** Id of the calls by JSON-RPC. */
  readonly requestId: string;
};

const maxBytes = 4 * 1024 * 1024;
/** Longest time of one request: an agent may wait for the end of a task whatever it is asked. */
const requestMs = 120_000;

type Operation = {
  method: "SendMessage" | "GetTask";
  params: Readonly<Record<string, unknown>>;
  /** Of the binding to HTTP. */
  path: string;
};

const RpcResponse = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** Code of JSON-RPC, and HTTP status, of a task that does not exist. */
const noTaskCode = -32_001;
const noTaskStatus = 404;

/** Sends a message to an agent, without waiting for the end of its task. */
export const sendToAgent = async (
  agent: RemoteAgent,
  message: Readonly<Record<string, unknown>>,
  options: AgentCallOptions,
): Promise<SendResponse> => {
  const params = { message, configuration: { returnImmediately: true } };
  const operation = { method: "SendMessage", params, path: "/message:send" } as const;
  return read(agent, SendResponse, await call(agent, operation, options));
};

/** Reads a task of an agent. Throws a ToolError for one that does not exist. */
export const readRemoteTask = async (
  agent: RemoteAgent,
  id: string,
  options: AgentCallOptions,
): Promise<RemoteTask> => {
  const path = `/tasks/${encodeURIComponent(id)}?historyLength=0`;
  const operation = { method: "GetTask", params: { id, historyLength: 0 }, path } as const;
  return read(agent, RemoteTask, await call(agent, operation, options));
};

const read = <Schema extends z.ZodType>(
  { url: { host } }: RemoteAgent,
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UpstreamError(`${host} did not respond as an A2A agent does.`, { upstream: host });
};

const call = async (
  agent: RemoteAgent,
  operation: Operation,
  options: AgentCallOptions,
): Promise<unknown> => {
  const { method, params } = operation;
  const named = agent.tenant === undefined ? params : { tenant: agent.tenant, ...params };
  const limits = { signal: options.signal, timeoutMs: requestMs, maxBytes };
  if (agent.binding === "HTTP+JSON")
    return callHttp(agent, { ...operation, params: named }, { ...options, limits });
  const body = JSON.stringify({ jsonrpc: "2.0", id: options.requestId, method, params: named });
  const request = {
    url: agent.url.href,
    method: "POST",
    headers: { ...agent.headers, "Content-Type": "application/json", Accept: "application/json" },
    body,
    ...limits,
  };
  const { result, error } = read(agent, RpcResponse, await callForJson(request, options.outgoing));
  if (error) throw toFailure(agent, error, request);
  return result;
};

const toFailure = (
  { url: { host } }: RemoteAgent,
  { code, message }: { code: number; message: string },
  request: OutgoingRequest,
): Error => {
  if (code === noTaskCode) return noTask(host);
  const responseExcerpt = maskedExcerpt(Buffer.from(message), request);
  const detail = `${host} refused with the JSON-RPC error ${code}.`;
  return new UpstreamError(detail, { upstream: host, responseExcerpt });
};

const noTask = (host: string): ToolError => new ToolError(`${host} has no such task.`);

const callHttp = async (
  { url, headers, tenant }: RemoteAgent,
  { method, params, path }: Operation,
  { outgoing, limits }: AgentCallOptions & { limits: Partial<OutgoingRequest> },
): Promise<unknown> => {
  const base = url.origin + trimSlashes(url.pathname);
  const place = tenant === undefined ? "" : `/${encodeURIComponent(tenant)}`;
  const sends = method === "SendMessage";
  try {
    return await callForJson(
      {
        url: base + place + path,
        method: sends ? "POST" : "GET",
        headers: {
          ...headers,
          Accept: "application/a2a+json, application/json",
          ...(sends && { "Content-Type": "application/json" }),
        },
        ...(sends && { body: JSON.stringify(params) }),
        ...limits,
      },
      outgoing,
    );
  } catch (error) {
    const isMissing = error instanceof UpstreamError && error.upstreamStatus === noTaskStatus;
    throw isMissing && !sends ? noTask(url.host) : error;
  }
};
