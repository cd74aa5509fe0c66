import type { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { ToolError } from "./tool.ts";

/** Returns the tool error for a failed call: a failure of the service, or of the parameters. */
export const outgoingFailure = (error: OutgoingError): Error => {
  const upstream = error.host;
  switch (error.kind) {
    case "connection-failed":
    case "too-many-redirects":
    case "too-large":
      return new UpstreamError(error.message, { upstream }, { cause: error });
    case "timeout":
      return new UpstreamError(error.message, { upstream, timedOut: true }, { cause: error });
    case "bad-url":
    case "bad-request":
    case "blocked-address":
      return new ToolError(error.message, { cause: error });
  }
};
