import { createGuardedFetch } from "../outgoing/guarded-fetch.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { createPatientFetch, type PlainFetch } from "../outgoing/patient-fetch.ts";
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

const defaultTimeoutMs = 10_000;
const maxBytes = 2 * 1024 * 1024;

/**
 * A patient `fetch` through the guarded client for the APIs of providers: answers are read whole and in time.
 * @param until when all must be over, Unix milliseconds
 */
export const createRegistrarFetch = (
  { outgoing, clock, sleep, timeoutMs = defaultTimeoutMs }: Calling,
  until: number,
): PlainFetch => {
  const guarded = createGuardedFetch({ ...outgoing, maxBytes });
  const readInTime: PlainFetch = async (url, { method, headers = {}, body } = {}) => {
    const timeout = AbortSignal.timeout(Math.max(1, Math.min(timeoutMs, until - clock())));
    try {
      const response = await guarded(url, { method, headers, body, signal: timeout });
      const content = await response.arrayBuffer();
      const { status, headers: answered } = response;
      return new Response(content.byteLength > 0 ? content : null, { status, headers: answered });
    } catch (error) {
      if (!timeout.aborted) throw error;
      const { host } = new URL(url);
      throw new OutgoingError("timeout", `${host} did not answer in time.`, host, { cause: error });
    }
  };
  return createPatientFetch(readInTime, { clock, sleep, until });
};
