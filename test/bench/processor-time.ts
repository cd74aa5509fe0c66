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
