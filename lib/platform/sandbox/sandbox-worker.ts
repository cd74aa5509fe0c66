import { parentPort } from "node:worker_threads";
import type { SandboxOrder, SandboxReport } from "./messages.ts";
import type { TaskModule } from "./task.ts";

/*
 * The thread that evaluates and parses tenants' text. The main thread sends one task at a time and
 * terminates the thread when a task reaches a limit.
 */

let reportedMs = 0;

function measure(): { cpuMs: number; threadCpuMs: number } {
  const { user, system } = process.threadCpuUsage();
  const threadCpuMs = (user + system) / 1_000;
  const cpuMs = threadCpuMs - reportedMs;
  reportedMs = threadCpuMs;
  return { cpuMs, threadCpuMs };
}

function report(message: SandboxReport): void {
  parentPort?.postMessage(message);
}

async function work({ id, task, input }: SandboxOrder): Promise<void> {
  try {
    const { run }: TaskModule = await import(task);
    report({ type: "started", id, ...measure(), cpuMs: 0 });
    const mark = (value: unknown) => report({ type: "mark", id, mark: value, ...measure() });
    const value = await Reflect.apply(run, undefined, [input, mark]);
    report({ type: "done", id, value, ...measure() });
  } catch (error) {
    report({ type: "failed", id, error, ...measure() });
  }
}

parentPort?.on("message", (order: SandboxOrder) => void work(order));
