import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { handlerOf, type LocalFunction } from "../template/functions.ts";
import { withPatience } from "../with-patience.ts";
import type { FunctionCall, Outcome } from "./function-call.ts";
import { type Endpoints, environmentOf } from "./function-environment.ts";
import { createFunctionHost, type FunctionHost } from "./function-host.ts";

/** Calls a function by its name; resolves when the call is over. */
export type Invoke = (name: string, call: FunctionCall) => Promise<Outcome>;

/** All functions of the stack. */
export type Functions = {
  invoke: Invoke;
  /** Starts a function's thread before it is called. */
  warm: (name: string) => void;
  /**
   * Starts threads one after another while nobody else needs the machine, those of `first` first; stops
   * when `signal` does, and when so many are running that more would cost more memory than they are worth.
   */
  prewarm: (first: readonly string[], isBusy: () => boolean, signal: AbortSignal) => Promise<void>;
  /** Waits for the calls under way, for `patience` milliseconds at most, and ends the threads. */
  close: (patience: number) => Promise<void>;
};

type FunctionsOptions = {
  functions: readonly LocalFunction[];
  endpoints: Endpoints;
  /** The compiled script of a function's thread. */
  script: string;
  logDirectory: string;
  compileCache: string;
  tell: (line: string) => void;
};

const pauseBetween = 100;
/** A thread that nobody called for so long gives its memory back, as Lambda does with its environments. */
const idleMilliseconds = 10 * 60 * 1_000;
/** Each thread holds some 25 MB. */
const largestPrewarmed = 8;

/** Hosts the functions; a thread is started when a function is first called. */
export const createFunctions = ({
  functions,
  endpoints,
  script,
  logDirectory,
  compileCache,
  tell,
}: FunctionsOptions): Functions => {
  const hosts = new Map<string, FunctionHost>(
    functions.map((fn) => {
      const { file, name } = handlerOf(fn);
      return [
        fn.name,
        createFunctionHost({
          script,
          data: {
            file,
            handler: name,
            functionName: fn.name,
            functionArn: fn.arn,
            memoryMegabytes: fn.memoryMegabytes,
            timeoutSeconds: fn.timeoutSeconds,
            logFile: join(logDirectory, `${fn.name}.log`),
            compileCache,
          },
          environment: environmentOf(fn, endpoints),
          tell,
        }),
      ];
    }),
  );
  const housekeeping = setInterval(() => {
    for (const host of hosts.values()) host.endIdle(idleMilliseconds);
  }, idleMilliseconds / 10).unref();
  return {
    invoke: async (name, call) => {
      const host = hosts.get(name);
      if (!host) return { type: "crash", error: `there is no function ${name}` };
      return host.invoke(call);
    },
    warm: (name) => {
      void hosts.get(name)?.warm();
    },
    prewarm: async (first, isBusy, signal) => {
      const running = (): number => [...hosts.values()].filter((host) => host.isStarted()).length;
      for (const name of new Set([...first, ...hosts.keys()])) {
        const host = hosts.get(name);
        if (!host || host.isStarted()) continue;
        do {
          await pause(pauseBetween, undefined, { ref: false });
        } while (isBusy() && !signal.aborted);
        if (signal.aborted || running() >= largestPrewarmed) return;
        await host.warm();
      }
    },
    close: async (patience) => {
      clearInterval(housekeeping);
      await withPatience(Promise.all([...hosts.values()].map((host) => host.settled())), patience);
      await Promise.all([...hosts.values()].map((host) => host.close()));
    },
  };
};
