import { expect, test } from "vitest";
import { firstPage, nextStart } from "../../console/src/shared/next-start.ts";

const getTime = ({ time }: { time: number }): number => time;
const buildPage = (count: number, timeAt: (index: number) => number) => ({
  items: Array.from({ length: count }, (_, index) => ({ time: timeAt(index) })),
  nextPageToken: "100",
});

test("a deep page of a list that is sorted by time starts at a time, and skips nothing", () => {
  const full = buildPage(100, (index) => 1_000 - index);
  expect(nextStart(full, firstPage, getTime)).toMatchObject({ until: 901, "PageToken.Skip": 0 });
  expect(nextStart(full, firstPage, undefined)).toMatchObject({ "PageToken.Skip": 100 });
});

test("pages of one time, and those that a filter has shortened, are followed by their token", () => {
  const start = { ...firstPage, until: 901 };
  for (const page of [buildPage(100, () => 901), buildPage(3, (index) => 900 - index)]) {
    expect(nextStart(page, start, getTime)).toMatchObject({ until: 901, "PageToken.Skip": 100 });
  }
});

test("the last page has no next one", () => {
  expect(nextStart({ items: [], nextPageToken: null }, firstPage, getTime)).toBeNull();
});
