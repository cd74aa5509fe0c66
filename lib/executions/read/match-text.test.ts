import { describe, expect, test } from "vitest";
import { type ObjectStore, packValue } from "../../platform/db/large-value.ts";
import type { ExecutionRecord, StoredExecution } from "../record/execution-record.ts";
import { matchText } from "./match-text.ts";

const objects: ObjectStore = {
  put: async () => undefined,
  get: () => Promise.reject(new Error("is not read")),
  remove: async () => undefined,
};
const pack = (value: unknown, maxInline?: number) => packValue(value, "object", objects, maxInline);

const outcome = { output: { reply: "Refunded 12.5 €" }, error: null, trace: [{ note: "span" }] };

const execution = {
  input: await pack({ input: { Ticket: ["Order 4711", { city: "ÎLE" }] } }),
  result: await pack(outcome),
};

const isMatch = (text: string, stored: Partial<StoredExecution> = execution) =>
  matchText(text)({} as ExecutionRecord, { ...execution, ...stored } as StoredExecution);

describe("a filter of executions by text", () => {
  test.each([
    ["order 4711", true],
    ["île", true],
    ["refunded", true],
    ["12.5 €", true],
    ["Ticket", false],
    ["span", false],
    ["object", false],
    ["4711 order", false],
  ])("%j: %s", (text, expected) => {
    expect(isMatch(text)).toBe(expected);
  });

  test("looks at numbers, and at an execution without an outcome", async () => {
    const input = await pack({ input: { amount: 99.5 } });
    expect(isMatch("99.5", { input, result: undefined })).toBe(true);
    expect(isMatch("refunded", { input, result: undefined })).toBe(false);
  });

  test("finds characters that JSON escapes", async () => {
    const input = await pack({ input: { a: 'Say "HI"\n\\ and \u0007' } });
    for (const text of ['"hi"', 'hi"\n\\', "\u0007"]) expect(isMatch(text, { input })).toBe(true);
    expect(isMatch("\\n", { input })).toBe(false);
  });

  test("leaves out a value that is damaged", async () => {
    expect(isMatch("refunded", { input: await pack("refunded") })).toBe(true);
    expect(isMatch("lost", { input: await pack("lost") })).toBe(false);
  });

  test("does not look at an input that services have not checked", () => {
    expect(isMatch("order 4711", { isUnchecked: true })).toBe(false);
  });

  test("does not look at values apart from the record, or that expand to more than 64 KB", async () => {
    expect(isMatch("order 4711", { input: { part: "INPUT#a" } })).toBe(false);
    expect(isMatch("order 4711", { input: await pack({ input: { a: "order 4711" } }, 0) })).toBe(
      false,
    );
    const many = (length: number) => pack({ input: { a: Array(length).fill(0), b: "order 4711" } });
    expect(isMatch("order 4711", { input: await many(32_000) })).toBe(true);
    expect(isMatch("order 4711", { input: await many(32_800) })).toBe(false);
  });
});
