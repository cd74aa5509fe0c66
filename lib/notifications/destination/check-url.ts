import { validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { wrongUrl } from "../../platform/outgoing/wrong-url.ts";

/** Throws 400 for a URL that is not allowed as a destination. */
export const checkUrl = (
  url: string,
  outgoing: OutgoingOptions,
  pointer: "/url" | "/endpoint" = "/url",
): void => {
  const detail = wrongUrl(url, outgoing, { mayHaveQuery: true });
  if (detail !== undefined) throw validationFailed([{ pointer, detail }]);
};
