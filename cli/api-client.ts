import { setTimeout as sleep } from "node:timers/promises";
import packageJson from "../package.json" with { type: "json" };
import { contentTypeOf, type RawResponse, toApiError } from "./api-error.ts";
import type { Connection } from "./connection.ts";
import type { Endpoint } from "./endpoints.ts";
import { failed, usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { toNetworkError } from "./network-error.ts";
import { printMessage } from "./output.ts";
import { parseJson } from "./parse-json.ts";

/** Path parameters of a row, without `{tenant}`, and its query. */
export type Input = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
};

/**
 * Calls an endpoint and returns its JSON response; undefined if empty. Throws an ApiError, or a WharfError when
 * there is no response or it is not JSON.
 */
export type ApiClient = (endpoint: Endpoint, input?: Input) => Promise<unknown>;

const maxWaits = 3;
const longestWaitSeconds = 300;

/** Creates a client of the API. It waits and retries after a 429, at most three times. */
export const apiClient = (connection: Connection, io: Pick<Io, "env" | "stderr">): ApiClient => {
  const timeoutSeconds = readTimeout(io);
  return async (endpoint, input = {}) => {
    const url = connection.url + pathOf(endpoint, connection.tenant, input);
    for (let waits = 0; ; waits += 1) {
      const response = await send(endpoint.method, url, connection, timeoutSeconds);
      const seconds = response.status === 429 ? retryAfterSeconds(response.headers) : undefined;
      if (seconds === undefined || seconds > longestWaitSeconds || waits === maxWaits) {
        return readResponse(response, connection);
      }
      printMessage(io, `wharf: Too many requests; waiting ${seconds} s.`);
      await sleep(seconds * 1_000);
    }
  };
};

const send = async (
  method: string,
  url: string,
  { credential, url: baseUrl }: Connection,
  timeoutSeconds: number,
): Promise<RawResponse> => {
  const { kind, secret } = credential;
  try {
    const response = await fetch(url, {
      method,
      // Following a redirect would send the credential to another address.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutSeconds * 1_000),
      headers: {
        Accept: "application/json",
        "User-Agent": `wharf/${packageJson.version}`,
        ...(kind === "token" ? { Authorization: `Bearer ${secret}` } : { "X-API-KEY": secret }),
      },
    });
    const text = (await response.text()).replaceAll(secret, "********");
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    throw toNetworkError(error, baseUrl, timeoutSeconds);
  }
};

const readResponse = (response: RawResponse, { source }: Connection): unknown => {
  const { status, headers, text } = response;
  if (status < 200 || status >= 300) throw toApiError(response, source);
  if (text === "") return undefined;
  const value = parseJson(text);
  if (value === undefined) {
    throw failed(`The response (${status}) is ${contentTypeOf(headers)}, not JSON. Check the URL.`);
  }
  return value;
};

const pathOf = ({ path }: Endpoint, tenant: string, { params, query }: Input): string => {
  const values: Readonly<Record<string, string>> = { ...params, tenant };
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} of ${path}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
};

/** Parses `Retry-After` (RFC 9110): seconds or a date; 1 s if it is missing or invalid. */
const retryAfterSeconds = (headers: Headers): number => {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const wait = Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isNaN(wait) ? 1 : Math.max(0, wait);
};

const readTimeout = ({ env }: Pick<Io, "env">): number => {
  const seconds = Number(env.WHARF_TIMEOUT_SECONDS || "30");
  if (!(seconds > 0 && seconds <= 3_600)) {
    throw usage("WHARF_TIMEOUT_SECONDS must be a number of seconds up to 3600.");
  }
  return seconds;
};
