import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { SandboxOrder, SandboxReport } from "./messages.ts";
import { resolveModule } from "./resolve-module.ts";

/** Identifies a thread's memory, for inputs that the thread has already received; unique per thread. */
export type ThreadMemory = object;

/** A running thread. */
export type Thread = { readonly worker: Worker; readonly memory: ThreadMemory };

/** Called with what a thread reports and with its end. */
export type ThreadListener = {
  readonly report: (report: SandboxReport, from: Thread) => void;
  readonly end: (error: unknown, from: Thread) => void;
};

const Report = z.custom<SandboxReport>((value) => typeof value === "object");

const script = resolveModule(new URL("./sandbox-worker.ts", import.meta.url).href);

/** Starts a thread with a heap of `megabytes`, without environment variables. */
export const startThread = (megabytes: number, on: ThreadListener): Thread => {
  const worker = new Worker(new URL(script), {
    name: "sandbox",
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 },
  });
  const thread = { worker, memory: {} };
  worker.on("message", (value) => on.report(Report.parse(value), thread));
  worker.on("error", (error) => on.end(error, thread));
  worker.on("exit", (code) => on.end(new Error(`The sandbox ended with ${code}.`), thread));
  return thread;
};

/** Sends a message to a thread. */
export const sendOrder = ({ worker }: Thread, order: SandboxOrder): void => {
  worker.postMessage(order);
};
