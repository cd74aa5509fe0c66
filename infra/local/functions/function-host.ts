import { availableParallelism } from "node:os";
import type { FunctionCall, Outcome } from "./function-call.ts";
import { type FunctionThread, startThread, type ThreadOptions } from "./function-thread-handle.ts";

/** Runs one function in threads. */
export type FunctionHost = {
  /** Resolves when the invocation is complete; a streamed response may end earlier. */
  invoke: (call: FunctionCall) => Promise<Outcome>;
  /** Starts a thread unless one is running; resolves when it is ready. */
  warm: () => Promise<void>;
  /** Number of invocations in progress or waiting. */
  inFlight: () => number;
  /** Whether a thread is running. */
  isStarted: () => boolean;
  /** Frees memory of the threads idle for `milliseconds`, once after each use. */
  compactIdle: (milliseconds: number) => void;
  /** For each thread, for how many milliseconds it has been idle; 0 for one at work. */
  idleTimes: () => number[];
  /** Terminates threads idle for `milliseconds`. */
  endIdle: (milliseconds: number) => void;
  /** Resolves when no invocation is in progress. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

/** Concurrent invocations of one thread; further ones wait. */
const largestConcurrency = 100;
/**
 * Concurrent invocations of a long-running function, most of which wait for other services. The default
 * concurrency of an AWS account.
 */
const largestLongConcurrency = 1_000;
/** A timeout above the gateway's limit marks a long-running function. */
const longSeconds = 30;
/** Invocations in progress from which another thread is worth its memory. */
const busy = 4;
/** Leaves half of the processors to storage. */
const largestThreads = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Creates the host of a function. It starts a thread with the first invocation and more while all are busy.
 * After a crash or a timeout a thread gets no more invocations and exits when its last one completes.
 */
export const createFunctionHost = (options: ThreadOptions): FunctionHost => {
  const threads = new Set<FunctionThread>();
  /** When a thread was last used before its memory was freed. */
  const compacted = new WeakMap<FunctionThread, number>();
  const waiting: (() => void)[] = [];
  const inFlight = new Set<Promise<Outcome>>();
  let invocations = 0;
  const isLong = options.data.timeoutSeconds > longSeconds;
  const limit = isLong ? largestLongConcurrency : largestConcurrency;

  const start = (): FunctionThread => {
    const thread = startThread(options, () => threads.delete(thread));
    threads.add(thread);
    return thread;
  };

  const choose = (): FunctionThread => {
    let best: FunctionThread | undefined;
    let usable = 0;
    let starting = false;
    for (const thread of threads) {
      if (!thread.isUsable()) continue;
      usable += 1;
      starting ||= !thread.isReady();
      const isBetter =
        !best || (thread.isReady() && (!best.isReady() || thread.inFlight() < best.inFlight()));
      if (isBetter) best = thread;
    }
    if (best && best.inFlight() >= busy && !starting && usable < largestThreads) start();
    return best ?? start();
  };

  const idleSince = (milliseconds: number): FunctionThread[] => {
    const since = Date.now() - milliseconds;
    return [...threads].filter((thread) => thread.inFlight() === 0 && thread.lastUsed() <= since);
  };

  return {
    invoke: async (call) => {
      invocations += 1;
      while (choose().inFlight() >= limit) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const outcome = choose().call(call);
      inFlight.add(outcome);
      await outcome;
      inFlight.delete(outcome);
      invocations -= 1;
      waiting.shift()?.();
      return outcome;
    },
    warm: () => choose().ready,
    inFlight: () => invocations,
    isStarted: () => threads.size > 0,
    compactIdle: (milliseconds) => {
      for (const thread of idleSince(milliseconds)) {
        if (compacted.get(thread) === thread.lastUsed()) continue;
        compacted.set(thread, thread.lastUsed());
        thread.compact();
      }
    },
    idleTimes: () => {
      const now = Date.now();
      return [...threads].map((thread) => (thread.inFlight() > 0 ? 0 : now - thread.lastUsed()));
    },
    endIdle: (milliseconds) => {
      for (const thread of idleSince(milliseconds)) void thread.end();
    },
    settled: async () => {
      await Promise.all(inFlight);
    },
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
};
