import { isIP } from "node:net";
import type { Headers } from "../platform/http/request.ts";
import { sameText } from "../platform/signatures/signatures.ts";

/** Header with the secret by which a distribution identifies itself to the API, its origin. */
export const originSecretHeader = "x-wharf-origin-secret";
/** Header in which CloudFront sends address and port of its viewer. */
export const viewerAddressHeader = "cloudfront-viewer-address";

/**
 * Returns the address of a distribution's viewer; undefined unless the request has the distribution's secret, since any
 * caller can send the header.
 */
export const readViewerAddress = (
  headers: Headers,
  secret: string | undefined,
): string | undefined => {
  const [given, ...others] = headers.get(originSecretHeader) ?? [];
  if (secret === undefined || others.length > 0 || !sameText(given, secret)) return undefined;
  const [viewer, ...more] = headers.get(viewerAddressHeader) ?? [];
  return viewer === undefined || more.length > 0 ? undefined : addressIn(viewer);
};

/** Takes the port off `198.51.100.10:46532`, `2001:db8::1:46532` or `[2001:db8::1]:46532`. */
const addressIn = (viewer: string): string | undefined => {
  const address = /^(.*):\d{1,5}$/.exec(viewer)?.[1]?.replace(/^\[(.*)\]$/, "$1");
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
};
