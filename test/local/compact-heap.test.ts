import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { compactHeap } from "../../infra/local/compact-heap.ts";

test("compacting returns the memory of garbage to the system, and leaves no global", {
  tags: "nightly",
}, () => {
  let garbage: object[] | undefined = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  const before = getHeapStatistics().total_heap_size;
  expect(garbage).toHaveLength(1_000_000);
  garbage = undefined;
  compactHeap();
  expect(getHeapStatistics().total_heap_size).toBeLessThan(before - 20_000_000);
  expect(globalThis).not.toHaveProperty("gc");
});
