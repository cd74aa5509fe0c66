import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage of this thread and returns unused pages to the system. Does nothing when another thread, which
 * shares the flag, hid the collector at the same moment.
 */
export const compactHeap = (): void => {
  // Only a new context gets the function, so that no function sees a global that Lambda does not have.
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect !== "function") return;
  // Compiled code is kept: compiling it again costs more than its memory.
  setFlagsFromString("--no-flush-bytecode");
  collect({ type: "major", flavor: "last-resort" });
  setFlagsFromString("--flush-bytecode");
};
