import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { checkDescriptors as findProblems } from "./check-descriptors.ts";
import { checkInputs as check } from "./check-inputs.ts";
import { ParameterDescriptor, parameterTypes } from "./parameters.ts";

const descriptor = (more: object) =>
  ParameterDescriptor.parse({ name: "x", type: "String", ...more });

const processor = () => testProcessor(60_000);
const checkInputs = (descriptors: readonly ParameterDescriptor[], input: unknown) =>
  check(descriptors, input, processor());
const checkDescriptors = (descriptors: readonly ParameterDescriptor[]) =>
  findProblems(descriptors, processor());

const problems = async (more: object, value: unknown): Promise<readonly string[]> => {
  const result = await checkInputs([descriptor(more)], { x: value });
  return result.ok ? [] : result.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
};

describe("checkInputs", () => {
  test.each([
    [{ type: "String" }, "text"],
    [{ type: "Integer", integerRange: { min: 1, max: 3 } }, 3],
    [{ type: "Float", floatRange: { min: 0 } }, 0.5],
    [{ type: "Boolean" }, false],
    [{ type: "Option", options: ["a", { value: "b", displayName: "B" }] }, "b"],
    [{ type: "Json" }, null],
    [{ type: "Json", jsonSchema: '{"type":"array","items":{"type":"integer"}}' }, [1, 2]],
    [{ type: "Asset" }, "asset-1"],
    [{ type: "String", jsonSchema: '{"minLength":2}' }, "ab"],
  ])("%j accepts %j unchanged", async (more, value) => {
    expect(await checkInputs([descriptor(more)], { x: value })).toEqual({
      ok: true,
      values: { x: value },
    });
  });

  test.each([
    [{ type: "String" }, 5, "/input/x must be a string"],
    [{ type: "String" }, null, "/input/x must be a string"],
    [{ type: "Integer" }, "5", "/input/x must be a whole number"],
    [{ type: "Integer" }, 1.5, "/input/x must be a whole number"],
    [{ type: "Integer", integerRange: { min: 1, max: 3 } }, 4, "/input/x must be at most 3"],
    [{ type: "Float", floatRange: { min: 0.5 } }, 0.4, "/input/x must be at least 0.5"],
    [{ type: "Boolean" }, "true", "/input/x must be true or false"],
    [{ type: "Option", options: ["a", "b"] }, "c", '/input/x must be one of "a", "b"'],
    [{ type: "Asset" }, "", "/input/x must be an asset's id"],
  ])("%j refuses %j", async (more, value, problem) => {
    expect(await problems(more, value)).toEqual([problem]);
  });

  test("a JSON Schema's errors lead to the places that are wrong, all of them", async () => {
    const jsonSchema = JSON.stringify({
      type: "object",
      properties: {
        a: { $ref: "#/$defs/number" },
        b: { type: "array", items: { type: "string" } },
      },
      required: ["a"],
      $defs: { number: { type: "number" } },
    });
    const found = (await problems({ type: "Json", jsonSchema }, { a: "1", b: ["x", 2] })).map(
      (text) => text.split(" ")[0],
    );
    expect(found).toEqual(["/input/x/a", "/input/x/b/1"]);
    expect((await problems({ type: "Json", jsonSchema }, {}))[0]).toMatch(/^\/input\/x .*"a"/);
  });

  test("reports all errors together: missing, unknown and wrong inputs", async () => {
    const descriptors = [
      descriptor({ name: "a/b", required: true }),
      descriptor({ name: "n", type: "Integer" }),
    ];
    const result = await checkInputs(descriptors, { n: "1", other: 1 });
    expect(result).toEqual({
      ok: false,
      errors: [
        { pointer: "/input/other", detail: "is not an input of this agent" },
        { pointer: "/input/a~1b", detail: "is required" },
        { pointer: "/input/n", detail: "must be a whole number" },
      ],
    });
  });

  test("defaults of every type replace absent values", async () => {
    const descriptors = [
      descriptor({ name: "s", defaultValue: "1", required: true }),
      descriptor({ name: "i", type: "Integer", defaultValue: "1" }),
      descriptor({ name: "f", type: "Float", defaultValue: "1.5" }),
      descriptor({ name: "b", type: "Boolean", defaultValue: "false" }),
      descriptor({ name: "o", type: "Option", options: ["x"], defaultValue: "x" }),
      descriptor({ name: "j", type: "Json", defaultValue: '{"a":[1]}' }),
      descriptor({ name: "none" }),
    ];
    const values = { s: "1", i: 1, f: 1.5, b: false, o: "x", j: { a: [1] } };
    expect(await checkInputs(descriptors, undefined)).toEqual({ ok: true, values });
    expect(await checkInputs(descriptors, { b: true })).toEqual({
      ok: true,
      values: { ...values, b: true },
    });
  });

  test.each([[5], ["x"], [[]], [true]])("inputs that are %j are refused", async (input) => {
    expect(await checkInputs([], input)).toEqual({
      ok: false,
      errors: [{ pointer: "/input", detail: "must be an object" }],
    });
  });

  test("is safe against __proto__, depth and patterns that backtrack", {
    tags: "nightly",
  }, async () => {
    const proto = JSON.parse('{"__proto__": {"polluted": 1}}');
    expect(await checkInputs([], proto)).toMatchObject({
      ok: false,
      errors: [{ pointer: "/input/__proto__" }],
    });
    const taken = await checkInputs([descriptor({ name: "__proto__", type: "Json" })], proto);
    expect(JSON.stringify(taken)).toContain('"values":{"__proto__":{"polluted":1}}');
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    const deep = JSON.parse(`{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
    expect(await checkInputs([descriptor({ type: "Json" })], deep)).toMatchObject({
      ok: false,
      errors: [{ pointer: "/input" }],
    });
    expect(
      await problems({ type: "String", jsonSchema: '{"pattern":"^(a+)+$"}' }, `${"a".repeat(40)}b`),
    ).toEqual(["/input/x takes too long to check against its jsonSchema"]);
    expect(await problems({ type: "Json", jsonSchema: '{"$ref":"#"}' }, 1)).toEqual([
      "/input/x can't be checked against its jsonSchema",
    ]);
  });

  test("never throws, whatever the JSON", { tags: "nightly" }, async () => {
    const anyDescriptor = fc.record({
      name: fc.constantFrom("a", "b", "__proto__", "constructor"),
      type: fc.constantFrom(...parameterTypes),
      required: fc.boolean(),
      options: fc.array(fc.string()),
      defaultValue: fc.oneof(fc.constant(null), fc.string(), fc.json()),
      jsonSchema: fc.oneof(
        fc.constant(null),
        fc.json(),
        fc.constant('{"type":"object","additionalProperties":{"minLength":1}}'),
      ),
    });
    const input = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__"), fc.jsonValue()),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyDescriptor, { maxLength: 3 }), input, async (raw, json) => {
        const descriptors = raw.map((item) => ParameterDescriptor.parse(item));
        await checkDescriptors(descriptors);
        await checkInputs(descriptors, json);
      }),
    );
  });
});

describe("checkDescriptors", () => {
  test.each([
    ["the same name twice", [{}, {}], "/1/name"],
    ["an Option without options", [{ type: "Option" }], "/0/options"],
    ["the same option twice", [{ type: "Option", options: ["a", { value: "a" }] }], "/0/options"],
    [
      "a range that is upside down",
      [{ type: "Integer", integerRange: { min: 2, max: 1 } }],
      "/0/integerRange",
    ],
    ["a jsonSchema that is no JSON", [{ type: "Json", jsonSchema: "{" }], "/0/jsonSchema"],
    [
      "a jsonSchema of a wrong shape",
      [{ type: "Json", jsonSchema: '{"type":"strin"}' }],
      "/0/jsonSchema",
    ],
    [
      "a wrong shape inside",
      [{ type: "Json", jsonSchema: '{"properties":{"a":{"items":5}}}' }],
      "/0/jsonSchema",
    ],
    ["a length below zero", [{ type: "String", jsonSchema: '{"minLength":-1}' }], "/0/jsonSchema"],
    [
      "a keyword of a wrong shape in a tuple of draft 07",
      [
        {
          type: "Json",
          jsonSchema:
            '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"uniqueItems":1}]}',
        },
      ],
      "/0/jsonSchema",
    ],
    ["a bad pattern", [{ type: "Json", jsonSchema: '{"pattern":"("}' }], "/0/jsonSchema"],
    [
      "a remote reference",
      [{ type: "Json", jsonSchema: '{"$ref":"https://example.com/s.json"}' }],
      "/0/jsonSchema",
    ],
    [
      "a reference to nothing",
      [{ type: "Json", jsonSchema: '{"$ref":"#/$defs/none"}' }],
      "/0/jsonSchema",
    ],
    ["a default of the wrong type", [{ type: "Integer", defaultValue: "many" }], "/0/defaultValue"],
    [
      "a default out of range",
      [{ type: "Integer", integerRange: { max: 1 }, defaultValue: "2" }],
      "/0/defaultValue",
    ],
    [
      "a default that is no option",
      [{ type: "Option", options: ["a"], defaultValue: "b" }],
      "/0/defaultValue",
    ],
    [
      "a default that breaks its schema",
      [{ type: "Json", jsonSchema: '{"type":"object"}', defaultValue: "[]" }],
      "/0/defaultValue",
    ],
  ])("finds %s", async (_name, raw, pointer) => {
    expect((await checkDescriptors(raw.map(descriptor))).map((problem) => problem.pointer)).toEqual(
      [pointer],
    );
  });

  test("names the place in the schema that breaks the meta-schema", async () => {
    const jsonSchema = '{"properties":{"a":{"minLength":-1},"b":{"uniqueItems":"yes"}}}';
    expect(await checkDescriptors([descriptor({ type: "Json", jsonSchema })])).toEqual([
      {
        pointer: "/0/jsonSchema",
        detail: "is not a JSON Schema: -1 is less than 0. (at /properties/a/minLength)",
      },
      {
        pointer: "/0/jsonSchema",
        detail: expect.stringContaining("(at /properties/b/uniqueItems)"),
      },
    ]);
  });

  test("accepts tuples of draft 07, and unknown keywords", async () => {
    const dialect = "http://json-schema.org/draft-07/schema#";
    const schema = { $schema: dialect, items: [{ "x-unit": "m" }], definitions: { a: true } };
    const own = descriptor({ type: "Json", jsonSchema: JSON.stringify(schema) });
    expect(await checkDescriptors([own])).toEqual([]);
  });

  test("has nothing against good ones", async () => {
    const schema =
      '{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"a":true},"properties":{"x":{"$ref":"#/$defs/a"}}}';
    expect(
      await checkDescriptors([
        descriptor({ type: "Json", jsonSchema: schema, defaultValue: "{}" }),
      ]),
    ).toEqual([]);
  });

  test("a descriptor needs no more than a name and a type", async () => {
    expect(
      Object.values(descriptor({ options: null, rules: null })).filter(
        (value) => value === undefined,
      ),
    ).toEqual([]);
    expect(ParameterDescriptor.safeParse({ name: "x", type: "Text" }).success).toBe(false);
  });
});
