import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type LocalFunction, parseHandler } from "../template/functions.ts";
import { waitAtMost } from "../wait-at-most.ts";
import type { FunctionCall, Outcome } from "./function-call.ts";
import { buildEnvironment, type Endpoints } from "./function-environment.ts";
import { createFunctionHost, type FunctionHost } from "./function-host.ts";
import { longestIdle, mostThreads } from "./longest-idle.ts";
import type { EngineRoute } from "./route-to-engine.ts";

/** Invokes a function by name; resolves when the invocation is complete. */
export type Invoke = (name: string, call: FunctionCall) => Promise<Outcome>;

/** All functions of the stack. */
export type Functions = {
  invoke: Invoke;
  /** Starts a function's thread before its first invocation. */
  warm: (name: string) => void;
  /**
   * Keeps threads of these functions warm and terminates the idle threads of all others. Starts
   * them one after another while the stack is idle, then frees the memory that starting took, keeps
   * few threads from then on, and frees memory that idle ones do not need. Stops on `signal`.
   */
  keepWarm: (names: readonly string[], isBusy: () => boolean, signal: AbortSignal) => Promise<void>;
  /** Terminates a function's threads that are idle, once memory is spared by `keepWarm`. */
  release: (name: string) => void;
  /** Names of the functions that have a thread. */
  started: () => string[];
  /** Waits up to `gracePeriod` milliseconds for invocations in progress, then terminates the threads. */
  close: (gracePeriod: number) => Promise<void>;
};

type FunctionsOptions = {
  functions: readonly LocalFunction[];
  endpoints: Endpoints;
  /** Way of the functions to the DynamoDB engine; undefined: through the local AWS services. */
  engineRoute: Omit<EngineRoute, "statements"> | undefined;
  /** Path of the compiled thread script. */
  script: string;
  logDirectory: string;
  compileCache: string;
  /** Resolves when the bundle in a function's directory is built. */
  built: (directory: string) => Promise<void>;
  /** Idle time in milliseconds after which a thread is terminated; by default `longestIdle` says. */
  idleMs?: number | undefined;
  print: (line: string) => void;
};

const pauseBetween = 100;
/** Idle time after which a thread returns the memory that its last invocations took. */
const compactMilliseconds = 2_000;
const housekeepingMilliseconds = 1_000;

/** Creates the hosts of all functions. A thread starts with the function's first invocation. */
export const createFunctions = ({
  functions,
  endpoints,
  engineRoute,
  script,
  logDirectory,
  compileCache,
  built,
  idleMs,
  print,
}: FunctionsOptions): Functions => {
  const hosts = new Map<string, FunctionHost>(
    functions.map((fn) => {
      const { file, name } = parseHandler(fn);
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
            engineRoute: engineRoute && { ...engineRoute, statements: fn.statements },
          },
          environment: buildEnvironment(fn, endpoints),
          print,
        }),
      ];
    }),
  );
  const buildsByName = new Map(functions.map((fn) => [fn.name, built(basename(fn.directory))]));
  const reserved = new Map(functions.map((fn) => [fn.name, fn.reservedConcurrency]));
  let isSparing = false;
  const housekeeping = setInterval(() => {
    const idle = [...hosts.values()].flatMap((host) => host.idleTimes());
    const longest = longestIdle(idle, isSparing ? mostThreads : Number.POSITIVE_INFINITY, idleMs);
    for (const host of hosts.values()) {
      host.endIdle(longest);
      if (isSparing) host.compactIdle(compactMilliseconds);
    }
  }, housekeepingMilliseconds).unref();
  return {
    invoke: async (name, call) => {
      const host = hosts.get(name);
      if (!host) return { type: "crash", error: `no function ${name}` };
      await buildsByName.get(name);
      if (host.inFlight() >= (reserved.get(name) ?? Infinity)) return { type: "throttled" };
      return host.invoke(call);
    },
    warm: (name) => {
      void buildsByName.get(name)?.then(
        () => hosts.get(name)?.warm(),
        () => undefined,
      );
    },
    keepWarm: async (names, isBusy, signal) => {
      isSparing = true;
      const endOthers = (): void => {
        for (const [name, host] of hosts) if (!names.includes(name)) host.endIdle(0);
      };
      endOthers();
      for (const name of names) {
        const host = hosts.get(name);
        if (!host || host.isStarted()) continue;
        await buildsByName.get(name);
        do {
          await pause(pauseBetween, undefined, { ref: false });
        } while (isBusy() && !signal.aborted);
        if (signal.aborted) return;
        await host.warm();
      }
      // A streaming function may still have been at work after its response.
      endOthers();
      for (const host of hosts.values()) host.compactIdle(0);
    },
    release: (name) => {
      if (isSparing) hosts.get(name)?.endIdle(0);
    },
    started: () => [...hosts].filter(([, host]) => host.isStarted()).map(([name]) => name),
    close: async (gracePeriod) => {
      clearInterval(housekeeping);
      await waitAtMost(Promise.all([...hosts.values()].map((host) => host.settled())), gracePeriod);
      await Promise.all([...hosts.values()].map((host) => host.close()));
    },
  };
};
