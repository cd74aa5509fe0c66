import { expect, test } from "vitest";
import { textParameter } from "../tools/system/text-parameter.ts";
import { checkToolParameters } from "./tool-ref.ts";

const descriptor = {
  id: "list",
  displayName: "List",
  description: "",
  actionType: "ReadOnly" as const,
  resultType: "Json" as const,
  parametersMetadata: [
    {
      ...textParameter("limit", "How many."),
      type: "Integer" as const,
      integerRange: { min: 1, max: 100 },
    },
  ],
};

test.each([
  ["100", []],
  ["{% input.limit %}", []],
  ["many", []],
  ["101", [{ pointer: "/parameters/limit", detail: expect.stringContaining("at most 100") }]],
  ["0", [{ pointer: "/parameters/limit", detail: expect.stringContaining("at least 1") }]],
])(
  "an argument %s of a parameter from 1 to 100 is checked before the tool is called",
  (limit, problems) => {
    expect(checkToolParameters(descriptor, { limit })).toEqual(problems);
  },
);
