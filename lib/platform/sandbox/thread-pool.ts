import { sendOrder, startThread, type Thread, type ThreadListener } from "./start-thread.ts";

/** Threads of one tenant or none; one of them runs a task at a time. */
export type ThreadPool = {
  /** Returns the thread of a tenant, or one that no tenant has used, for a task of a module. */
  take(tenantId: string, module: string): Thread;
  /** Keeps the thread for its tenant's next task, unless the kept threads hold too much memory. */
  release(thread: Thread, heldBytes: number): void;
  /** Ends a thread. */
  drop(thread: Thread): void;
  /** Once the pool has served several tenants, starts a thread for the next one and loads the modules known. */
  prepare(): void;
  close(): Promise<void>;
};

type Owned = { readonly tenantId: string; readonly thread: Thread; heldBytes: number };

/** Threads kept for their tenants, and the memory that they may hold together. */
const maxKept = 2;
const maxKeptBytes = 96 * 1024 * 1024;

/**
 * Creates a pool of threads with a heap of `megabytes` per thread; kept ones do not keep the
 * process alive.
 */
export const createThreadPool = (megabytes: number, on: ThreadListener): ThreadPool => {
  /** The least recently used first. */
  let owned: Owned[] = [];
  let spare: Thread | undefined;
  let servesSeveral = false;
  const modules = new Set<string>();

  const start = (): Thread => {
    const thread = startThread(megabytes, on);
    thread.worker.unref();
    return thread;
  };

  const forget = (thread: Thread): void => {
    if (thread === spare) spare = undefined;
    owned = owned.filter((entry) => entry.thread !== thread);
  };

  const drop = (thread: Thread): void => {
    forget(thread);
    void thread.worker.terminate();
  };

  const obtain = (tenantId: string): Owned => {
    const known = owned.find((entry) => entry.tenantId === tenantId);
    if (known) return known;
    servesSeveral ||= owned.length > 0;
    const thread = spare ?? start();
    spare = undefined;
    return { tenantId, thread, heldBytes: 0 };
  };

  const dropExcess = (): void => {
    const bytes = owned.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    const [oldest] = owned;
    if (!oldest || owned.length === 1) return;
    if (owned.length <= maxKept && bytes <= maxKeptBytes) return;
    drop(oldest.thread);
    dropExcess();
  };

  return {
    take(tenantId, module) {
      modules.add(module);
      const taken = obtain(tenantId);
      owned = [...owned.filter((entry) => entry !== taken), taken];
      dropExcess();
      taken.thread.worker.ref();
      return taken.thread;
    },
    release(thread, heldBytes) {
      thread.worker.unref();
      const entry = owned.find((candidate) => candidate.thread === thread);
      if (entry) entry.heldBytes = heldBytes;
    },
    drop,
    prepare() {
      if (!servesSeveral || spare) return;
      spare = start();
      sendOrder(spare, { load: [...modules] });
    },
    async close() {
      const threads = [...owned.map(({ thread }) => thread), ...(spare ? [spare] : [])];
      owned = [];
      spare = undefined;
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
};
