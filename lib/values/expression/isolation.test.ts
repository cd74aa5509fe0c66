import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { allProbes, probedDocument } from "../../../test/harness/expression-probes.ts";
import { testProcessor } from "../../../test/harness/processor.ts";
import type { Json } from "../json/json.ts";
import { evaluateExpression } from "./evaluate.ts";
import { ExpressionError } from "./expression-error.ts";
import { parseExpression } from "./parse-expression.ts";

/*
 * Expressions of tenants run in threads of their own. Here all run in one realm, so that what holds does not depend on
 * that.
 */

const clock = () => 0;
const probes = parseExpression(allProbes);
let clean: Json | undefined;

beforeAll(async () => {
  const processor = testProcessor();
  clean = await evaluateExpression(allProbes, probedDocument(), { processor, clock });
});

const evaluate = async (source: string, document: unknown = probedDocument()): Promise<unknown> => {
  try {
    const bindings = { ...Object(document) };
    return await parseExpression(source).evaluate(document, { clock, bindings });
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
};

const names = (value: object) => Reflect.ownKeys(value).map(String);
const shared = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Object];
const before = shared.map(names);

const expectNothingChanged = async (document: unknown): Promise<void> => {
  expect(await probes.evaluate(probedDocument(), { clock })).toEqual(clean);
  expect(shared.map(names)).toEqual(before);
  // Marks of jsonata on arrays are members, too.
  expect(listMembers(document)).toEqual(listMembers(probedDocument()));
};

const listMembers = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).map(([key, member]) => [key, listMembers(member)])
    : value;

const onlyOwn = "a transform may only change objects of the value that it is applied to";
const aFunction = "returns a function";
const apart = "uses a function as an object";
const noFit = "does not match function signature";
const noCall = "Attempted to invoke a non-function";
const noClone = "must not replace $clone";
const nothing = undefined;
/** Makes a function of JavaScript of one of JSONata. */
const js = (body: string) => `(function($g) { $g })(${body})`;

