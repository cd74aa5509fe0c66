/** A message to the thread: a task, or the modules to load before the first one. */
export type SandboxOrder =
  | {
      readonly id: number;
      /** The tenant of the text that the task reads; a thread refuses a second one. */
      readonly tenantId: string;
      /** URL of the task's module. */
      readonly task: string;
      readonly input: unknown;
    }
  | { readonly load: readonly string[] };

/** Progress of the running task: its processor time since the last report, and the thread's total. */
export type SandboxReport = {
  readonly id: number;
  readonly cpuMs: number;
  readonly threadCpuMs: number;
} & (
  | { readonly type: "started" }
  | { readonly type: "mark"; readonly mark: unknown }
  | { readonly type: "done"; readonly value: unknown; readonly heldBytes: number }
  | { readonly type: "failed"; readonly error: unknown; readonly heldBytes: number }
);

/** Restarts the time limit for the next part of a task, named by `mark`. */
export type Mark = (mark: unknown) => void;
