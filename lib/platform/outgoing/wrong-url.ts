import { isPrivateHost, privateAddressHint } from "./blocked-address.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { parseUrl } from "./parse-url.ts";
import type { OutgoingOptions } from "./resolve-host.ts";

/**
 * Returns the problem of a URL that is stored and called later; undefined for a valid one. Each call checks the
 * addresses that its name resolves to.
 */
export const wrongUrl = (
  text: string,
  outgoing: OutgoingOptions,
  { mayHaveQuery }: { mayHaveQuery: boolean },
): string | undefined => {
  try {
    const { hostname, search, hash } = parseUrl(text, undefined, outgoing);
    if (search !== "" && !mayHaveQuery) return "must not hold a query";
    if (hash !== "") return "must not hold a fragment";
    return isPrivateHost(hostname) && !outgoing.allowPrivateAddresses
      ? `must be a public address. ${privateAddressHint}`
      : undefined;
  } catch (error) {
    if (error instanceof OutgoingError) return error.message;
    throw error;
  }
};
