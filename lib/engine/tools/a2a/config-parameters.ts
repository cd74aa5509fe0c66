import type { ConfigParameter } from "../integration.ts";

/** The settings and credentials of a config of `a2a`. */
export const a2aParameters: readonly ConfigParameter[] = [
  {
    name: "url",
    displayName: "URL",
    description:
      "The agent's address, https, below which its card is at .well-known/agent-card.json; or the address of the card, which ends with .json.",
    required: true,
    secret: false,
  },
  {
    name: "waitSeconds",
    displayName: "Wait",
    description:
      "How long a call waits for the end of a task, 1 to 840 seconds; 20 by default. Not longer than the step.",
    required: false,
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
    description: "The credential that is sent in that header.",
    required: false,
    secret: true,
  },
];
