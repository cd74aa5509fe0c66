/** The limit that ended a task: its own time, the budget's total time, or the memory. */
export type SandboxLimit = "time" | "total" | "memory";

/** A task reached a limit and was ended. */
export class SandboxLimitError extends Error {
  override readonly name = "SandboxLimitError";
  readonly limit: SandboxLimit;
  /** The task's last mark, such as the position of the evaluated expression. */
  readonly mark: unknown;

  constructor(limit: SandboxLimit, mark?: unknown) {
    super(`A sandboxed task reached its limit (${limit}).`);
    this.limit = limit;
    this.mark = mark;
  }
}
