import { createGuardedFetch, type GuardedFetch } from "../../../platform/outgoing/guarded-fetch.ts";
import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { type Prover, sendProven } from "../access-token.ts";
import { watchBody } from "./watch-body.ts";

/** A `fetch` to one server that records its first failure. */
export type Transport = {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Returns the first failure; undefined without one. */
  readonly failure: () => unknown;
  /** Returns `WWW-Authenticate` of the last response that has it. */
  readonly challenge: () => string | undefined;
  /** Aborted when no response can follow. */
  readonly broken: AbortSignal;
  /** Allows only the requests that close the session, within a short time limit. */
  readonly closeSession: () => void;
};

/** Options of a transport. */
export type TransportOptions = {
  readonly outgoing: OutgoingOptions;
  readonly signal: AbortSignal;
  /** Maximum bytes of one response. */
  readonly maxBytes: number;
  /** Of the access token in the requests. */
  readonly prover: Prover | undefined;
};

const silenceMs = 1_000;
const maxClosingMs = 2_000;

/**
 * Creates a transport to a server. Fails on a redirect, and when a response is interrupted or ends without the
 * requested message: the client would otherwise wait until its timeout.
 */
export const createTransport = (
  { host }: URL,
  { outgoing, signal, maxBytes, prover }: TransportOptions,
): Transport => {
  const guarded = createGuardedFetch({ ...outgoing, maxBytes });
  const end = new AbortController();
  let current = AbortSignal.any([signal, end.signal]);
  let silence: NodeJS.Timeout | undefined;
  let failed: unknown;
  let challenge: string | undefined;
  let openRequests = 0;
  const fail = (error: unknown) => {
    failed ??= error;
    end.abort(error);
  };
  const startRequest = () => {
    openRequests += 1;
    clearTimeout(silence);
  };
  const finish = () => {
    openRequests -= 1;
    if (openRequests > 0) return;
    const message = `${host} sent no response to the request.`;
    silence = setTimeout(fail, silenceMs, new UpstreamError(message, { upstream: host }));
  };
  return {
    failure: () => failed,
    challenge: () => challenge,
    broken: end.signal,
    closeSession: () => {
      openRequests = Number.POSITIVE_INFINITY;
      clearTimeout(silence);
      current = AbortSignal.timeout(maxClosingMs);
    },
    fetch: async (input, init) => {
      if (opensServerStream(init)) return new Response(null, { status: 405 });
      startRequest();
      try {
        const own = init?.signal ? [init.signal, current] : [current];
        const sent = { ...init, signal: AbortSignal.any(own) };
        const response = await sendAs(prover, input, sent, guarded);
        challenge = response.headers.get("www-authenticate") ?? challenge;
        if (response.status >= 300 && response.status < 400)
          throw redirected(host, response.status);
        if (response.body) return watchBody(response, { onEnd: finish, onError: fail });
        finish();
        return response;
      } catch (error) {
        failed ??= error;
        throw error;
      }
    },
  };
};

/** Sends a request with a proof of its access token. */
const sendAs = (
  prover: Prover | undefined,
  input: string | URL,
  init: RequestInit,
  send: GuardedFetch,
): Promise<Response> => {
  const request = { url: `${input}`, method: init.method ?? "GET" };
  return sendProven(prover, request, (proof) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(proof)) headers.set(name, value);
    return send(input, { ...init, headers });
  });
};

/** Returns whether a request opens the stream of server messages; resuming an interrupted response does not. */
const opensServerStream = (init: RequestInit | undefined): boolean =>
  (init?.method ?? "GET") === "GET" && !new Headers(init?.headers).has("last-event-id");

const redirected = (upstream: string, upstreamStatus: number): UpstreamError =>
  new UpstreamError(`${upstream} redirects to another address, which is not followed.`, {
    upstream,
    upstreamStatus,
  });
