import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { Access } from "./route.ts";

/** One job that a clock starts: the only place where anything about it is written. */
export type Scheduled = {
  /** kebab-case name of the file, the function and the log lines. */
  operation: string;
  everyMinutes: number;
  access: Access;
  timeoutSeconds: number;
};

/**
 * The handler of a job that a clock starts. A clock may start it twice, or while it is still at work, so
 * jobs must be idempotent. A failure is logged and thrown: the next start tries again.
 */
export const scheduled =
  <Deps>(row: Scheduled, makeDeps: () => Deps, run: (deps: Deps) => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await run(makeDeps());
      log().info(`${row.operation} completed`);
    } catch (error) {
      log().error(`${row.operation} failed`, { error: asError(error) });
      throw error;
    }
  };
