/** Which limit ended a task: its own time, the time of all tasks of its budget, or the memory. */
export type SandboxLimit = "time" | "total" | "memory";

/** A task that was ended because it reached a limit. */
export class SandboxLimitError extends Error {
  override readonly name = "SandboxLimitError";
  readonly limit: SandboxLimit;
  /** The last mark that the task made, such as the position of the expression that it evaluated. */
  readonly mark: unknown;

  constructor(limit: SandboxLimit, mark?: unknown) {
    super(`A sandboxed task reached its limit (${limit}).`);
    this.limit = limit;
    this.mark = mark;
  }
}
