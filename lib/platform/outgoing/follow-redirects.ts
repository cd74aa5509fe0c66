import { OutgoingError } from "./outgoing-error.ts";

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** A response that redirects; `location` as the server sent it. */
export type Redirect = { readonly status: number; readonly location: string };

/**
 * Sends a request and follows up to five redirects. `next` builds the request that follows a redirect; undefined
 * returns the redirect as the response. Throws an OutgoingError after the fifth.
 */
export const followRedirects = async <Hop extends { readonly url: URL }>(
  first: Hop,
  send: (hop: Hop) => Promise<Response>,
  next: (hop: Hop, redirect: Redirect) => Hop | undefined,
): Promise<Response> => {
  let hop = first;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await send(hop);
    const { status, headers } = response;
    const location = headers.get("location");
    if (!redirectStatuses.has(status) || location === null) return response;
    const following = next(hop, { status, location });
    if (following === undefined) return response;
    await response.body?.cancel();
    hop = following;
  }
  const { host } = first.url;
  const detail = `${host} redirects more than ${maxRedirects} times.`;
  throw new OutgoingError("too-many-redirects", detail, host);
};
