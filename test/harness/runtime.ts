import type { Runtime } from "../../lib/runtime/runtime.ts";

/** A clock that tests set, and bytes that never repeat. */
export const testRuntime = (start = Date.UTC(2026, 10, 20, 12)) => {
  let now = start;
  let made = 0n;
  const runtime: Runtime = {
    clock: () => now,
    randomBytes: (count) => {
      made += 1n;
      const bytes = new Uint8Array(count);
      let rest = made * 0x9e3779b97f4a7c15n;
      for (let at = count - 1; at >= 0; at -= 1) {
        bytes[at] = Number(rest & 0xffn);
        rest >>= 8n;
      }
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
