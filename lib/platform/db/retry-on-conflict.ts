import { setTimeout as sleep } from "node:timers/promises";

type Retries = {
  attempts?: number | undefined;
  /** Pauses between attempts are random and grow up to this, in milliseconds; 0 for none. */
  maxPauseMs?: number;
  /** Error after the last attempt. */
  error: () => Error;
};

/** Repeats a read with its conditional write while the outcome is "changed": 5 attempts unless given. */
export const retryOnConflict = async <Result>(
  { attempts = 5, maxPauseMs = 0, error }: Retries,
  tryWrite: (attempt: number) => Promise<Result | "changed">,
): Promise<Result> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const result = await tryWrite(attempt);
    if (result !== "changed") return result;
    if (maxPauseMs > 0) await sleep((attempt / attempts) * maxPauseMs * Math.random());
  }
  throw error();
};