describe("a hostile expression changes nothing, and sees no internals", () => {
  test.each<[string, unknown]>([
    // A transform writes into whatever its pattern matches.
    ["{} ~> |$uppercase|{'implementation': function($x) { 'pwned' }}|", onlyOwn],
    ["{} ~> |$uppercase|{}, ['implementation', 'signature']|", onlyOwn],
    ["{} ~> |[$uppercase]|{'implementation': 1}|", onlyOwn],
    ["{} ~> |[[$uppercase]]|{'implementation': 1}|", onlyOwn],
    ["{} ~> |[[[$uppercase, $sum]]]|{'implementation': 1}|", onlyOwn],
    ["{} ~> |{'f': $uppercase}.f|{'implementation': 1}|", onlyOwn],
    ["{} ~> |{'f': $uppercase}|{'f': 1}|", onlyOwn],
    ["({} ~> |$map([$uppercase], function($f) { $f })|{'implementation': 1}|)", onlyOwn],
    ["({} ~> |$filter([$uppercase, $sum], function($f) { true })|{'signature': 1}|)", onlyOwn],
    ["({} ~> |$append($uppercase, $sum)|{'signature': 1}|)", onlyOwn],
    ["({} ~> |true ? $uppercase : 1|{'implementation': 1}|)", onlyOwn],
    ["({} ~> |($f := $uppercase; $f)|{'implementation': 1}|)", onlyOwn],
    ["($f := function($x) { $x }; {} ~> |$f|{'environment': 1}|)", onlyOwn],
    ["($f := function($x) { $x }; {} ~> |$f|{'body': 1, 'arguments': []}|)", onlyOwn],
    [
      "($f := function($x) { $x }; {} ~> |$f|{'arguments': [{'value': 'budget of this evaluation'}]}|)",
      onlyOwn,
    ],
    ["($p := $uppercase(?); {} ~> |$p|{'body': 1}|)", onlyOwn],
    ["($c := $uppercase ~> $lowercase; {} ~> |$c|{'body': 1}|)", onlyOwn],
    ["($t := |$|{'x': 1}|; {} ~> |$t|{'implementation': 1}|)", onlyOwn],
    [`($u := ${js("$uppercase")}; {} ~> |$u|{'arity': 9}|)`, onlyOwn],
    ["{} ~> |$now|{'implementation': 1}|", onlyOwn],
    ["{} ~> |$millis|{'implementation': 1}|", onlyOwn],
    ["{} ~> |$clone|{'implementation': function($x) { $x }}|", onlyOwn],
    ["({} ~> |$sort([$uppercase, $sum], function($l, $r) { false })|{'x': 1}|)", onlyOwn],
    ["($r := /a/; {} ~> |$r|{'lastIndex': 5}|)", onlyOwn],
    ["($n := /a/('banana').next; {} ~> |$n|{'x': 5}|)", onlyOwn],
    // So it may write into its own copy alone.
    ["{} ~> |$$|{'x': 1}|", onlyOwn],
    ["{} ~> |$$.a|{'x': 1}|", onlyOwn],
    ["{} ~> |$$.a|{}, 'b'|", onlyOwn],
    ["{} ~> |$a.b|{'c': 2}|", onlyOwn],
    ["({} ~> |$$.items[0]|{'n': 2}|)", onlyOwn],
    ["({} ~> |[$$.nested]|{'0': 2}|)", onlyOwn],
    ["({} ~> |[[$$.nested]]|{'length': 0}|)", onlyOwn],
    ["($x := [[{}]] ~> |[$]|{'tupleStream': true}|)", onlyOwn],
    ["($m := /a/('banana'); {} ~> |$m|{'match': 5}|)", onlyOwn],
    ["[function($x) { $x }]@$clone.({} ~> |$$|{'x': 1}|)", noClone],
    ["items#$clone.({} ~> |$|{'x': 1}|)", noClone],
    ["items[n = 1]#$clone.({} ~> |$|{'x': 1}|)", noClone],
    ["($clone := function($x) { $x }; {} ~> |$$|{'x': 1}|)", noClone],
    ["({} ~> |$|{'__proto__': {'x': 1}}|).x", nothing],
    ["({'a': {}} ~> |a|{'__proto__': $uppercase}|).a('x')", noCall],
    ["({} ~> |$|{'constructor': {'prototype': {'polluted': 1}}}|).toString", nothing],
    ["({} ~> |$|{'f': $uppercase}|).f('a')", "A"],
    // Functions have no members.
    ["$uppercase.implementation", nothing],
    ["$uppercase.*", nothing],
    ["$uppercase.**.implementation", nothing],
    ["[$uppercase].*", nothing],
    ["{'f': $uppercase}.**.signature", nothing],
    ["$lookup($uppercase, 'implementation')", nothing],
    ["$lookup([$uppercase], 'implementation')", nothing],
    ["$keys([$uppercase, function($x) { $x }])", nothing],
    ["(function($x) { $x }).environment.lookup('sum')", nothing],
    ["(function($x) { $x }).(body & arguments & input)", ""],
    ["/a/.lastIndex", nothing],
    ["[$uppercase]{'is': implementation}", {}],
    ["[$uppercase][implementation]", nothing],
    ["[$uppercase]@$f.$f.implementation", nothing],
    [
      "$sort([$uppercase, $sum], function($l, $r) { $exists($l.implementation) })[0].token",
      nothing,
    ],
    ["$reduce([$uppercase, $sum], function($a, $b) { $a.signature })", nothing],
    ["$string([$uppercase, function($x) { $x }])", '["",""]'],
    ["$clone([$uppercase])", [""]],
    ["$spread([$uppercase])", apart],
    ["$spread([[function($x) { $x }]])", apart],
    ["$spread($uppercase)", aFunction],
    ["$merge([$uppercase])", "must be an array"],
    ["($m := $merge(?); $m([$uppercase]))", "must be an array"],
    ["($e := $each(?, function($v, $k) { $k }); $map([$uppercase], $e))", noFit],
    ["($s := $sift(?, function($v, $k) { true }); $map([$uppercase], $s))", noFit],
    // jsonata calls `apply` of what it is given, with the environment.
    [
      `($m := $map(?, ?); $m([1], {'apply': ${js("function($a) { $a.environment.bind('sum', 1) }")}}))`,
      noFit,
    ],
    [
      `($r := $replace(?, ?, ?, ?); $r('abc', /b/, {'apply': ${js("function($a) { $keys($a) }")}}))`,
      noFit,
    ],
    // jsonata writes the place of a call into what is called.
    ["a()", noCall],
    ["(list)(1)", noCall],
    ["nested()", noCall],
    // jsonata marks the arrays of a document.
    ["list[]", [3, 1, 2]],
    ["nested[]", [[1, 2]]],
    ["$nested[0][]", [1, 2]],
    ["empty{'a': 1}", { a: 1 }],
    ["$empty{'a': 1}", { a: 1 }],
    ["__proto__.polluted", nothing],
    ["a.constructor.prototype", nothing],
    ["toString()", noCall],
    ["$constructor", nothing],
    ["$merge([{'__proto__': {'polluted': 1}}]).polluted", nothing],
  ])("%s", async (source, expected) => {
    const document = probedDocument();
    const outcome = await evaluate(source, document);
    expect(outcome).toEqual(
      typeof outcome === "string" && typeof expected === "string"
        ? expect.stringContaining(expected)
        : expected,
    );
    await expectNothingChanged(document);
  });

  test.each([
    ["a lambda", { _jsonata_lambda: true, thunk: true, body: { procedure: { type: "name" } } }],
    ["a function", { _jsonata_function: true, implementation: "x" }],
    ["a function within", { list: [{ _jsonata_function: true }] }],
  ])("data that jsonata would take for %s is refused", async (_name, evil) => {
    for (const source of [
      "(evil)",
      "evil('x')",
      "$map([1], evil)",
      "$lookup($, 'evil')",
      "evil ~> |$|{}|",
    ]) {
      expect(await evaluate(source, { evil })).toContain("by which JSONata recognizes functions");
    }
  });

  test.each([
    "{'then': /a/}",
    "{'then': /a/('aaa').next}",
    "[1, {'then': /a/}]",
    "$map([1], function($v) { {'then': /a/} })",
  ])("%s, which jsonata would await for ever, ends immediately", async (source) => {
    expect(await evaluate(source)).toContain("waits for a value that is never resolved");
  });

  test("an object constructed for an empty list leaves the list as it is", async () => {
    const document = { list: [[]] };
    await evaluate("list.{'x': 1}", document);
    expect(document).toEqual({ list: [[]] });
  });

  test("a plain path returns such data unchanged", async () => {
    const evil = { _jsonata_lambda: true, list: [{ _jsonata_function: true }] };
    expect(await evaluate("evil", { evil })).toEqual(evil);
  });
});

