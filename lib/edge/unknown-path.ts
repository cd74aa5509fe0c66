import { Problem, unknownRoute } from "../platform/http/problems.ts";
import type { A2aReason } from "./a2a-error.ts";
import type { Protocol } from "./protocol.ts";

const belowOpenAi = /^(?:\/[^/]+)?\/v1\/tenants\/[^/]+\/openai(?:\/.*)?$/;
const belowAgent = /^(?:\/[^/]+)?\/v1\/tenants\/[^/]+\/agents\/[^/]+\/a2a\/(.+)$/;

const unknownEndpoint =
  "The endpoint does not exist. The base URL ends with /openai; below it are responses, chat/completions and models.";

/** A2A's optional operations that agents do not have: paths below the address of an agent. */
const unsupported: readonly { path: RegExp; reason: A2aReason; detail: string }[] = [
  {
    path: /^tasks\/[^/]+\/pushNotificationConfigs(?:\/[^/]*)?$/,
    reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    detail: "Push notifications are not supported. Read the task, or subscribe to it.",
  },
  {
    path: /^extendedAgentCard$/,
    reason: "UNSUPPORTED_OPERATION",
    detail: "The agent has no extended card.",
  },
];

/** Returns the protocol of a path without a route, by which its error is formatted; undefined for the API's own. */
export const findPathProtocol = (path: string): Protocol | undefined => {
  if (belowOpenAi.test(path)) return "openai";
  return belowAgent.test(path) ? "a2a-http" : undefined;
};

/**
 * Returns the problem of a path without a route: 404, or that of an operation of A2A that agents do not have. Below the base
 * URL of the OpenAI-compatible API, its detail names the endpoints that exist.
 */
export const describeUnknownPath = (path: string): Problem => {
  if (belowOpenAi.test(path)) return new Problem("not-found", unknownEndpoint);
  const rest = belowAgent.exec(path)?.[1] ?? "";
  const found = unsupported.find((operation) => operation.path.test(rest));
  if (!found) return unknownRoute();
  return new Problem("validation-failed", found.detail, { members: { reason: found.reason } });
};
