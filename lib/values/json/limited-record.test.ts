import { expect, test } from "vitest";
import * as z from "zod";
import { SearchAssetsBody } from "../../knowledge/search/schemas.ts";
import { zodErrorMap } from "../../platform/http/zod-error-map.ts";
import { limitedRecord } from "./limited-record.ts";

const record = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, value]));

test("a record with more members than its limit is refused before any of them is validated", () => {
  let validated = 0;
  const value = z.string().refine(() => {
    validated += 1;
    return true;
  });
  const Limited = limitedRecord(z.string(), value, 3).meta({ description: "A copy." });
  expect(Limited.safeParse(record(4, "a"), { error: zodErrorMap }).error?.issues).toMatchObject([
    { path: [], message: "must have at most 3 members" },
  ]);
  expect(validated).toBe(0);
  expect(Limited.parse(record(3, "a"))).toEqual(record(3, "a"));
  expect(validated).toBe(3);
  expect(Limited.safeParse([]).success).toBe(false);
});

test("a search with 80,000 wrong conditions is refused with one detail, which states the limit", {
  tags: "nightly",
}, () => {
  const body = { query: "deploy", filter: { metadata: record(80_000, [{}]) } };
  const { error } = SearchAssetsBody.safeParse(body, { error: zodErrorMap });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [["filter", "metadata"], "must have at most 20 members"],
  ]);
});
