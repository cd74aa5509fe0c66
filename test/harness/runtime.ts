import type { Runtime } from "../../lib/platform/runtime/runtime.ts";

let made = 0n;

/** A clock that tests set, and bytes that never repeat: ids of one moment sort in the order of their making. */
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
