import { threadId } from "node:worker_threads";

/** Leaves a text in the thread; returns what an earlier task left there. */
export const run = (
  text: string,
): {
  readonly found: string | null;
  readonly threadId: number;
  /** Whether no property can be added to the prototypes that all values share. */
  readonly isSealed: boolean;
  /** Names of the environment variables that the thread has. */
  readonly environment: string[];
} => {
  const found: unknown = Reflect.get(globalThis, "left");
  Reflect.set(globalThis, "left", text);
  const isSealed = ![Object.prototype, Array.prototype, Function.prototype].some((prototype) =>
    Reflect.set(prototype, "polluted", text),
  );
  return {
    found: typeof found === "string" ? found : null,
    threadId,
    isSealed,
    environment: Object.keys(process.env),
  };
};
