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
    "The OpenAPI document as JSON or YAML text. Either this or documentUrl is required.",
  ),
  setting("documentUrl", "Document URL", "Where the document is, https. For large ones."),
  setting(
    "baseUrl",
    "Base URL",
    "Where the API is, in place of the document's servers. Required with credentials, unless the API is where documentUrl is.",
  ),
  setting(
    "operations",
    "Operations",
    "Only these become tools: operation ids, such as GET /pets, or tag:pets; * at the end matches anything.",
  ),
  setting(
    "sendTraceContext",
    "Send trace context",
    "true sends the headers traceparent and tracestate of the execution with each call.",
  ),
  credential("token", "Token", "For bearer and OAuth 2 security schemes."),
  credential("apiKey", "API key", "For apiKey security schemes."),
  credential("username", "User name", "For HTTP Basic."),
  credential("password", "Password", "For HTTP Basic."),
];
