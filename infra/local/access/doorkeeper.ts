import type { IncomingMessage } from "node:http";
import { operator } from "../operator.ts";
import { callerOf } from "./caller.ts";
import { createTokenCheck, tokenHeader } from "./credentials.ts";

/** Returns why a request is refused before it is looked at; undefined when it may go on. */
export type Doorkeeper = (request: IncomingMessage) => Refusal | undefined;

type Refusal = { type: string; message: string };

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Creates the check of every request to the local AWS services. Web pages are kept out, also those whose name
 * was rebound to this machine: the `Host` must be a loopback name, and an `Origin` is refused. Callers prove
 * who they are by the session token of this start; a request without a signature must have the operator's.
 */
export const createDoorkeeper = (secret: string, publicPaths: readonly string[]): Doorkeeper => {
  const isOwnToken = createTokenCheck(secret);
  return ({ headers, socket, url = "", method }) => {
    const hosts = loopbackNames.map((name) => `${name}:${socket.localPort}`);
    if (!hosts.includes(headers.host ?? "")) {
      return refused("The Host must be a loopback address with the port of this server.");
    }
    if (headers.origin !== undefined) return refused("Web pages are not served.");
    if (method === "GET" && publicPaths.includes(url)) return undefined;
    const token = headers[tokenHeader];
    const caller = callerOf(headers.authorization) || operator;
    if (isOwnToken(caller, typeof token === "string" ? token : undefined)) return undefined;
    return {
      type: "UnrecognizedClientException",
      message: "The security token included in the request is invalid.",
    };
  };
};

const refused = (message: string): Refusal => ({ type: "AccessDeniedException", message });
