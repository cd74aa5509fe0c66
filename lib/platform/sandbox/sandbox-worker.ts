import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import type { SandboxOrder, SandboxReport } from "./messages.ts";
import { sealRealm } from "./seal-realm.ts";
import type { TaskModule } from "./task.ts";

/*
 * The thread that evaluates and parses the text of one tenant. The main thread sends one task at a time and
 * terminates the thread when a task reaches a limit.
 */

let owner: string | undefined;
let reportedMs = 0;

const measure = (): { cpuMs: number; threadCpuMs: number } => {
  const { user, system } = process.threadCpuUsage();
  const threadCpuMs = (user + system) / 1_000;
  const cpuMs = threadCpuMs - reportedMs;
  reportedMs = threadCpuMs;
  return { cpuMs, threadCpuMs };
};

const heldBytes = (): number => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};

const report = (message: SandboxReport): void => {
  parentPort?.postMessage(message);
};

const work = async (order: SandboxOrder): Promise<void> => {
  if ("load" in order) {
    // A module that does not load fails its first task, which reports why.
    await Promise.allSettled(order.load.map((task) => import(task)));
    return;
  }
  const { id, tenantId, task, input } = order;
  try {
    owner ??= tenantId;
    if (owner !== tenantId) throw new Error("A sandbox thread was given a second tenant's task.");
    const { run }: TaskModule = await import(task);
    report({ type: "started", id, ...measure(), cpuMs: 0 });
    const mark = (value: unknown) => report({ type: "mark", id, mark: value, ...measure() });
    const value = await Reflect.apply(run, undefined, [input, mark]);
    report({ type: "done", id, value, heldBytes: heldBytes(), ...measure() });
  } catch (error) {
    report({ type: "failed", id, error, heldBytes: heldBytes(), ...measure() });
  }
};

sealRealm();
parentPort?.on("message", (order: SandboxOrder) => void work(order));
