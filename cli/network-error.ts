import { unreachable, type WharfError } from "./exit.ts";

/** Members of an error that name its cause. The code of a DOMException, such as a timeout, is a number. */
const describeError = (
  error: unknown,
): { code: string | undefined; message: string | undefined } => {
  if (!(error instanceof Error)) return { code: undefined, message: undefined };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { code, message: error.message };
};

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ENOTFOUND: "the host was not found",
  EAI_AGAIN: "the host name could not be resolved",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "the network is unreachable",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** Converts an error of `fetch` to a message; `timeoutSeconds` is the time limit of the request. */
export const toNetworkError = (error: unknown, url: string, timeoutSeconds: number): WharfError => {
  if (error instanceof Error && error.name === "TimeoutError") {
    return unreachable(`${url} did not respond within ${timeoutSeconds} s.`);
  }
  const outer = describeError(error);
  const inner = describeError(error instanceof Error ? error.cause : undefined);
  const code = inner.code ?? outer.code;
  const known = code === undefined ? undefined : reasons[code];
  const reason = known ?? inner.message ?? outer.message ?? "the connection failed";
  return unreachable(`${url} cannot be reached: ${reason}${code ? ` (${code})` : ""}.`);
};
