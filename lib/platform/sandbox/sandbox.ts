import * as z from "zod";
import { limitCpu } from "./limit-cpu.ts";
import { limitMemory } from "./limit-memory.ts";
import type { SandboxOrder, SandboxReport } from "./messages.ts";
import { sandboxMegabytes } from "./processor-limits.ts";
import { type SandboxLimit, SandboxLimitError } from "./sandbox-error.ts";
import { moduleOf, startThread, type Thread, type ThreadMemory } from "./start-thread.ts";
import type { SandboxTask, TaskInput, TaskModule, TaskOutput } from "./task.ts";

/** A task's input, or a function that creates it when the task is sent to a thread. */
export type Input<Module extends TaskModule> =
  | TaskInput<Module>
  | ((memory: ThreadMemory) => TaskInput<Module>);

/** The budget that a task is charged to. */
export type Payer = {
  readonly remainingMs: number;
  readonly usedMs: number;
  spend(ms: number): void;
};

/** Limits of processor time for the parts of a task, in milliseconds. */
export type RunLimits = { readonly limitMs: number; readonly firstMs?: number };

/** Runs tasks on tenants' text in a separate thread, one at a time. */
export type Sandbox = {
  /**
   * Runs a task and charges its processor time to `payer`. `limitMs` limits the processor time between two
   * marks, `firstMs` that before the first one; waiting for other tasks does not count. Throws a
   * SandboxLimitError when a limit is reached.
   */
  run<Module extends TaskModule>(
    task: SandboxTask<Module>,
    input: Input<Module>,
    options: RunLimits & { readonly payer: Payer },
  ): Promise<TaskOutput<Module>>;
  close(): Promise<void>;
};

type Job = RunLimits & {
  /** URL of the module. */
  readonly task: string;
  readonly payer: Payer;
  readonly prepare: (memory: ThreadMemory) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

type Running = {
  readonly id: number;
  readonly job: Job;
  cancelTimer: () => void;
  readonly cancelMemory: () => void;
  mark: unknown;
  since: number;
  /** The thread's processor time at its last report. */
  threadCpuMs: number;
};

/** Maximum time to load a task's module, even on a busy machine. */
const maxStartMs = 60_000;

/**
 * Creates a sandbox; its thread starts with the first task and does not keep the process alive. `megabytes` limit its heap,
 * and what it holds outside of it.
 */
export function createSandbox(megabytes = sandboxMegabytes): Sandbox {
  const waiting: Job[] = [];
  let thread: Thread | undefined;
  let running: Running | undefined;
  let lastId = 0;

  function next(): void {
    if (running) return;
    const job = takeLightest(waiting);
    if (!job) {
      thread?.worker.unref();
      return;
    }
    if (job.payer.remainingMs <= 0) {
      job.reject(new SandboxLimitError("total"));
      next();
      return;
    }
    thread ??= startThread(megabytes, {
      report: (message, from) => from === thread && receive(message),
      end: (error, from) => from === thread && fail(error),
    });
    thread.worker.ref();
    lastId += 1;
    const since = performance.now();
    const cancelTimer = runAfter(maxStartMs, () => stop("time", maxStartMs));
    const cancelMemory = limitMemory(thread.worker, megabytes, () => stop("memory"));
    const report = { mark: undefined, since, threadCpuMs: 0 };
    running = { id: lastId, job, cancelTimer, cancelMemory, ...report };
    try {
      const order = { id: lastId, task: job.task, input: job.prepare(thread.memory) };
      thread.worker.postMessage(order satisfies SandboxOrder);
    } catch (error) {
      finish(({ reject }) => reject(error));
    }
  }

  function finish(settle: (job: Job) => void): void {
    if (!running) return;
    running.cancelTimer();
    running.cancelMemory();
    settle(running.job);
    running = undefined;
    next();
  }

  function abandonThread(): void {
    void thread?.worker.terminate();
    thread = undefined;
  }

  /** Terminates the thread with its task; waiting tasks run in a new one. */
  function stop(limit: SandboxLimit, spentMs = performance.now() - (running?.since ?? 0)): void {
    const mark = running?.mark;
    running?.job.payer.spend(spentMs);
    abandonThread();
    finish(({ reject }) => reject(new SandboxLimitError(limit, mark)));
  }

  function fail(error: unknown): void {
    if (isOutOfMemory(error)) stop("memory");
    else {
      abandonThread();
      finish(({ reject }) => reject(error));
    }
  }

  function watch(current: Running, limitMs: number): void {
    const { payer } = current.job;
    const limit = payer.remainingMs < limitMs ? "total" : "time";
    const ms = Math.min(limitMs, payer.remainingMs);
    current.since = performance.now();
    current.cancelTimer();
    if (!thread) return;
    const range = { limitMs: ms, fromMs: current.threadCpuMs };
    current.cancelTimer = limitCpu(thread.worker, range, () => stop(limit, ms));
  }

  function receive(report: SandboxReport): void {
    if (!running || report.id !== running.id) return;
    running.job.payer.spend(report.cpuMs);
    running.threadCpuMs = report.threadCpuMs;
    switch (report.type) {
      case "mark":
        running.mark = report.mark;
        watch(running, running.job.limitMs);
        break;
      case "started":
        watch(running, running.job.firstMs ?? running.job.limitMs);
        break;
      case "done":
        finish(({ resolve }) => resolve(report.value));
        break;
      case "failed":
        finish(({ reject }) => reject(report.error));
        break;
    }
  }

  return {
    run<Module extends TaskModule>(
      { url }: SandboxTask<Module>,
      input: Input<Module>,
      { payer, ...limits }: RunLimits & { readonly payer: Payer },
    ) {
      const Output = z.custom<TaskOutput<Module>>();
      return new Promise<unknown>((resolve, reject) => {
        const prepare = preparing(input);
        waiting.push({ task: moduleOf(url), payer, ...limits, prepare, resolve, reject });
        next();
      }).then((value) => Output.parse(value));
    },
    async close() {
      const { worker } = thread ?? {};
      thread = undefined;
      for (const { reject } of waiting.splice(0)) reject(new Error("The sandbox was closed."));
      finish(({ reject }) => reject(new Error("The sandbox was closed.")));
      await worker?.terminate();
    },
  };
}

const preparing =
  <Module extends TaskModule>(input: Input<Module>) =>
  (memory: ThreadMemory): unknown =>
    typeof input === "function" ? input(memory) : input;

/** Calls a function after a time; returns a function that cancels it. */
const runAfter = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "code") === "ERR_WORKER_OUT_OF_MEMORY";

/** Removes the task whose payer has used least, so that heavy units of work do not delay light ones. */
function takeLightest(waiting: Job[]): Job | undefined {
  const least = waiting.reduce<Job | undefined>(
    (best, job) => (best && best.payer.usedMs <= job.payer.usedMs ? best : job),
    undefined,
  );
  if (least) waiting.splice(waiting.indexOf(least), 1);
  return least;
}

let shared: Sandbox | undefined;

/** Returns the process-wide sandbox. */
export function sharedSandbox(): Sandbox {
  shared ??= createSandbox();
  return shared;
}
