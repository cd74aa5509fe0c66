import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { cutPage } from "./cut-page.ts";
import type { Page } from "./paging.ts";

type Item = { at: number; text: string };

const sizes = fc.array(fc.integer({ min: 1, max: 1_500_000 }), { maxLength: 12 });
const letter = fc.constantFrom("x", '"', "ü");

test("consecutive pages of any sizes contain every item once, and fit in a response", {
  tags: "nightly",
}, () => {
  fc.assert(
    fc.property(sizes, letter, (lengths, text) => {
      const all = lengths.map((length, at) => ({ at, text: text.repeat(length) }));
      const seen: number[] = [];
      let skip: number | null = 0;
      while (skip !== null) {
        const whole: Page<Item> = { items: all.slice(skip), nextPageToken: null };
        const page: Page<Item> = cutPage(whole, { skip });
        const response = JSON.stringify({ body: JSON.stringify(page) });
        if (page.items.length > 1) expect(Buffer.byteLength(response)).toBeLessThan(6_291_556);
        seen.push(...page.items.map(({ at }) => at));
        skip = page.nextPageToken === null ? null : Number(page.nextPageToken);
      }
      expect(seen).toEqual(all.map(({ at }) => at));
    }),
    { numRuns: propertyRuns(20, 4) },
  );
});
