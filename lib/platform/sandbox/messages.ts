/** One task for the thread. */
export type SandboxOrder = {
  readonly id: number;
  /** URL of the task's module. */
  readonly task: string;
  readonly input: unknown;
};

/** Progress of the task that runs: its processor time since the last report, and the thread's in all. */
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

/** Starts the time limit anew for the next part of a task, which `mark` names. */
export type Mark = (mark: unknown) => void;
