import type { ConfigParameter } from "../integration.ts";

const setting = (name: string, displayName: string, description: string): ConfigParameter => ({
  name,
  displayName,
  description,
  required: false,
  secret: false,
});

const credential = (name: string, displayName: string, description: string): ConfigParameter => ({
  ...setting(name, displayName, description),
  secret: true,
});

/** The settings and credentials of a config of `openapi`. */
export const openapiParameters: readonly ConfigParameter[] = [
  setting(
    "document",
    "Document",
    "The OpenAPI document as JSON or YAML text. Either the document or its URL is required.",
  ),
  setting(
    "documentUrl",
    "Document URL",
    "The https address of the document, for one that is too large to enter.",
  ),
  setting(
    "baseUrl",
    "Base URL",
    "The address of the API, in place of the servers in the document. Required with credentials, unless the API has the same origin as the document URL.",
  ),
  setting(
    "operations",
    "Operations",
    "The operations that become tools, separated by commas: operation IDs, GET /pets or tag:pets. An asterisk at the end matches any suffix. Empty for all.",
  ),
  setting(
    "sendTraceContext",
    "Send trace context",
    "Enter true to send the headers traceparent and tracestate of the execution with every call.",
  ),
  credential("token", "Token", "The credential of bearer and OAuth 2.0 security schemes."),
  credential("apiKey", "API key", "The credential of apiKey security schemes."),
  credential("username", "User name", "For HTTP Basic."),
  credential("password", "Password", "For HTTP Basic."),
];
