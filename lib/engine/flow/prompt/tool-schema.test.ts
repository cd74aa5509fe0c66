import { expect, test } from "vitest";
import type { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { textParameter } from "../../tools/system/text-parameter.ts";
import { buildToolSchema } from "./tool-schema.ts";

const parameter = (more: Partial<ParameterDescriptor>): ParameterDescriptor => ({
  ...textParameter("p", ""),
  description: null,
  displayName: null,
  ...more,
});

test.each<[string, Partial<ParameterDescriptor>, object]>([
  ["String", { description: "Words." }, { type: "string", description: "Words." }],
  ["Asset", { type: "Asset" }, { type: "string", description: "The id of an asset." }],
  ["Boolean", { type: "Boolean" }, { type: "boolean" }],
  [
    "Integer",
    { type: "Integer", integerRange: { min: 1, max: null } },
    { type: "integer", minimum: 1 },
  ],
  [
    "Float",
    { type: "Float", floatRange: { min: null, max: 0.5 } },
    { type: "number", maximum: 0.5 },
  ],
  [
    "Option",
    { type: "Option", options: ["a", { value: "b", displayName: "B" }] },
    { type: "string", enum: ["a", "b"] },
  ],
  ["Json without a schema", { type: "Json" }, {}],
  ["Json", { type: "Json", jsonSchema: '{"type":"array"}' }, { type: "array" }],
  [
    "Json whose schema refers to itself",
    { type: "Json", jsonSchema: '{"$ref":"#/$defs/a","$defs":{"a":{}}}' },
    { description: 'JSON Schema of the value: {"$ref":"#/$defs/a","$defs":{"a":{}}}' },
  ],
  ["a default", { defaultValue: "x" }, { type: "string", description: "Default: x" }],
])("the schema for a model has %s", (_name, more, schema) => {
  expect(buildToolSchema([parameter(more)])).toMatchObject({ properties: { p: schema } });
});

test("a parameter with a default is not required, and a secret one is not shown", () => {
  const descriptors = [
    parameter({ name: "a", required: true }),
    parameter({ name: "b", required: true, defaultValue: "x" }),
    parameter({ name: "c", secret: true, defaultValue: "x" }),
    parameter({ name: "d", secret: true, required: true }),
  ];
  const schema = buildToolSchema(descriptors);
  expect(Object.keys(Object(schema.properties))).toEqual(["a", "b", "d"]);
  expect(schema.required).toEqual(["a", "d"]);
});
