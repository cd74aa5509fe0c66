/** A task sent to the thread. */
export type SandboxOrder = {
  readonly id: number;
  /** URL of the task's module. */
  readonly task: string;
  readonly input: unknown;
};

/** Progress of the running task: its processor time since the last report, and the thread's total. */
export type SandboxReport = {
  readonly id: number;
  readonly cpuMs: number;
  readonly threadCpuMs: number;
} & (
  | { readonly type: "started" }
  | { readonly type: "mark"; readonly mark: unknown }
  | { readonly type: "done"; readonly value: unknown }
  | { readonly type: "failed"; readonly error: unknown }
);

/** Restarts the time limit for the next part of a task, named by `mark`. */
export type Mark = (mark: unknown) => void;
