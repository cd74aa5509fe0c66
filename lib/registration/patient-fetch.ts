import { createGuardedFetch } from "../outgoing/guarded-fetch.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import type { OutgoingOptions } from "../outgoing/resolve-host.ts";
import type { Clock } from "../runtime/runtime.ts";

/** How the APIs of providers are called. */
export type Calling = {
  outgoing: OutgoingOptions;
  clock: Clock;
  /** Waits so many milliseconds. */
  sleep: (ms: number) => Promise<unknown>;
  /** For each answer, its body included. Default 10 s. */
  timeoutMs?: number;
};

/** A `fetch` of texts: the headers are plain ones. */
export type PatientFetch = (
  url: string,
  init?: Pick<RequestInit, "method"> & { headers?: Record<string, string>; body?: string },
) => Promise<Response>;

type Parameters = globalThis.Parameters<PatientFetch>;

const defaultTimeoutMs = 10_000;
const maxBytes = 2 * 1024 * 1024;
const mostWaits = 3;
const longestWaitMs = 20_000;

/**
 * A `fetch` through the guarded client for the APIs of providers: answers are read whole and in time, and a
 * provider that throttles and says for how long (`Retry-After`, at most 20 s) is waited for, three times.
 * @param until when all must be over, Unix milliseconds
 */
export const createPatientFetch = (
  { outgoing, clock, sleep, timeoutMs = defaultTimeoutMs }: Calling,
  until: number,
): PatientFetch => {
  const guarded = createGuardedFetch({ ...outgoing, maxBytes });
  const send: Send = ([url, { method, headers = {}, body } = {}], signal) =>
    guarded(url, { method, headers, body, signal });
  return async (...call) => {
    for (let waits = 0; ; waits += 1) {
      const leftMs = Math.max(1, Math.min(timeoutMs, until - clock()));
      const response = await readInTime(send, call, leftMs);
      const waitMs = askedToWaitMs(response);
      if (waitMs === undefined || waitMs > longestWaitMs || waits === mostWaits) return response;
      if (clock() + waitMs >= until) return response;
      await sleep(waitMs);
    }
  };
};

type Send = (call: Parameters, signal: AbortSignal) => Promise<Response>;

const readInTime = async (send: Send, call: Parameters, timeoutMs: number): Promise<Response> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(call, timeout);
    const { status, headers } = response;
    const body = await response.arrayBuffer();
    return new Response(body.byteLength > 0 ? body : null, { status, headers });
  } catch (error) {
    if (!timeout.aborted) throw error;
    const { host } = new URL(call[0]);
    throw new OutgoingError("timeout", `${host} did not answer in time.`, host, { cause: error });
  }
};

/** Milliseconds; undefined when the answer asks for no wait. GitHub throttles by 403, too. */
const askedToWaitMs = ({ status, headers }: Response): number | undefined => {
  const seconds = headers.get("retry-after");
  if (![403, 429, 503].includes(status) || seconds === null) return undefined;
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
};
