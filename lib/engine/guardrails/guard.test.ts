import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import type { Json } from "../../values/json/json.ts";
import { createGuard } from "./guard.ts";
import { checkPattern, findMatches } from "./pattern.ts";
import { GuardrailCheck } from "./schemas.ts";

const createTestGuard = (...checks: readonly object[]) => {
  const parsed = checks.map((check, at) =>
    GuardrailCheck.parse({ id: `c${at}`, on: ["output"], action: "block", ...check }),
  );
  const guard = createGuard({ processor: testProcessor(30_000), clock: () => 0 }, [
    { id: "g", revision: 3, checks: parsed },
  ]);
  if (!guard) throw new Error("no guard");
  return guard;
};
const apply = (value: Json, ...checks: readonly object[]) =>
  createTestGuard(...checks).check("output", value);

describe("checks", () => {
  test("block without the value, flag, and mask what they find anywhere in it", async () => {
    const value = { to: ["ada@example.com"], "bob@example.com": 4111111111111111 };
    expect(await apply(value, { type: "Pii" })).toEqual({
      value: null,
      blocked: { guardrail: "g", check: "c0" },
      replacements: [],
      verdicts: [
        {
          guardrail: "g",
          revision: 3,
          check: "c0",
          type: "Pii",
          outcome: "blocked",
          found: ["Email", "Card"],
        },
      ],
    });
    expect(await apply(value, { type: "Pii", action: "flag" })).toMatchObject({
      value,
      verdicts: [{ outcome: "flagged" }],
    });
    expect((await apply(value, { type: "Pii", action: "mask" })).value).toEqual({
      to: ["[Email]"],
      "[Email]": "[Card]",
    });
  });

  test("see what the ones before left, and none after one that blocked", async () => {
    const { value, verdicts } = await apply(
      "ada@example.com PROJECT-1234",
      { type: "Pii", action: "mask" },
      { type: "Expression", value: "$contains(value, '@')" },
      { type: "Pattern", pattern: "PROJECT-[0-9]+" },
      { type: "Pii", action: "flag" },
    );
    expect(value).toBeNull();
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["masked", "passed", "blocked"]);
  });

  test("are applied at their places alone, by value and place", async () => {
    const guard = createTestGuard({
      type: "Expression",
      value: "on = 'input'",
      on: ["input", "output"],
    });
    expect(guard.has("retrieval")).toBe(false);
    expect((await guard.check("input", "x")).blocked).toBeDefined();
    expect((await guard.check("output", "x")).blocked).toBeUndefined();
  });

  test("that fail block, or allow by onError", async () => {
    const failing = { type: "Expression", value: "value + 1" };
    expect((await apply("x", failing)).blocked).toEqual({ guardrail: "g", check: "c0" });
    expect(await apply("x", { ...failing, onError: "allow" })).toMatchObject({
      value: "x",
      verdicts: [{ outcome: "failed" }],
    });
  });
});

describe("a pattern", () => {
  test.each(["(a)\\1", "(?=a)b", "(", "a*", "(a{50}){50}"])("%s is refused", (pattern) => {
    expect(checkPattern(pattern)).toBeTypeOf("string");
  });

  test("matches in linear time what takes exponential time elsewhere", () => {
    const start = process.cpuUsage();
    expect(findMatches("(a+)+$", `${"a".repeat(50_000)}!`)).toEqual([]);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });

  test("finds what an ordinary regular expression finds", () => {
    const part = fc.constantFrom("a", "b", "[ab]", "(a|b)", "\\d", "a?", "b+", "[^a]", "\\b");
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const text = fc.array(fc.constantFrom("a", "b", "1", " "), { maxLength: 20 });
    fc.assert(
      fc.property(pattern, text, (source, characters) => {
        const all = characters.join("");
        const expected = [...all.matchAll(new RegExp(source, "g"))].filter(
          ([match]) => match !== "",
        );
        expect(findMatches(source, all).map(({ start, end }) => all.slice(start, end))).toEqual(
          expected.map(([match]) => match),
        );
      }),
    );
  });
});
