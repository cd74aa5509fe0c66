import type { OutgoingOptions, OutgoingRequest } from "../../../platform/outgoing/request.ts";
import { isRecord, type Json } from "../../../values/json/json.ts";
import { jsonOrText, parseJson } from "../../../values/json/parse-json.ts";
import { sendCall } from "../send-call.ts";
import { ToolError } from "../tool.ts";

/** Calls a server; returns `{status, headers, body}` with the body's JSON value, else its text. */
export const callHttp = async (call: OutgoingRequest, options: OutgoingOptions): Promise<Json> => {
  const { status, headers, body } = await sendCall(call, options);
  return { status, headers, body: jsonOrText(body.toString("utf8")) };
};

/** Parses headers from a parameter that is a JSON object of strings. */
export const readHeaders = (text: string | undefined): { [name: string]: string } => {
  if (!text) return {};
  const parsed = parseJson(text);
  const headers: [string, string][] = [];
  const fault = new ToolError('"headers" must be a JSON object with string values.');
  if (!parsed.ok || !isRecord(parsed.value)) throw fault;
  for (const [name, value] of Object.entries(parsed.value)) {
    if (typeof value !== "string") throw fault;
    headers.push([name, value]);
  }
  return Object.fromEntries(headers);
};
