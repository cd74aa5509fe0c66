import { OutgoingError } from "./outgoing-error.ts";
import { untilAborted } from "./until-aborted.ts";

/** The time of a call to `host`. */
export type CallTime = { readonly host: string; readonly ms: number };

/**
 * Runs a call with a time limit. Throws an OutgoingError `timeout` when the limit is exceeded, and the reason of
 * `signal` when the caller aborts. Aborts the signal it passes in any case, so that no connection stays open.
 */
export const limitTime = async <Value>(
  { host, ms }: CallTime,
  call: (signal: AbortSignal) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> => {
  signal?.throwIfAborted();
  const end = new AbortController();
  const abort = () => end.abort();
  const timer = setTimeout(abort, ms);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await untilAborted(end.signal, call(end.signal));
  } catch (error) {
    signal?.throwIfAborted();
    if (!end.signal.aborted) throw error;
    throw new OutgoingError("timeout", `${host} did not respond in time.`, host, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    end.abort();
  }
};
