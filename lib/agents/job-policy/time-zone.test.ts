import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOffsetLookup, parseTimeZone } from "./time-zone.ts";

const minuteMs = 60_000;
const offsetIn = (zone: string, at: string): number =>
  createOffsetLookup(zone)(Date.parse(at)) / minuteMs;

/** Offsets in minutes a second before and at a change of clocks, as published in the IANA database. */
const changes: [zone: string, at: string, before: number, after: number][] = [
  ["Europe/Berlin", "2026-03-29T01:00:00Z", 60, 120],
  ["Europe/Berlin", "2026-10-25T01:00:00Z", 120, 60],
  ["America/New_York", "2026-03-08T07:00:00Z", -300, -240],
  ["America/New_York", "2026-11-01T06:00:00Z", -240, -300],
  ["America/St_Johns", "2026-03-08T05:30:00Z", -210, -150],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z", 660, 630],
  ["Pacific/Apia", "2011-12-30T10:00:00Z", -600, 840],
  ["Africa/Casablanca", "2026-02-15T02:00:00Z", 60, 0],
];

describe("the offset of a time zone", () => {
  test.each(changes)("in %s changes at %s", (zone, at, before, after) => {
    const change = Date.parse(at);
    expect(createOffsetLookup(zone)(change - 1_000)).toBe(before * minuteMs);
    expect(createOffsetLookup(zone)(change)).toBe(after * minuteMs);
  });

  test("is zero in UTC, and has no daylight saving time in Kathmandu", () => {
    expect(offsetIn("UTC", "2026-07-01T00:00Z")).toBe(0);
    expect(offsetIn("Asia/Kathmandu", "2026-07-01T00:00Z")).toBe(345);
    expect(offsetIn("Asia/Kathmandu", "2026-01-01T00:00Z")).toBe(345);
  });

  test("is the difference between local time and UTC", () => {
    const zone = fc.constantFrom(...changes.map(([name]) => name), "UTC", "Asia/Kathmandu");
    const from = Date.UTC(2000, 0);
    const minute = fc.integer({ min: 0, max: 60 * 24 * 366 * 40 });
    fc.assert(
      fc.property(zone, minute, (timeZone, minutes) => {
        const at = from + minutes * minuteMs;
        expect(at + createOffsetLookup(timeZone)(at)).toBe(shownIn(timeZone, at));
      }),
    );
  });

  test("throws for an unknown time zone", () => {
    expect(() => createOffsetLookup("Mars/Olympus")).toThrow(RangeError);
    expect(parseTimeZone("Mars/Olympus")).toBeUndefined();
  });
});

/** Reads the clock of a zone, as if it were UTC. */
const shownIn = (timeZone: string, at: number): number => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return Date.parse(`${format.format(at).replace(" ", "T")}Z`);
};
