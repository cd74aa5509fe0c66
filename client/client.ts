import createFetchClient, { type Client } from "openapi-fetch";
import type { paths } from "./openapi.ts";
import { readProblem } from "./problem-error.ts";
import { defaultRetry, type RetryOptions, retryingFetch } from "./retry.ts";

/** A client of the API, with a function per method: `client.GET("/v1/tenants")`. */
export type WharfClient = Client<paths, `${string}/${string}`>;

/** Credentials of a request. */
export type Credentials = { token: string } | { apiKey: string };

/** Options of a client. */
export type ClientOptions = {
  /** Origin of the API, with the stage if it has one. */
  baseUrl: string;
  /** Provides the credentials of each request; undefined sends none. */
  credentials?: () => Promise<Credentials | undefined> | Credentials | undefined;
  /** Called after a 401; the request is repeated once if it returns other credentials. */
  renew?: () => Promise<Credentials | undefined>;
  fetch?: (request: Request) => Promise<Response>;
  retry?: Partial<RetryOptions>;
};

const authorize = (request: Request, credentials: Credentials | undefined): Request => {
  if (credentials === undefined) return request;
  if ("token" in credentials) request.headers.set("Authorization", `Bearer ${credentials.token}`);
  else request.headers.set("X-API-KEY", credentials.apiKey);
  return request;
};

/** Creates a client. Every response outside 200 to 299 is thrown as a ProblemError. */
export const createClient = (options: ClientOptions): WharfClient => {
  const send = retryingFetch(options.fetch ?? ((request) => fetch(request)), {
    ...defaultRetry,
    ...options.retry,
  });
  const sendAuthorized = async (request: Request): Promise<Response> => {
    const response = await send(authorize(request.clone(), await options.credentials?.()));
    if (response.status !== 401 || options.renew === undefined) return response;
    const renewed = await options.renew();
    return renewed === undefined ? response : send(authorize(request, renewed));
  };
  return createFetchClient<paths>({
    baseUrl: options.baseUrl,
    fetch: async (request) => {
      const response = await sendAuthorized(request);
      if (!response.ok) throw await readProblem(response);
      return response;
    },
  });
};

/** Returns the body of a successful response. */
export const unwrapBody = async <T>(response: Promise<{ data?: T }>): Promise<NonNullable<T>> => {
  const { data } = await response;
  if (data === undefined || data === null) throw new TypeError("The response has no body.");
  return data;
};
