import { OutgoingError } from "./outgoing-error.ts";
import { parseAddress } from "./parse-address.ts";
import type { PlainFetch } from "./patient-fetch.ts";

const mostRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Follows the redirects of GET calls that stay within their origin. Any other is an answer like any other: what
 * is sent, credentials among it, is for that origin alone.
 */
export const followWithin =
  (send: PlainFetch): PlainFetch =>
  async (url, init) => {
    let at = new URL(url);
    for (let count = 0; count <= mostRedirects; count += 1) {
      const response = await send(at, init);
      const location = response.headers.get("location");
      if (!redirects.has(response.status) || location === null) return response;
      const next = parseAddress(location, at);
      if (next?.origin !== at.origin || (init?.method ?? "GET") !== "GET") return response;
      await response.body?.cancel();
      at = next;
    }
    const detail = `${at.host} redirects more than ${mostRedirects} times.`;
    throw new OutgoingError("too-many-redirects", detail, at.host);
  };
