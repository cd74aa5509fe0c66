import { availableParallelism } from "node:os";
import {
  type FunctionThread,
  type Outcome,
  startThread,
  type ThreadOptions,
} from "./function-thread-handle.ts";

/** Runs one function. */
export type FunctionHost = {
  invoke: (event: string, requestId: string) => Promise<Outcome>;
  /** Starts a thread before the first call needs it. */
  warm: () => Promise<void>;
  /** Whether a thread is running. */
  isStarted: () => boolean;
  /** Ends threads without a call for `milliseconds`. */
  endIdle: (milliseconds: number) => void;
  close: () => Promise<void>;
};

/** Calls that one thread has at a time; more wait their turn. */
const largestConcurrency = 100;
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
    invoke: async (event, requestId) => {
      while (choose().underWay() >= largestConcurrency) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const outcome = await choose().call(event, requestId);
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
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
};
