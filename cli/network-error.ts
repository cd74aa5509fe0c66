import * as z from "zod";
import { unreachable, type WharfError } from "./exit.ts";

const Failure = z.object({
  name: z.string().optional(),
  // A DOMException, such as a timeout, has a number here.
  code: z.string().optional().catch(undefined),
  message: z.string().optional(),
});

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name could not be looked up",
  ETIMEDOUT: "it did not answer in time",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer in time",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no network",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** Says in words why no answer arrived from `url`; `timeoutSeconds` is how long was waited at most. */
export const toNetworkError = (error: unknown, url: string, timeoutSeconds: number): WharfError => {
  const { data: outer } = Failure.safeParse(error);
  if (outer?.name === "TimeoutError") {
    return unreachable(`${url} did not answer within ${timeoutSeconds} s.`);
  }
  const { data: inner } = Failure.safeParse(error instanceof Error ? error.cause : undefined);
  const code = inner?.code ?? outer?.code;
  const known = code === undefined ? undefined : reasons[code];
  const words = known ?? inner?.message ?? outer?.message ?? "the connection failed";
  return unreachable(`${url} cannot be reached: ${words}${code ? ` (${code})` : ""}.`);
};
