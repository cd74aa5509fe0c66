import { expect, test } from "vitest";
import { longestIdle } from "../../infra/local/functions/longest-idle.ts";

const minute = 60_000;
const ended = (idle: readonly number[]): number[] =>
  idle.filter((duration) => duration >= longestIdle(idle, 8));

test("of more than eight threads those that were not used for longest are ended", () => {
  const idle = [90_000, 0, 0, 50_000, 40_000, 30_000, 20_000, 10_000, 80_000, 70_000, 0];
  expect(ended(idle)).toEqual([90_000, 80_000, 70_000]);
});

test("a thread that was used a moment ago is kept however many there are", () => {
  expect(ended(Array.from({ length: 30 }, (_, second) => second * 100))).toEqual([]);
});

test("a thread that is idle for two minutes is ended however few there are", () => {
  expect(ended([2 * minute, minute])).toEqual([2 * minute]);
});
