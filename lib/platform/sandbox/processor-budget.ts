import type { TenantId } from "../db/tenant-id.ts";
import { type Input, type Sandbox, sharedSandbox } from "./sandbox.ts";
import type { SandboxTask, TaskModule, TaskOutput } from "./task.ts";

/**
 * Budget of processor time for a tenant's text in one unit of work: a message, a request, or a run of an execution.
 * Created where the unit starts and passed to everything that runs tasks for it.
 */
export class ProcessorBudget {
  /** The tenant of the text that the tasks read: they run in a thread of its own. */
  readonly tenantId: TenantId;
  readonly totalMs: number;
  readonly #sandbox: Sandbox | undefined;
  readonly #open = new Set<Promise<unknown>>();
  #usedMs = 0;

  constructor(tenantId: TenantId, totalMs: number, sandbox?: Sandbox) {
    this.tenantId = tenantId;
    this.totalMs = totalMs;
    this.#sandbox = sandbox;
  }

  get usedMs(): number {
    return this.#usedMs;
  }

  get remainingMs(): number {
    return this.totalMs - this.#usedMs;
  }

  spend(ms: number): void {
    this.#usedMs += ms;
  }

  /** Runs a task in the sandbox; `limitMs` bounds each part of it, `firstMs` the first. Throws a SandboxLimitError. */
  run<Module extends TaskModule>(
    task: SandboxTask<Module>,
    input: Input<Module>,
    limitMs: number,
    firstMs = limitMs,
  ): Promise<TaskOutput<Module>> {
    const sandbox = this.#sandbox ?? sharedSandbox();
    const running = sandbox.run(task, input, { payer: this, limitMs, firstMs });
    const close = (): void => void this.#open.delete(running);
    this.#open.add(running);
    running.then(close, close);
    return running;
  }

  /** Resolves when none of its tasks runs or waits. */
  async settle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }
}
