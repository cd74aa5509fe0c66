import type { ConfigParameter } from "../integration.ts";

/** The settings and credentials of a config of `a2a`. */
export const a2aParameters: readonly ConfigParameter[] = [
  {
    name: "url",
    displayName: "URL",
    description:
      "The https address of the agent, which has its card at .well-known/agent-card.json, or the address of the card itself, which ends with .json.",
    required: true,
    secret: false,
  },
  {
    name: "waitSeconds",
    displayName: "Wait (seconds)",
    description:
      "Seconds that a call waits for the end of a task, 1 to 840; by default 20. The time limit of the step applies, too.",
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
    description: "The credential, which is sent in that header.",
    required: false,
    secret: true,
  },
];
