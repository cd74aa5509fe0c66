import type { IncomingMessage } from "node:http";
import { operator } from "../operator.ts";
import { readAccessKeyId, readAuthorization } from "./caller.ts";
import { createTokenCheck, tokenHeader } from "./credentials.ts";
import { createPresignedCheck, presignedIn } from "./presigned.ts";

/** Returns the error for a request that fails authentication, or undefined. */
export type Authenticator = (request: IncomingMessage) => Refusal | undefined;

type Refusal = { type: string; message: string };

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Creates the authentication of requests to the local AWS services. Rejects web pages, DNS rebinding included:
 * `Host` must be a loopback name, and `Origin` must be absent unless the URL is presigned. Requires the caller's session
 * token; the caller of an unsigned request is the operator.
 */
export const createAuthenticator = (
  secret: string,
  publicPaths: readonly string[],
): Authenticator => {
  const isValidToken = createTokenCheck(secret);
  const checkPresigned = createPresignedCheck(secret);
  return (request) => {
    const { headers, socket, url = "", method } = request;
    const [name = "", port] = splitHost(headers.host ?? "");
    if (!loopbackNames.includes(name) || port !== String(socket.localPort)) {
      return refused("The Host must be a loopback address with the port of this server.");
    }
    const presigned = presignedIn(url);
    if (headers.origin !== undefined && !presigned) {
      return refused("Requests from web pages are not accepted.");
    }
    if (method === "GET" && publicPaths.includes(url)) return undefined;
    const wrong = presigned && checkPresigned(request, presigned, Date.now());
    if (wrong !== undefined) return refused(wrong);
    const token = headers[tokenHeader] ?? presigned?.get("X-Amz-Security-Token");
    const caller = readAccessKeyId(readAuthorization(request)) || operator;
    if (isValidToken(caller, typeof token === "string" ? token : undefined)) return undefined;
    return {
      type: "UnrecognizedClientException",
      message: "The security token included in the request is invalid.",
    };
  };
};

const splitHost = (host: string): string[] => {
  const colon = host.lastIndexOf(":");
  return [host.slice(0, colon), host.slice(colon + 1)];
};

const refused = (message: string): Refusal => ({ type: "AccessDeniedException", message });
