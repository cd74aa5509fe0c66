import { expect, test } from "vitest";
import { createTurns } from "./create-turns.ts";

test("at most so many pieces of work are done at the same time, in order, also after failures", async () => {
  const take = createTurns(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const ends = gates.map(({ promise }, at) =>
    take(async () => {
      begun.push(at);
      await promise;
      if (at === 1) throw new Error("failed");
      return at;
    }).catch(() => -1),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve();
  expect(await ends[1]).toBe(-1);
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(ends)).toEqual([0, -1, 2, 3, 4]);
  expect(await take(async () => 5)).toBe(5);
});
