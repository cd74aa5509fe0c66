import type { ServiceError, WireError } from "./wire.ts";

const errors: Record<ServiceError, readonly [number, type: string, code: string | null, string]> = {
  throttled: [429, "requests", "rate_limit_exceeded", "Rate limit reached for requests"],
  "out of quota": [429, "insufficient_quota", "insufficient_quota", "You exceeded your quota"],
  overloaded: [503, "server_error", "server_is_overloaded", "The engine is currently overloaded"],
  failed: [500, "server_error", "server_error", "The server had an error"],
  "context exceeded": [
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "This model's maximum context length is 8192 tokens.",
  ],
  "harmful prompt": [
    400,
    "invalid_request_error",
    "content_policy_violation",
    "Your request was rejected",
  ],
  "bad request": [400, "invalid_request_error", "unknown_parameter", "Unknown parameter"],
};

/** OpenAI's error object (platform.openai.com/docs/guides/error-codes). */
export const openaiError = (error: ServiceError): WireError & { body: { error: object } } => {
  const [status, type, code, message] = errors[error];
  return { status, body: { error: { message, type, param: null, code } } };
};
