import { describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { evaluateTemplates } from "./evaluate.ts";
import type { Scope } from "./evaluation-scope.ts";

const scope = {
  input: { numbers: Array.from({ length: 5_000 }, (_, index) => index) },
  steps: {},
};

const evaluate = (text: string, seen: Scope = scope, totalMs = 60_000): Promise<unknown> => {
  const processor = testProcessor(totalMs);
  return evaluateTemplates(text, seen, { processor, clock: Date.now });
};

const run = (expression: string, totalMs?: number): Promise<unknown> =>
  evaluate(`{% ${expression} %}`, scope, totalMs);

const deep = "too deeply";
const slow = /exceeds? the 0\.3 s/;
const many = "too many values";
const large = "more than 16777216 bytes";
// The machine determines which of two limits is reached first. Those that may need time get 0.3 s.
const manyOrSlow = /too many values|exceeds? the 0\.3 s/;
const largeOrSlow = /more than 16777216 bytes|exceeds? the 0\.3 s/;
const sequence = "too long a sequence";

describe("an expression can neither hang nor exhaust memory", () => {
  test.each([
    ["endless recursion", "($f := function($x) { 1 + $f($x) }; $f(1))", deep],
    ["an endless tail call", "($f := function($x) { $f($x) }; $f(1))", manyOrSlow],
    ["a huge range", "[1..10000000]", sequence],
    ["a long pad", "$pad('x', 1000000000)", "the width of $pad"],
    ["many pads", "$map([1..50000], $pad('x', ?))", manyOrSlow],
    ["doubling a string", "$reduce([1..60], function($a, $b) { $a & $a }, 'xxxxxxxx')", many],
    ["doubling an array", "$reduce([1..60], function($a, $b) { $append($a, $a) }, [1])", sequence],
    ["doubling an object", "$reduce([1..60], function($a, $b) { {'l': $a, 'r': $a} }, 1)", large],
    [
      "doubling by a transform",
      "$reduce([1..60], function($a, $b) { $a ~> |$|{'l': $a, 'r': $a}| }, {})",
      largeOrSlow,
    ],
    ["a value inside itself", "($x := {'a': 1} ~> |$|{'b': $}|; $string($x))", "nested deeper"],
    ["nesting", "$reduce([1..5000], function($a, $b) { {'a': $a} }, 1)", "nested deeper"],
    ["a catastrophic regular expression", "$contains($pad('', 40, 'a') & 'b', /^(a+)+$/)", slow],
    ["a catastrophic split", "$split($pad('', 60, 'x'), /(x+x+)+y/)", slow],
    [
      "a long replacement",
      "$replace($pad('', 1000000, 'a'), 'a', $pad('', 1000000, 'b'))",
      "more memory",
    ],
    [
      "a long separator",
      "$join($map([1..50000], $string), $pad('', 1000000, 'b'))",
      "result of $join",
    ],
    ["many large arrays", "$map([1..50000], $append(?, [1..50000]))", many],
    ["ordering very many", "[1..50000]^(>$)", many],
    [
      "a matcher that never ends",
      "($m := function($s) { {'match': 'a', 'start': 0, 'end': 0, 'groups': [], 'next': function() { $m($s) }} }; $match('a', $m))",
      /exceeds? the 0\.3 s|too long a sequence/,
    ],
    ["a long picture", "$formatNumber(1, $pad('#', 100000, '#'))", "picture"],
    ["a number without end", "$formatInteger(1e300, 'I')", "more memory"],
    [
      "a result of more than 1 MiB",
      "[$pad('', 1048570, 'x'), 'xxxxxxxxxx']",
      "1048587 bytes of JSON",
    ],
    ["a number that JSON can't hold", "1 / 0", "out of range"],
  ])("%s", async (_name, expression, message) => {
    const isSlow = message instanceof RegExp;
    await expect(run(expression, isSlow ? 300 : undefined)).rejects.toThrow(message);
  });

  test.each([
    [
      "sorting 50,000 values",
      "$count($sort($map([1..50000], function($x) { 50000 - $x })))",
      50_000,
    ],
    ["grouping by thousands of keys", "$count($keys(input.numbers{$string($): $}))", 5_000],
    ["a long literal array", `$count([${"1,".repeat(5_000)}1])`, 5_001],
    ["matching thousands of times", "$count($match($pad('', 20000, 'ab'), /ab/))", 10_000],
    [
      "the distinct ones of thousands",
      "$count($distinct($append(input.numbers, input.numbers)))",
      5_000,
    ],
  ])("%s is no abuse", async (_name, expression, expected) => {
    expect(await run(expression)).toBe(expected);
  });

  test("one evaluation's failure leaves the expression usable", async () => {
    const text = "{% $number(input) %}";
    await expect(evaluate(text, { input: "x" })).rejects.toThrow("failed");
    expect(await evaluate(text, { input: "5" })).toBe(5);
  });
});
