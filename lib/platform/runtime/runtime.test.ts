import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Uuid } from "../http/ids.ts";
import { nthUuid, parseUuidTime, uuidAt } from "./runtime.ts";

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test("an id is a version 7 uuid with its time", () => {
  fc.assert(
    fc.property(time, (time) => {
      const uuid = uuidAt(time, randomBytes(10));
      expect(parseUuidTime(uuid)).toBe(time);
      expect(uuid[14]).toBe("7");
      expect("89ab").toContain(uuid[19]);
      expect(Uuid.parse(uuid)).toBe(uuid);
    }),
  );
});

test("ids sort by the time at which they were made", () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      fc.pre(one < other);
      expect(uuidAt(one, randomBytes(10)) < uuidAt(other, randomBytes(10))).toBe(true);
    }),
  );
});

test("ids of one millisecond sort by their number; thousands of them use the milliseconds after it", () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (one, other) => {
      fc.pre(one < other);
      const ids = [one, other].map((nth) => nthUuid(1_000_000, nth, randomBytes));
      expect(ids).toEqual(ids.toSorted());
      expect(parseUuidTime(ids[0] ?? "")).toBe(1_000_000 + Math.floor(one / 4_096));
      expect(Uuid.parse(ids[0])).toBe(ids[0]);
    }),
  );
});
