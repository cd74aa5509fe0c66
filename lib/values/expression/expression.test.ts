import fc from "fast-check";
import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { evaluateDeep, parseTemplate } from "./expression.ts";
import { parseExpression } from "./parse-expression.ts";

const scope = {
  input: {
    name: "Ada",
    items: [
      { price: 1, kind: "a" },
      { price: 2, kind: "b" },
      { price: 3, kind: "a" },
    ],
    empty: [],
    secret: "s3cr3t-value",
  },
  parameters: {},
  steps: { first: { output: { x: 7 } }, "with-dash": { output: "dashed" } },
  trigger: { type: 0, id: "key", provider: null },
  execution: { id: "e1" },
};

const evaluate = (text: string): Promise<unknown> => {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(`${parsed.position}: ${parsed.message}`);
  return parsed.template.evaluate(scope);
};

describe("a template", () => {
  test.each([
    ["a single path keeps its type", "{% steps.first.output.x %}", 7],
    ["variables name the scope, too", "{% $steps.first.output.x + $input.items[0].price %}", 8],
    ["an array keeps its type", "{% input.items.price %}", [1, 2, 3]],
    ["an object keeps its type", "{% input.items{kind: $sum(price)} %}", { a: 4, b: 2 }],
    ["a path over an array's members maps", "{% input.items.kind %}", ["a", "b", "a"]],
    ["a single match is no array", "{% input.items[price = 2].kind %}", "b"],
    ["an empty array stays one", "{% input.empty %}", []],
    ["nothing selected is no value", "{% input.nothing.at.all %}", undefined],
    ["white space around one expression makes a string", " {% 1 %}", " 1"],
    ["text around makes a string", "Hi {% input.name %}!", "Hi Ada!"],
    ["several make a string", "{% 1 %}{% 2 %}", "12"],
    [
      "other values in a text are JSON",
      "{% input.items[0] %}, {% true %}",
      '{"price":1,"kind":"a"}, true',
    ],
    ["no value in a text is nothing", "[{% input.nothing %}]", "[]"],
    ["the end may stand inside a string", '{% "a %} b" %}', "a %} b"],
    [
      "the parent operator may stand before it",
      '{% input.items.{"of": %.name} %}',
      [{ of: "Ada" }, { of: "Ada" }, { of: "Ada" }],
    ],
    ["an id with a dash is quoted", "{% steps.`with-dash`.output %}", "dashed"],
    ["a range is a plain array", "{% [1..3] %}", [1, 2, 3]],
    ["regular expressions work", "{% $replace('a1b22', /[0-9]+/, '<$0>') %}", "a<1>b<22>"],
    ["all matches are found", "{% $match('ababab', /ab/).match %}", ["ab", "ab", "ab"]],
    ["functions are partially applied", "{% ($p := $pad(?, 4, '0'); $p('a')) %}", "a000"],
    ["order-by sorts", "{% input.items^(>price).price %}", [3, 2, 1]],
    [
      "$sort takes a function",
      "{% $sort(input.items, function($l, $r) { $l.price < $r.price }).price %}",
      [3, 2, 1],
    ],
    ["$sort sorts strings", "{% $sort(['b', 'a', 'c']) %}", ["a", "b", "c"]],
    ["a transform changes a copy", "{% (input ~> |items|{'price': 0}|).items.price %}", [0, 0, 0]],
    ["own members are seen, inherited ones are not", "{% input.constructor %}", undefined],
  ])("%s", async (_name, text, expected) => {
    expect(await evaluate(text)).toStrictEqual(expected);
  });

  test("a result has no properties of jsonata", async () => {
    const result = await evaluate("{% input.items.price %}");
    expect(Object.getOwnPropertyNames(result)).toEqual(["0", "1", "2", "length"]);
    expect(Object.getPrototypeOf(await evaluate("{% {'a': 1} %}"))).toBe(Object.prototype);
  });

  test("__proto__ is a member like any other", async () => {
    const result = await evaluate("{% {'__proto__': {'polluted': true}} %}");
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  test("grouping an empty array does not change the scope", async () => {
    await evaluate("{% input.empty{'a': 1} %}");
    expect(scope.input.empty).toEqual([]);
  });

  test("$now and $millis use the given clock", async () => {
    const parsed = parseTemplate("{% [$millis(), $now()] %}");
    const result =
      parsed.ok && (await parsed.template.evaluate(scope, { clock: () => 86_400_000 }));
    expect(result).toEqual([86_400_000, "1970-01-02T00:00:00.000Z"]);
  });

  test.each([
    ["an expression that breaks off", "{% 1 + %}", 7, "Unexpected end of expression"],
    ["the second part of a text", "text {% input. %}", 15, "Unexpected end of expression"],
    ["an expression without its end", "text {% 1", 5, "no closing %}"],
    ["$eval", "{% $eval('1') %}", 2, "must not use $eval"],
    ["another $clone", "{% ($clone := 1) %}", 2, "must not replace $clone"],
    ["a parameter $clone", "{% function($clone) { 1 } %}", 2, "must not replace $clone"],
    [
      "a signature that backtracks",
      "{% function($a)<s?s?s?s?s?s?s?s?s?s?:s> { 1 } %}",
      2,
      "signature",
    ],
    ["deep nesting", `{% ${"(".repeat(9_000)}1${")".repeat(9_000)} %}`, 2, "nested too deeply"],
    ["a very long expression", `{% ${"1+".repeat(20_000)}1 %}`, 2, "at most 32768 characters"],
  ])("%s is refused with a position and a reason", (_name, text, position, message) => {
    const parsed = parseTemplate(text);
    expect(parsed).toMatchObject({
      ok: false,
      position,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    "{% 1 + input.secret %}",
    "{% $number(input.secret) %}",
    "{% input.secret < 1 %}",
    "{% $toMillis(input.secret) %}",
    "{% {input.items: 1} %}",
    "{% -input.secret %}",
    "{% $formatBase(10, $length(input.secret) * 100) %}",
  ])("the failure of %s has its place and reason, and no value", async (text) => {
    const failure = await evaluate(`x${text}`).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).toMatch(/The expression at character 1 failed: .{10}/);
    expect(String(failure)).not.toMatch(/s3cr3t|"price"|1200/);
  });

  test("a message of $error ends with one full stop", async () => {
    await expect(evaluate("{% $error('No city is given.') %}")).rejects.toThrow(
      /failed: No city is given\.$/,
    );
  });

  test("a message of $error is shown", async () => {
    await expect(evaluate("{% $error('no city given') %}")).rejects.toThrow(
      "failed: no city given.",
    );
  });

  test("a function is no result", async () => {
    await expect(evaluate("{% {'f': $sum} %}")).rejects.toThrow("returns a function");
  });

  test("text without expressions is returned unchanged", async () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("{%"));
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(await evaluate(value)).toBe(value);
      }),
    );
  });

  test("any text is either parsed or refused, never worse", () => {
    const pieces = fc.constantFrom(
      "{%",
      "%}",
      " ",
      "a",
      "$",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "'",
      '"',
      "/",
      "1",
      ".",
      "*",
      "^",
      "|",
      "~>",
      "`",
      "%",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }),
        (parts) => void parseTemplate(parts.join("")),
      ),
    );
  });
});

