import type { Runtime } from "../../lib/platform/runtime/runtime.ts";

let made = 0n;

/** Creates a controlled clock and unique bytes: ids of one moment sort by creation. */
export const testRuntime = (start = Date.UTC(2026, 10, 20, 12)) => {
  let now = start;
  const runtime: Runtime = {
    clock: () => now,
    randomBytes: (count) => {
      made += 1n;
      const bytes = new Uint8Array(count);
      new DataView(bytes.buffer).setBigUint64(count - 8, made);
      return bytes;
    },
  };
  return {
    ...runtime,
    advance: (ms: number) => {
      now += ms;
    },
  };
};
