import { createGuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { limitTime } from "../../platform/outgoing/limit-time.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

/** Calls an authorization server, and waits before a repetition. */
export type OAuthCalls = {
  outgoing: OutgoingOptions;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Time for one response with its body, 10 seconds if absent. Two of them are shorter than the lease of a refresh. */
  responseMs?: number;
  /** Ends the requests of a chain. */
  signal?: AbortSignal;
};

/** A request to an authorization server. */
export type OAuthRequest = {
  method: string;
  headers: Record<string, string>;
  body?: URLSearchParams | string | undefined;
};

const usualResponseMs = 10_000;
const maxBytes = 256 * 1024;
const pauseMs = 300;

/**
 * Does work with authorization servers that takes several requests, all of them within the time of two responses: 20 seconds. Throws
 * an UpstreamError where they take longer.
 */
export const limitChain = async <Calls extends OAuthCalls, Result>(
  calls: Calls,
  work: (limited: Calls) => Promise<Result>,
): Promise<Result> => {
  const { responseMs = usualResponseMs } = calls;
  const end = new AbortController();
  const timer = setTimeout(() => {
    const message = "The authorization servers did not respond in time.";
    const upstream = "authorization server";
    end.abort(new UpstreamError(message, { upstream, timedOut: true }));
  }, 2 * responseMs);
  try {
    return await work({ ...calls, signal: end.signal });
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Creates a `fetch` to authorization servers: public addresses only, no redirects, within 10 seconds and 256 KB. Throws
 * UpstreamErrors, also for a response of 500 or above, and OutgoingErrors.
 */
export const createSingleFetch =
  ({ outgoing, responseMs = usualResponseMs, signal: chain }: OAuthCalls) =>
  async (url: string, { method, headers, body }: OAuthRequest): Promise<Response> => {
    const guarded = createGuardedFetch({ ...outgoing, maxBytes });
    const { host } = new URL(url);
    const request = async (signal: AbortSignal): Promise<Response> => {
      const init = { method, headers, body: body?.toString() ?? null, signal };
      const response = await guarded(url, init);
      const content = await response.arrayBuffer();
      const { status } = response;
      const hasBody = content.byteLength > 0 && status !== 204;
      return new Response(hasBody ? content : null, { status, headers: response.headers });
    };
    const found = await limitTime({ host, ms: responseMs }, request, chain);
    if (found.status < 500) return found;
    const message = `${host} responded with status ${found.status}.`;
    throw new UpstreamError(message, { upstream: host, upstreamStatus: found.status });
  };

/**
 * Does work with an authorization server once more, after a pause, if that responded with 500 or above. All of the work: servers
 * accept an assertion or a proof only once.
 */
export const repeatOnce = <Result>(
  { sleep, signal = new AbortController().signal }: OAuthCalls,
  work: () => Promise<Result>,
  isRepeated: (error: unknown) => boolean = () => false,
): Promise<Result> =>
  work().catch(async (error: unknown) => {
    if (isRepeated(error)) return work();
    if (!(error instanceof UpstreamError) || (error.upstreamStatus ?? 0) < 500) throw error;
    await sleep(pauseMs, signal);
    return work();
  });

/** Creates a `fetch` like that of `createSingleFetch`, in which a response of 500 or above is requested once more. */
export const createOAuthFetch = (calls: OAuthCalls) => {
  const single = createSingleFetch(calls);
  return (url: string, request: OAuthRequest): Promise<Response> =>
    repeatOnce(calls, () => single(url, request));
};

/** Returns the failure of a call as an UpstreamError, without texts of the server. */
export const toOAuthFailure = (error: unknown, host: string): Error => {
  if (error instanceof UpstreamError) return error;
  if (error instanceof OutgoingError) {
    const timedOut = error.kind === "timeout";
    return new UpstreamError(error.message, { upstream: host, timedOut }, { cause: error });
  }
  const message = `${host} did not respond as an authorization server does.`;
  // Errors of the library have the response as their cause, which may have tokens.
  const cause = new Error(error instanceof Error ? error.message : "unknown");
  return new UpstreamError(message, { upstream: host }, { cause });
};
