import { describe, expect, test } from "vitest";
import { purgeList } from "./purge-list.ts";

describe("purgeList", () => {
  async function* items(count: number) {
    for (let item = 0; item < count; item += 1) yield item;
  }
  const purge = async (
    count: number,
    left: number | undefined,
    time = Number.POSITIVE_INFINITY,
  ) => {
    const batches: (readonly number[])[] = [];
    const remove = async (batch: readonly number[]) => {
      batches.push(batch);
      return left !== undefined && batch.includes(left) ? "more" : "done";
    };
    const options = { isTimeOver: () => batches.length >= time, batchSize: 2 };
    return { outcome: await purgeList(items(count), remove, options), batches };
  };

  test("passes every item once, in batches", async () => {
    expect(await purge(5, undefined)).toEqual({ outcome: "done", batches: [[0, 1], [2, 3], [4]] });
    expect(await purge(0, undefined)).toEqual({ outcome: "done", batches: [] });
  });

  test('returns "more" after the batch in which time ran out', async () => {
    expect(await purge(5, undefined, 2)).toEqual({
      outcome: "more",
      batches: [
        [0, 1],
        [2, 3],
      ],
    });
  });

  test('returns "more" when a batch was not removed whole, after the others were', async () => {
    expect(await purge(5, 1)).toEqual({ outcome: "more", batches: [[0, 1], [2, 3], [4]] });
  });
});
