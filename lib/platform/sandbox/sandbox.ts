import * as z from "zod";
import type { TenantId } from "../db/tenant-id.ts";
import { limitCpu } from "./limit-cpu.ts";
import { limitMemory } from "./limit-memory.ts";
import type { SandboxReport } from "./messages.ts";
import { sandboxMegabytes } from "./processor-limits.ts";
import { resolveModule } from "./resolve-module.ts";
import { type SandboxLimit, SandboxLimitError } from "./sandbox-error.ts";
import { sendOrder, type Thread, type ThreadMemory } from "./start-thread.ts";
import type { SandboxTask, TaskInput, TaskModule, TaskOutput } from "./task.ts";
import { TaskQueue } from "./task-queue.ts";
import { createThreadPool } from "./thread-pool.ts";

/** A task's input, or a function that creates it when the task is sent to a thread. */
export type Input<Module extends TaskModule> =
  | TaskInput<Module>
  | ((memory: ThreadMemory) => TaskInput<Module>);

/** The budget that a task is charged to, and the tenant of the thread. */
export type Payer = {
  readonly tenantId: TenantId;
  readonly remainingMs: number;
  readonly usedMs: number;
  spend(ms: number): void;
};

/** Limits of processor time for the parts of a task, in milliseconds. */
export type RunLimits = { readonly limitMs: number; readonly firstMs?: number };

/** Runs tasks on tenants' text one at a time, in threads that have never run another tenant's. */
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
  readonly thread: Thread;
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
 * Creates a sandbox; its threads start with the first task of a tenant and do not keep the process
 * alive. `megabytes` limit the heap of a thread, and its memory outside of the heap.
 */
export const createSandbox = (megabytes = sandboxMegabytes): Sandbox => {
  const waiting = new TaskQueue<Job>();
  const pool = createThreadPool(megabytes, {
    report: (message, from) => from === running?.thread && receive(message),
    end: (error, from) => (from === running?.thread ? fail(error) : pool.drop(from)),
  });
  let running: Running | undefined;
  let lastId = 0;

  const next = (): void => {
    if (running) return;
    const job = waiting.take();
    if (!job) pool.prepare();
    else if (job.payer.remainingMs > 0) start(job, pool.take(job.payer.tenantId, job.task));
    else {
      job.reject(new SandboxLimitError("total"));
      next();
    }
  };

  const start = (job: Job, thread: Thread): void => {
    lastId += 1;
    const since = performance.now();
    const cancelTimer = runAfter(maxStartMs, () => stop("time", maxStartMs));
    const cancelMemory = limitMemory(thread.worker, megabytes, () => stop("memory"));
    const report = { mark: undefined, since, threadCpuMs: 0 };
    running = { id: lastId, job, thread, cancelTimer, cancelMemory, ...report };
    try {
      const { tenantId } = job.payer;
      const input = job.prepare(thread.memory);
      sendOrder(thread, { id: lastId, tenantId, task: job.task, input });
    } catch (error) {
      // The thread may still have received the task.
      pool.drop(thread);
      finish(({ reject }) => reject(error));
    }
  };

  const finish = (settle: (job: Job) => void): void => {
    if (!running) return;
    running.cancelTimer();
    running.cancelMemory();
    settle(running.job);
    running = undefined;
    next();
  };

  /** Terminates the thread with its task; waiting tasks of its tenant run in a new one. */
  const stop = (limit: SandboxLimit, spentMs = performance.now() - (running?.since ?? 0)): void => {
    if (!running) return;
    const { job, mark, thread } = running;
    job.payer.spend(spentMs);
    waiting.spend(spentMs);
    pool.drop(thread);
    finish(({ reject }) => reject(new SandboxLimitError(limit, mark)));
  };

  const fail = (error: unknown): void => {
    if (isOutOfMemory(error)) stop("memory");
    else if (running) {
      pool.drop(running.thread);
      finish(({ reject }) => reject(error));
    }
  };

  const watch = (current: Running, limitMs: number): void => {
    const { payer } = current.job;
    const limit = payer.remainingMs < limitMs ? "total" : "time";
    const ms = Math.min(limitMs, payer.remainingMs);
    current.since = performance.now();
    current.cancelTimer();
    const range = { limitMs: ms, fromMs: current.threadCpuMs };
    current.cancelTimer = limitCpu(current.thread.worker, range, () => stop(limit, ms));
  };

  const receive = (report: SandboxReport): void => {
    if (!running || report.id !== running.id) return;
    running.job.payer.spend(report.cpuMs);
    waiting.spend(report.cpuMs);
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
        pool.release(running.thread, report.heldBytes);
        finish(({ resolve }) => resolve(report.value));
        break;
      case "failed":
        pool.release(running.thread, report.heldBytes);
        finish(({ reject }) => reject(report.error));
        break;
    }
  };

  return {
    run<Module extends TaskModule>(
      { url }: SandboxTask<Module>,
      input: Input<Module>,
      { payer, ...limits }: RunLimits & { readonly payer: Payer },
    ) {
      const Output = z.custom<TaskOutput<Module>>();
      return new Promise<unknown>((resolve, reject) => {
        const prepare = preparing(input);
        waiting.add({ task: resolveModule(url), payer, ...limits, prepare, resolve, reject });
        next();
      }).then((value) => Output.parse(value));
    },
    async close() {
      const closed = new Error("The sandbox was closed.");
      for (const { reject } of waiting.clear()) reject(closed);
      finish(({ reject }) => reject(closed));
      await pool.close();
    },
  };
};

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

let shared: Sandbox | undefined;

/** Returns the process-wide sandbox. */
export const sharedSandbox = (): Sandbox => {
  shared ??= createSandbox();
  return shared;
};