describe("a plain path", () => {
  const names = fc.constantFrom("a", "b", "c", "and", "in", "null");
  const document = fc.dictionary(
    names,
    fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(null, 0, "x", true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(names, tie("value"), { maxKeys: 3 }),
      ),
    })).value,
  );

  test("equals jsonata's result", async () => {
    const path = fc.array(fc.constantFrom("a", "b", "`c`"), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(document, path, async (input, parts) => {
        const source = parts.join(".");
        const mine = await parseExpression(source).evaluate(input);
        const theirs: unknown = await jsonata(source).evaluate(structuredClone(input));
        expect(JSON.stringify(mine)).toBe(JSON.stringify(theirs));
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe("evaluateDeep", () => {
  test("evaluates every string of a value and leaves names alone", async () => {
    const value = { a: ["{% input.name %}", 1, null], "{% x %}": { b: "{% 1 + 1 %}" } };
    expect(await evaluateDeep(value, scope)).toEqual({ a: ["Ada", 1, null], "{% x %}": { b: 2 } });
  });

  test("keeps any JSON without expressions as it is", async () => {
    const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes("{%"));
    await fc.assert(
      fc.asyncProperty(value, async (json) => {
        const result = await evaluateDeep(json, scope);
        expect(JSON.stringify(result)).toBe(JSON.stringify(json));
      }),
    );
  });

  test("limits the total size of many expressions' results", { tags: "nightly" }, async () => {
    const large = Array.from({ length: 20 }, () => "{% $pad('', 900000, 'x') %}");
    await expect(evaluateDeep(large, scope)).rejects.toThrow("more than 8388608 bytes");
  });
});
