import { createGuardedFetch } from "../../../platform/outgoing/guarded-fetch.ts";
import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { watchBody } from "./watch-body.ts";

/** A `fetch` to one server, which remembers why it failed. */
export type Line = {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** What went wrong first; undefined as long as nothing did. */
  readonly failure: () => unknown;
  /** Aborted when nothing more can come. */
  readonly broken: AbortSignal;
  /** From now on only the session is closed, for which there is little time. */
  readonly sayGoodbye: () => void;
};

/** How a line is laid. */
export type LineOptions = {
  readonly outgoing: OutgoingOptions;
  readonly signal: AbortSignal;
  /** Of one answer. */
  readonly maxBytes: number;
};

const silenceMs = 1_000;
const longestFarewellMs = 2_000;

/**
 * Lays a line to a server. A redirect is a failure. An answer that breaks off, or was read to its end
 * without what was asked for, breaks the line: the client would wait for the rest of its time.
 */
export function layLine({ host }: URL, { outgoing, signal, maxBytes }: LineOptions): Line {
  const guarded = createGuardedFetch({ ...outgoing, maxBytes });
  const end = new AbortController();
  let standing = AbortSignal.any([signal, end.signal]);
  let silence: NodeJS.Timeout | undefined;
  let failed: unknown;
  let atWork = 0;
  const fail = (error: unknown) => {
    failed ??= error;
    end.abort(error);
  };
  const begin = () => {
    atWork += 1;
    clearTimeout(silence);
  };
  const finish = () => {
    atWork -= 1;
    if (atWork > 0) return;
    const message = `${host} did not answer what it was asked.`;
    silence = setTimeout(fail, silenceMs, new UpstreamError(message, { upstream: host }));
  };
  return {
    failure: () => failed,
    broken: end.signal,
    sayGoodbye: () => {
      atWork = Number.POSITIVE_INFINITY;
      clearTimeout(silence);
      standing = AbortSignal.timeout(longestFarewellMs);
    },
    fetch: async (input, init) => {
      if (opensStream(init)) return new Response(null, { status: 405 });
      begin();
      try {
        const own = init?.signal ? [init.signal, standing] : [standing];
        const response = await guarded(input, { ...init, signal: AbortSignal.any(own) });
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
}

/** The stream of what a server says unasked; an answer that broke off may be gone on with all the same. */
const opensStream = (init: RequestInit | undefined): boolean =>
  (init?.method ?? "GET") === "GET" && !new Headers(init?.headers).has("last-event-id");

const redirected = (upstream: string, upstreamStatus: number): UpstreamError =>
  new UpstreamError(`${upstream} redirects to another address, which is not followed.`, {
    upstream,
    upstreamStatus,
  });