describe("any expression", () => {
  const part = (strings: TemplateStringsArray, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((values) => String.raw({ raw: strings }, ...values));
  const builtin = fc.constantFrom(
    ..."uppercase sum map each sift merge spread keys lookup clone string now millis sort filter".split(
      " ",
    ),
    ..."reduce replace match append zip distinct type boolean single join".split(" "),
  );
  const name = fc.constantFrom(
    ..."a b list nested empty items n implementation signature environment body arguments".split(
      " ",
    ),
    ..."input token position thunk apply arity `__proto__` constructor toString".split(" "),
  );
  const { expression } = fc.letrec<{ expression: string; callee: string; object: string }>(
    (tie) => {
      const inner = tie("expression");
      return {
        callee: fc.oneof(
          { depthSize: "small" },
          builtin.map((name) => `$${name}`),
          part`function($p, $q) { ${fc.constantFrom("$p", "$q", "[$p, $q]", "$p.implementation", "$keys($p)")} }`,
          fc.constantFrom(
            "/a/",
            "$uppercase(?)",
            "$map(?, ?)",
            "$each(?, $string)",
            "|$|{'x': 1}|",
          ),
          fc.constant(js("$uppercase")),
          part`(${tie("callee")} ~> ${tie("callee")})`,
        ),
        object: fc.oneof(
          part`{'${name}': ${inner}}`,
          part`{'${name}': ${tie("callee")}, '${name}s': ${inner}}`,
          part`$merge([${inner}, {'${name}': ${tie("callee")}}])`,
        ),
        expression: fc.oneof(
          { depthSize: "small", withCrossShrink: true },
          fc.constantFrom("$", "$$", "1", "'x'", "[1..3]", "{}", "[]", "$x", "$a", "$nested"),
          name,
          tie("callee"),
          tie("object"),
          part`(${inner} ~> |${inner}|${tie("object")}|)`,
          part`({} ~> |${tie("callee")}|${tie("object")}|)`,
          part`({} ~> |[${tie("callee")}]|${tie("object")}, ['${name}']|)`,
          part`($ ~> |${inner}|{}, '${name}'|)`,
          part`${tie("callee")}(${inner})`,
          part`(${tie("callee")})(${inner}, ${inner})`,
          part`(${inner}).${name}`,
          part`(${inner}).${fc.constantFrom("*", "**", "(**)[0]")}`,
          part`(${inner})[]`,
          part`[${inner}, ${inner}]`,
          part`(${inner})[${inner}]`,
          part`(${inner})()`,
          part`(${inner}){'k': ${inner}}`,
          part`(${inner})^(${inner})`,
          part`(${inner})@$x.${inner}`,
          part`(${inner})#$x.${inner}`,
          part`($x := ${inner}; ${inner})`,
          part`($uppercase := ${tie("callee")}; ${inner})`,
          part`(${inner} ? ${inner} : ${inner})`,
        ),
      };
    },
  );

  /** Transforms that aim at what functions consist of. */
  const internal = fc.constantFrom(
    "implementation",
    "signature",
    "environment",
    "body",
    "arguments",
  );
  const target = fc.oneof(
    part`$${builtin}`,
    part`[$${builtin}, $${builtin}]`,
    part`{'f': $${builtin}}.f`,
    part`($f := $${builtin}; $f)`,
    part`$map([$${builtin}], function($f) { $f })`,
    part`(true ? $${builtin} : 1)`,
  );
  const rewrite = fc.oneof(
    part`{} ~> |${target}|{'${internal}': ${expression}}|`,
    part`$ ~> |${target}|{'${internal}': 1, '${internal}s': $}, '${internal}'|`,
    part`$each({'f': $${builtin}}, function($v) { {} ~> |$v|{}, '${internal}'| })`,
  );

  test("changes nothing that a later one evaluates to", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(expression, rewrite), async (source) => {
        const document = probedDocument();
        await evaluate(source, document);
        await expectNothingChanged(document);
      }),
      { numRuns: 200 },
    );
  });
});
