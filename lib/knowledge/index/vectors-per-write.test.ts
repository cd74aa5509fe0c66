import { expect, test } from "vitest";
import { vectorsPerWrite } from "./vectors-per-write.ts";

test.each([1, 256, 1_024, 3_072, 4_096])(
  "a write of vectors with %i dimensions has at most 500 and at most 20 MiB, whatever their values",
  (dimension) => {
    const values = new Array<number>(dimension).fill(-1.2345678901234567e-100);
    const vector = {
      key: "k".repeat(1_024),
      data: { float32: values },
      metadata: "m".repeat(4_096),
    };
    const bytes = JSON.stringify(vector).length + 1;
    const count = vectorsPerWrite(dimension);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(500);
    expect(count * bytes).toBeLessThan(20 * 1024 * 1024);
  },
);
