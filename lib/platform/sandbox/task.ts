import type { Mark } from "./messages.ts";

/** The module of a task. Only the sandbox's thread loads it. */
export type TaskModule = { readonly run: (input: never, mark: Mark) => unknown };

/** Work on tenants' text that runs in the sandbox. */
export type SandboxTask<Module extends TaskModule> = {
  /** URL of the module's source file. */
  readonly url: string;
  /** Carries the type; has no value. */
  readonly module?: Module;
};

/** The input of a task. */
export type TaskInput<Module extends TaskModule> = Parameters<Module["run"]>[0];

/** The output of a task. */
export type TaskOutput<Module extends TaskModule> = Awaited<ReturnType<Module["run"]>>;

/**
 * Declares a task by its module, a file `*-task.ts` in the caller's folder: `new URL("./parse-task.ts", import.meta.url)`.
 * The caller imports its type alone.
 */
export const sandboxTask = <Module extends TaskModule>({ href }: URL): SandboxTask<Module> => ({
  url: href,
});
