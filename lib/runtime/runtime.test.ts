import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Uuid } from "../http/ids.ts";
import { timeOfUuid, uuidAt } from "./runtime.ts";

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

test("an id says when it was made, and is a version 7 uuid", () => {
  fc.assert(
    fc.property(time, (time) => {
      const uuid = uuidAt(time, randomBytes(10));
      expect(timeOfUuid(uuid)).toBe(time);
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
