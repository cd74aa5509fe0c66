import type { Connection } from "./connection.ts";
import { failed, usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { toNetworkError } from "./network-error.ts";
import packageJson from "./package.json" with { type: "json" };
import { parseJson } from "./parse-json.ts";

/**
 * Creates the `fetch` of the client: with a time limit and without redirects, which would send the
 * credential to another URL. A failed response is converted to a problem, and the credential is
 * removed from texts. Throws a WharfError when there is no response.
 */
export const cliFetch = (
  { url, source }: Pick<Connection, "url" | "source">,
  io: Pick<Io, "env">,
): ((request: Request) => Promise<Response>) => {
  const timeoutSeconds = readTimeout(io);
  return async (request) => {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const head = new AbortController();
    const abort = (): void => head.abort(timeout.reason);
    timeout.addEventListener("abort", abort);
    request.headers.set("User-Agent", `wharf/${packageJson.version}`);
    const signal = AbortSignal.any([request.signal, head.signal]);
    const { response, text } = await send(request, signal)
      .catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        throw toNetworkError(error, url, timeoutSeconds);
      })
      .finally(() => timeout.removeEventListener("abort", abort));
    if (text === undefined) return response;
    const secret = readSecret(request);
    return rewrite(response, secret === "" ? text : text.replaceAll(secret, "********"), source);
  };
};

/** Sends a request and reads its response, except an event stream, which has no time limit after its head. */
const send = async (
  request: Request,
  signal: AbortSignal,
): Promise<{ response: Response; text?: string }> => {
  const response = await fetch(request, { redirect: "manual", signal });
  if (parseMediaType(response.headers) === "text/event-stream") return { response };
  return { response, text: await response.text() };
};

const readSecret = ({ headers }: Request): string =>
  headers.get("x-api-key") ?? headers.get("authorization")?.replace("Bearer ", "") ?? "";

const rewrite = (response: Response, text: string, source: string | undefined): Response => {
  const { status } = response;
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  if (response.ok && text === "") return new Response(null, { status: 204, headers });
  const type = parseMediaType(headers) ?? "of an unknown type";
  const value = parseJson(text);
  if (response.ok) {
    if (value !== undefined) return new Response(text, { status, headers });
    throw failed(`The response (${status}) is ${type}, not JSON. Check the URL.`);
  }
  const problem = toProblem(value, status, type);
  const body = status === 401 ? { ...problem, credentialSource: source } : problem;
  return Response.json(body, { status: status < 400 ? 502 : status, headers });
};

/** Gateways and proxies respond with a `message`, an HTML page or a redirect. */
const toProblem = (value: unknown, status: number, type: string): object => {
  if (typeof value === "object" && value !== null) {
    if ("title" in value) return value;
    if ("message" in value) return { title: `The API responded: ${value.message}` };
  }
  if (status >= 300 && status < 400) {
    return { title: "The API responded with a redirect. Check the URL." };
  }
  return { title: `The response is ${type}, not problem details. Check the URL.` };
};

const parseMediaType = (headers: Headers): string | undefined =>
  headers.get("content-type")?.split(";")[0];

const readTimeout = ({ env }: Pick<Io, "env">): number => {
  const seconds = Number(env.WHARF_TIMEOUT_SECONDS || "30");
  if (!(seconds > 0 && seconds <= 3_600)) {
    throw usage("WHARF_TIMEOUT_SECONDS must be a number of seconds up to 3600.");
  }
  return seconds;
};
