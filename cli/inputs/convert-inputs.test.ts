import { expect, test } from "vitest";
import { convertInputs } from "./convert-inputs.ts";
import type { DeclaredInput } from "./declared-inputs.ts";

const declare = (name: string, type: DeclaredInput["type"], more = {}): DeclaredInput => ({
  name,
  type,
  index: null,
  typeName: null,
  integerRange: null,
  floatRange: null,
  options: [],
  asset: null,
  displayName: null,
  description: null,
  required: false,
  secret: false,
  defaultValue: null,
  jsonSchema: null,
  uiHint: null,
  rules: [],
  ...more,
});

const declared = [
  declare("zip", "String"),
  declare("count", "Integer", { integerRange: { min: 1, max: 9 } }),
  declare("share", "Float"),
  declare("isUrgent", "Boolean"),
  declare("size", "Option", { options: ["1", { value: "2" }] }),
  declare("data", "Json"),
  declare("book", "Asset"),
];

const convert = (...texts: [string, string][]) =>
  convertInputs({ values: { kept: 1, zip: "0" }, texts }, declared);

test("a text becomes a value of the declared type", () => {
  const converted = convert(
    ...([
      ["zip", "01234"],
      ["count", "3"],
      ["share", "0.5"],
      ["isUrgent", "true"],
      ["size", "2"],
      ["data", '{"a": [1]}'],
      ["book", "42"],
    ] as [string, string][]),
  );
  expect(converted).toEqual({
    ...{ kept: 1, zip: "01234", count: 3, share: 0.5, isUrgent: true },
    ...{ size: "2", data: { a: [1] }, book: "42" },
  });
});

test.each([
  ["5", 5],
  ["null", null],
  ["hello", "hello"],
  ['"5"', "5"],
])("the text %s is Json of any kind", (text, value) => {
  expect(convert(["data", text])).toMatchObject({ data: value });
});

test.each([
  ["count", "many", "--input count must be a whole number: its type is Integer"],
  ["count", "1.5", "--input count must be a whole number: its type is Integer"],
  ["count", "10", "--input count must be at most 9: its type is Integer"],
  ["share", "half", "--input share must be a number: its type is Float"],
  ["isUrgent", "yes", "--input isUrgent must be true or false: its type is Boolean"],
  ["size", "3", '--input size must be one of "1", "2": its type is Option'],
  ["data", '{"a": 1,}', "--input data is not JSON: trailing comma at line 1, column 8"],
  ["zpp", "1", '--input zpp is not an input of the agent; did you mean "zip"?'],
])("the input %s with the text %s is refused", (name, text, message) => {
  expect(() => convert([name, text])).toThrow(message);
});

test("without declarations a text is JSON, or else text", () => {
  const texts = [
    ["a", "5"],
    ["b", "Oslo"],
  ] as const;
  expect(convertInputs({ values: {}, texts }, undefined)).toEqual({ a: 5, b: "Oslo" });
});
