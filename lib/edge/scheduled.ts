import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { Access } from "./route.ts";

/** The row of a scheduled job. */
export type Scheduled = {
  /** kebab-case name of the file, the function and the log lines. */
  operation: string;
  everyMinutes: number;
  access: Access;
  timeoutSeconds: number;
};

/**
 * Creates the handler of a scheduled job. It may run twice or concurrently, so jobs must be idempotent. A failure is
 * logged and thrown; the next start retries.
 */
export const scheduled =
  <Deps>(row: Scheduled, makeDeps: () => Deps, run: (deps: Deps) => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await run(makeDeps());
      log("operation-completed", { operation: row.operation });
    } catch (error) {
      log("operation-failed", { operation: row.operation, error: asError(error) });
      throw error;
    }
  };
