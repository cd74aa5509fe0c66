import { readdirSync, readFileSync } from "node:fs";
import type { Worker } from "node:worker_threads";

/** Processor time of the threads of this process's functions. */
export type ProcessorTime = {
  /** Returns the microseconds of each function so far. */
  read: () => Promise<ReadonlyMap<string, number>>;
  stop: () => void;
};

/** Watches the threads that this process starts from now on. */
export const trackProcessorTime = (): ProcessorTime => {
  const workers = new Set<Worker>();
  const add = (worker: Worker): void => {
    workers.add(worker);
    worker.once("exit", () => workers.delete(worker));
  };
  process.on("worker", add);
  return {
    read: async () => {
      const used = new Map<string, number>();
      for (const worker of workers) {
        const name = worker.threadName ?? "";
        // Rejects when the thread ends meanwhile.
        const usage = await worker.cpuUsage().catch(() => undefined);
        if (usage) used.set(name, (used.get(name) ?? 0) + usage.user + usage.system);
      }
      return used;
    },
    stop: () => process.off("worker", add),
  };
};

/** Milliseconds of a tick of `/proc`. */
const tickMs = 10;

/**
 * Returns the processor time of the processes with a name below this one, in milliseconds, as Linux counts it; 0 on other
 * systems.
 */
export const readTimeBelow = (name: string): number => {
  if (process.platform !== "linux") return 0;
  const processes = new Map(
    readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map((pid) => [Number(pid), parseStat(readStat(pid))]),
  );
  const isBelow = (parent: number): boolean =>
    parent === process.pid || (parent > 0 && isBelow(processes.get(parent)?.parent ?? 0));
  return [...processes.values()]
    .filter((found) => found.name === name && isBelow(found.parent))
    .reduce((sum, { ticks }) => sum + ticks * tickMs, 0);
};

/** Reads the name, the parent and the ticks of a process, from `/proc/PID/stat`. */
const parseStat = (stat: string): { name: string; parent: number; ticks: number } => {
  const [, name = "", parent, user, system] =
    /^\d+ \((.*)\) \S (\d+) (?:\S+ ){9}(\d+) (\d+)/.exec(stat) ?? [];
  return { name, parent: Number(parent ?? 0), ticks: Number(user ?? 0) + Number(system ?? 0) };
};

const readStat = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
};
