import fc from "fast-check";
import { expect, test } from "vitest";
import { trimEnd, trimSlashes } from "./trim-end.ts";

test("removes the given characters from the end, and no others", () => {
  const text = fc.string({ unit: fc.constantFrom("/", "-", "a") });
  fc.assert(
    fc.property(text, (given) => {
      expect(trimSlashes(given)).toBe(given.replace(/\/+$/, ""));
      expect(trimEnd(given, "/-")).toBe(given.replace(/[/-]+$/, ""));
    }),
  );
});

test("reads every character at most once", () => {
  const hostile = `${"/".repeat(2_000_000)}a`;
  let reads = 0;
  const counted = new Proxy(Object(hostile), {
    get: (target: object, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === "charAt") reads += 1;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  expect(trimSlashes(counted)).toBe(hostile);
  expect(reads).toBe(1);
});
