import type { TenantId } from "../db/tenant-id.ts";

/** A task that waits, by its payer. */
type Waiting = { readonly payer: { readonly tenantId: TenantId; readonly usedMs: number } };

/** Processor time after which the next tenant's tasks run, in milliseconds. */
const maxTurnMs = 100;

/**
 * Tasks that wait. Tenants take turns, the one that has waited longest first, so that none delays another for long; within
 * a turn the task of the least used budget comes first, so that heavy units of work do not delay light ones.
 */
export class TaskQueue<Task extends Waiting> {
  /** In the order of turns. */
  readonly #tenants = new Map<TenantId, Task[]>();
  #current: TenantId | undefined;
  #turnMs = 0;

  add(task: Task): void {
    const { tenantId } = task.payer;
    const tasks = this.#tenants.get(tenantId);
    if (tasks) tasks.push(task);
    else this.#tenants.set(tenantId, [task]);
  }

  /** Counts processor time of the current turn. */
  spend(ms: number): void {
    this.#turnMs += ms;
  }

  /** Removes the task that runs next. */
  take(): Task | undefined {
    const tenantId = this.#nextTenant();
    if (tenantId === undefined) return undefined;
    const tasks = this.#tenants.get(tenantId) ?? [];
    const next = tasks.reduce((best, task) =>
      best.payer.usedMs <= task.payer.usedMs ? best : task,
    );
    tasks.splice(tasks.indexOf(next), 1);
    this.#tenants.delete(tenantId);
    if (tasks.length > 0) this.#tenants.set(tenantId, tasks);
    return next;
  }

  /** Removes all tasks. */
  clear(): Task[] {
    const tasks = [...this.#tenants.values()].flat();
    this.#tenants.clear();
    return tasks;
  }

  #nextTenant(): TenantId | undefined {
    const current = this.#current;
    const shouldContinue = this.#turnMs < maxTurnMs;
    if (current !== undefined && shouldContinue && this.#tenants.has(current)) return current;
    const [first] = this.#tenants.keys();
    this.#current = first;
    this.#turnMs = 0;
    return first;
  }
}
