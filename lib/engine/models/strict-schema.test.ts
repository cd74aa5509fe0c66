import { expect, test } from "vitest";
import { isStrictSchema } from "./strict-schema.ts";

const strict = (properties: object) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const loose = { type: "object", properties: { a: { type: "string" } } };

test.each([
  ["an object with all required", strict({ a: { type: "string" } })],
  [
    "objects in objects, lists and choices",
    strict({
      a: { type: "array", items: strict({}) },
      b: { anyOf: [strict({}), { type: "null" }] },
    }),
  ],
  ["no object", { type: "string" }],
])("%s can be enforced", (_, schema) => {
  expect(isStrictSchema(schema)).toBe(true);
});

test.each([
  ["one that allows more", loose],
  ["one with an optional property", { ...strict({ a: {}, b: {} }), required: ["a"] }],
  ["a loose object inside", strict({ a: loose })],
  ["a loose object in a list", strict({ a: { type: ["array", "null"], items: loose } })],
  ["a loose definition", { ...strict({}), $defs: { x: loose } }],
  ["an object of any kind", { type: "object" }],
  ["what is no schema", true],
])("%s cannot be enforced", (_, schema) => {
  expect(isStrictSchema(schema)).toBe(false);
});
