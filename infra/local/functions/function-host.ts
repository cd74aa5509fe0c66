import { availableParallelism } from "node:os";
import type { FunctionCall, Outcome } from "./function-call.ts";
import { type FunctionThread, startThread, type ThreadOptions } from "./function-thread-handle.ts";

/** Runs one function. */
export type FunctionHost = {
  /** Resolves when the call is over; a streamed answer may have ended before. */
  invoke: (call: FunctionCall) => Promise<Outcome>;
  /** Starts a thread before the first call needs it. */
  warm: () => Promise<void>;
  /** Whether a thread is running. */
  isStarted: () => boolean;
  /** Ends threads without a call for `milliseconds`. */
  endIdle: (milliseconds: number) => void;
  /** Resolves when no call is under way. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

/** Calls that one thread has at a time; more wait their turn. */
const largestConcurrency = 100;
/**
 * The same where a call may take minutes: most of them wait for others, and work that goes on after its
 * answer must not hold up new calls. It is the concurrency that an AWS account begins with.
 */
const largestLongConcurrency = 1_000;
/** A function that may take longer than a whole answer of the gateway. */
const longSeconds = 30;
/** With so many calls under way, another thread is worth its memory. */
const busy = 4;
/** The storage behind the functions needs as much of the machine as they do. */
const largestThreads = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * A function's threads, each with the function's own environment: the first is started with the first
 * call, another when all are busy, as many as half the machine's processors. A thread that crashed, or in
 * which a call timed out, takes no more calls and ends when its other calls have.
 */
export const createFunctionHost = (options: ThreadOptions): FunctionHost => {
  const threads = new Set<FunctionThread>();
  const waiting: (() => void)[] = [];
  const underWay = new Set<Promise<Outcome>>();
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
        !best || (thread.isReady() && (!best.isReady() || thread.underWay() < best.underWay()));
      if (isBetter) best = thread;
    }
    if (best && best.underWay() >= busy && !starting && usable < largestThreads) start();
    return best ?? start();
  };

  return {
    invoke: async (call) => {
      while (choose().underWay() >= limit) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const outcome = choose().call(call);
      underWay.add(outcome);
      await outcome;
      underWay.delete(outcome);
      waiting.shift()?.();
      return outcome;
    },
    warm: () => choose().ready,
    isStarted: () => threads.size > 0,
    endIdle: (milliseconds) => {
      const since = Date.now() - milliseconds;
      for (const thread of threads) {
        if (thread.underWay() === 0 && thread.lastUsed() < since) void thread.end();
      }
    },
    settled: async () => {
      await Promise.all(underWay);
    },
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
};
