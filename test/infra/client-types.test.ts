import { expect, test } from "vitest";
import { renderType, Schema } from "../../infra/openapi/schema-types.ts";

const render = (schema: unknown): string =>
  renderType(Schema.parse(schema)).replaceAll(/\s+/g, " ");

const name = { type: "string" };

test.each([
  [{ type: ["string", "null"] }, "string | null"],
  [{ type: ["string", "null"], enum: ["a", "b"] }, '"a" | "b" | null'],
  [{ const: true }, "true"],
  [{}, "unknown"],
  [{ type: "object" }, "Record<string, never>"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "{ [key: string]: number; }"],
  [{ $ref: "#/components/schemas/Agent" }, 'components["schemas"]["Agent"]'],
  [{ type: "array", items: { anyOf: [name, { type: "null" }] } }, "(string | null)[]"],
  [{ type: "array", prefixItems: [name, { type: "number" }], items: false }, "[ string, number ]"],
  [
    {
      type: "object",
      properties: { name, "x-id": { ...name, readOnly: true } },
      required: ["name"],
    },
    '{ name: string; readonly "x-id"?: string; }',
  ],
  [
    { type: "array", items: { type: "object", properties: { name }, additionalProperties: {} } },
    "({ name?: string; } & { [key: string]: unknown; })[]",
  ],
  [{ anyOf: [{ anyOf: [name, { type: "null" }] }, { type: "null" }] }, "string | null"],
  [{ oneOf: [name, { type: "null" }] }, "string | null"],
])("the client's type of %j is %s", (schema, type) => {
  expect(render(schema)).toBe(type);
});

test("a keyword without a known type is refused", () => {
  expect(() => render({ not: name })).toThrow("not");
  expect(() => render({ type: "date" })).toThrow("date");
});
