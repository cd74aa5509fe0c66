import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import type { Page } from "../http/paging.ts";
import { insertTogether } from "./insert-together.ts";
import { listed } from "./keys.ts";
import { listMatchingPage, listPage } from "./list-page.ts";

const Item = z.object({ sk: z.string() });
const total = 120;
const pk = "TENANT#t";
const sortKeys = Array.from({ length: total }, (_, at) => `A#${String(at).padStart(4, "0")}`);

describe("a paged list", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
    const all = ["0#before", ...sortKeys, "B#after"];
    for (let start = 0; start < all.length; start += 25) {
      const requests = all
        .slice(start, start + 25)
        .map((sk) => ({ PutRequest: { Item: { ...listed({ pk, sk }), body: "x".repeat(500) } } }));
      await db.client.send(new BatchWriteCommand({ RequestItems: { [db.table]: requests } }));
    }
  });

  test("walking from token to token meets every item once, in order, at any page size and direction", {
    tags: "nightly",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 7, max: 200 }),
        fc.boolean(),
        async (size, newestFirst) => {
          const seen: string[] = [];
          let skip = 0;
          for (;;) {
            const page = await listPage(
              db,
              Item,
              { list: { pk, prefix: "A#" }, newestFirst },
              { size, skip },
            );
            seen.push(...page.items.map((item) => item.sk));
            if (page.nextPageToken === null) break;
            expect(page.items).toHaveLength(size);
            skip = Number(page.nextPageToken);
          }
          expect(seen).toEqual(newestFirst ? sortKeys.toReversed() : sortKeys);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("a filtered page reads 1,000 items at most, and its token continues there", {
    tags: "nightly",
  }, async () => {
    const bulk = { pk: "TENANT#bulk", prefix: "N#" };
    const names = Array.from({ length: 1_100 }, (_, at) => `N#${String(at).padStart(4, "0")}`);
    for (let start = 0; start < names.length; start += 25) {
      const requests = names
        .slice(start, start + 25)
        .map((sk) => ({ PutRequest: { Item: listed({ pk: bulk.pk, sk }) } }));
      await db.client.send(new BatchWriteCommand({ RequestItems: { [db.table]: requests } }));
    }
    const find = (wanted: readonly string[], size: number, skip: number) =>
      listMatchingPage(
        db,
        Item,
        { list: bulk, matches: ({ sk }) => wanted.includes(sk) },
        { size, skip },
      );
    expect(await find(["N#1050"], 5, 0)).toEqual({ items: [], nextPageToken: "1000" });
    expect(await find(["N#1050"], 5, 1_000)).toMatchObject({
      items: [{ sk: "N#1050" }],
      nextPageToken: null,
    });
    const three = ["N#0003", "N#0700", "N#0900"];
    expect(await find(three, 2, 0)).toMatchObject({
      items: [{ sk: "N#0003" }, { sk: "N#0700" }],
      nextPageToken: "701",
    });
    expect(await find(three, 2, 701)).toMatchObject({
      items: [{ sk: "N#0900" }],
      nextPageToken: null,
    });
  });

  test("in several partitions is one list, at any page size, skip and direction, with a filter and without", {
    tags: "nightly",
  }, async () => {
    let lists = 0;
    const parts = fc.array(fc.nat(4), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (partsByItem, size, limit, newestFirst) => {
          lists += 1;
          const keys = partsByItem.map((part, at) => ({
            pk: `TENANT#merged${lists}#${part}`,
            sk: `A#${String(at).padStart(4, "0")}`,
          }));
          await insertTogether(db, keys);
          const [list = { pk: "", prefix: "" }, ...others] = Array.from(
            { length: 5 },
            (_, part) => ({
              pk: `TENANT#merged${lists}#${part}`,
              prefix: "A#",
            }),
          );
          const between = { from: "A#0002", to: "A#0049" };
          const request = { list, others, newestFirst, isIndexed: false, between };
          const isWanted = ({ sk }: { sk: string }) => Number(sk.slice(2)) % limit === 0;
          const seen: string[] = [];
          for (let skip: number | null = 0; skip !== null; ) {
            const page: Page<{ sk: string }> =
              limit === 1
                ? await listPage(db, Item, request, { size, skip })
                : await listMatchingPage(
                    db,
                    Item,
                    { ...request, matches: isWanted },
                    { size, skip },
                  );
            expect(page.items.length).toBeLessThanOrEqual(size);
            seen.push(...page.items.map(({ sk }) => sk));
            skip = page.nextPageToken === null ? null : Number(page.nextPageToken);
          }
          const wanted = keys
            .slice(2, 50)
            .filter(isWanted)
            .map(({ sk }) => sk);
          expect(seen).toEqual(newestFirst ? wanted.toReversed() : wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("any skip returns the same as slicing the whole list", { tags: "nightly" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(total + 20), fc.integer({ min: 1, max: 50 }), async (skip, size) => {
        const page = await listPage(db, Item, { list: { pk, prefix: "A#" } }, { size, skip });
        expect(page.items.map((item) => item.sk)).toEqual(sortKeys.slice(skip, skip + size));
        expect(page.nextPageToken).toBe(skip + size < total ? String(skip + size) : null);
      }),
      { numRuns: 25 },
    );
  });

  test("both ends of a range belong to it, also behind a skip", async () => {
    const between = { from: "A#0010", to: "A#0019" };
    const list = { pk, prefix: "A#" };
    const first = await listPage(db, Item, { list, between }, { size: 50, skip: 0 });
    expect(first.items.map((item) => item.sk)).toEqual(sortKeys.slice(10, 20));
    const rest = await listPage(
      db,
      Item,
      { list, between, newestFirst: true },
      { size: 3, skip: 8 },
    );
    expect(rest.items.map((item) => item.sk)).toEqual(["A#0011", "A#0010"]);
    expect(rest.nextPageToken).toBeNull();
  });

  test("a first page is one call, and a skip is one more, of keys alone", async () => {
    db.calls.length = 0;
    await listPage(db, Item, { list: { pk, prefix: "A#" } }, { size: 10, skip: 0 });
    expect(db.calls).toEqual(["Query"]);
    db.calls.length = 0;
    await listPage(db, Item, { list: { pk, prefix: "A#" } }, { size: 10, skip: 100 });
    expect(db.calls).toEqual(["Query", "Query"]);
  });
});
