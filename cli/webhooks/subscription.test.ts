import { expect, test } from "vitest";
import type { DeclaredInput } from "../inputs/declared-inputs.ts";
import { convertMapping } from "./subscription.ts";

const declare = (name: string, type: DeclaredInput["type"]): DeclaredInput => ({
  ...{ name, type, index: null, typeName: null, integerRange: null, floatRange: null },
  ...{ options: [], asset: null, displayName: null, description: null, required: true },
  ...{ secret: false, defaultValue: null, jsonSchema: null, uiHint: null, rules: [] },
});
const declared = [declare("count", "Integer"), declare("commits", "Json")];
const convert = (...texts: [string, string][]) => convertMapping({ values: {}, texts }, declared);

test("a mapping has expressions as they are written, and other values in the declared types", () => {
  expect(convert(["count", "{% $count(payload.commits) %}"], ["commits", "[1]"])).toEqual({
    count: "{% $count(payload.commits) %}",
    commits: [1],
  });
  expect(convert()).toBeUndefined();
  expect(() => convert(["count", "many"])).toThrow("--input count must be a whole number");
  expect(() => convert(["conut", "{% 1 %}"])).toThrow('did you mean "count"?');
});
