import { parentPort } from "node:worker_threads";
import type { SandboxOrder, SandboxReport } from "./messages.ts";
import { tasks } from "./tasks.ts";

/*
 * The thread in which tenants' text is evaluated and parsed. The main thread sends one task at a time and
 * terminates the thread when a task reaches a limit.
 */

let measured = process.threadCpuUsage();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage(measured);
  measured = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function report(message: SandboxReport): void {
  parentPort?.postMessage(message);
}

async function work({ id, task, input }: SandboxOrder): Promise<void> {
  try {
    const run: (input: never, mark: (mark: unknown) => void) => unknown = await tasks[task]();
    cpuMs();
    report({ type: "started", id, cpuMs: 0 });
    const mark = (value: unknown) => report({ type: "mark", id, mark: value, cpuMs: cpuMs() });
    const value = await Reflect.apply(run, undefined, [input, mark]);
    report({ type: "done", id, value, cpuMs: cpuMs() });
  } catch (error) {
    report({ type: "failed", id, error, cpuMs: cpuMs() });
  }
}

parentPort?.on("message", (order: SandboxOrder) => void work(order));
