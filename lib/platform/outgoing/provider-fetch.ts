import type { Clock } from "../runtime/runtime.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { limitTime } from "./limit-time.ts";
import type { OutgoingOptions } from "./resolve-host.ts";
import { createRetryingFetch, type PlainFetch } from "./retrying-fetch.ts";

/** Dependencies of calling the APIs of providers. */
export type Calling = {
  outgoing: OutgoingOptions;
  clock: Clock;
  /** Waits for a duration in milliseconds. */
  sleep: (ms: number) => Promise<unknown>;
  /** For each response, including its body. Default 10 s. */
  timeoutMs?: number;
};

const defaultTimeoutMs = 10_000;
const maxBytes = 2 * 1024 * 1024;

/**
 * Creates a patient `fetch` for the APIs of providers. Reads each response whole, within its time limit.
 * @param until end of all calls, Unix milliseconds
 */
export const createProviderFetch = (
  { outgoing, clock, sleep, timeoutMs = defaultTimeoutMs }: Calling,
  until: number,
): PlainFetch => {
  const guarded = createGuardedFetch({ ...outgoing, maxBytes });
  const read: PlainFetch = (url, init) => {
    const ms = Math.max(1, Math.min(timeoutMs, until - clock()));
    return limitTime({ host: new URL(url).host, ms }, async (signal) => {
      const response = await guarded(url, { ...init, signal });
      const content = await response.arrayBuffer();
      const { status, headers } = response;
      return new Response(content.byteLength > 0 ? content : null, { status, headers });
    });
  };
  return createRetryingFetch(read, { clock, sleep, until });
};
