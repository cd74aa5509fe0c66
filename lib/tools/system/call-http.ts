import { isRecord, type Json } from "../../flow/json.ts";
import { jsonOrText, parseJson } from "../../flow/parse-json.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import {
  type OutgoingOptions,
  type OutgoingRequest,
  type OutgoingResponse,
  request,
} from "../../outgoing/request.ts";
import { UpstreamError } from "../../outgoing/upstream-error.ts";
import { ToolError } from "../tool.ts";

/** Calls a server; gives `{status, headers, body}` with the body's JSON value, else its text. */
export async function callHttp(call: OutgoingRequest, options: OutgoingOptions): Promise<Json> {
  const response = await send(call, options);
  if (response.status >= 400) {
    const upstream = new URL(call.url).host;
    throw new UpstreamError(`${upstream} answered with status ${response.status}.`, {
      upstream,
      upstreamStatus: response.status,
    });
  }
  const { status, headers, body } = response;
  return { status, headers, body: jsonOrText(body.toString("utf8")) };
}

async function send(call: OutgoingRequest, options: OutgoingOptions): Promise<OutgoingResponse> {
  try {
    return await request(call, options);
  } catch (error) {
    if (error instanceof OutgoingError) throw toToolFailure(error);
    throw error;
  }
}

function toToolFailure(error: OutgoingError): Error {
  const upstream = error.host;
  switch (error.kind) {
    case "connection-failed":
    case "too-many-redirects":
      return new UpstreamError(error.message, { upstream }, { cause: error });
    case "timeout":
      return new UpstreamError(error.message, { upstream, timedOut: true }, { cause: error });
    case "bad-url":
    case "bad-request":
    case "blocked-address":
    case "too-large":
      return new ToolError(error.message, { cause: error });
  }
}

/** Headers from a parameter that holds a JSON object of strings. */
export function readHeaders(text: string | undefined): { [name: string]: string } {
  if (!text) return {};
  const parsed = parseJson(text);
  const headers: [string, string][] = [];
  const fault = new ToolError('"headers" must be a JSON object whose values are strings.');
  if (!parsed.ok || !isRecord(parsed.value)) throw fault;
  for (const [name, value] of Object.entries(parsed.value)) {
    if (typeof value !== "string") throw fault;
    headers.push([name, value]);
  }
  return Object.fromEntries(headers);
}
