import type { ConfigParameter } from "../integration.ts";

/** The settings and credentials of a config of `mcp`. */
export const mcpParameters: readonly ConfigParameter[] = [
  {
    name: "url",
    displayName: "URL",
    description: "The https address of the server, such as https://mcp.example.com/mcp.",
    required: true,
    secret: false,
  },
  {
    name: "token",
    displayName: "Token",
    description: "Sent as a bearer token in the header Authorization.",
    required: false,
    secret: true,
  },
  {
    name: "headerName",
    displayName: "Header name",
    description: "The header for a credential that is not a bearer token, such as X-API-KEY.",
    required: false,
    secret: false,
  },
  {
    name: "headerValue",
    displayName: "Header value",
    description: "The credential, which is sent in that header.",
    required: false,
    secret: true,
  },
];
