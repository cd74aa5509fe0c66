import { expect, test } from "vitest";
import { wasCut } from "./was-cut.ts";

const prompt = (id: string, status = "Succeeded") => ({ type: "Prompt", id, status });
const model = (parentId: string, finishReason: string, endTime = 1) => ({
  type: "Model",
  parentId,
  finishReason,
  endTime,
});

test.each<[string, object[], boolean]>([
  ["one response that was cut off", [prompt("a"), model("a", "length")], true],
  [
    "whole responses of two Prompts",
    [prompt("a"), model("a", "stop"), prompt("b"), model("b", "stop")],
    false,
  ],
  [
    "a response that was corrected after it was cut off",
    [model("a", "length", 1), model("a", "stop", 2), prompt("a")],
    false,
  ],
  ["a failed attempt", [prompt("a", "Failed"), model("a", "length")], false],
  [
    "a model that is not of a Prompt",
    [{ type: "Memory", id: "m", status: "Succeeded" }, model("m", "length")],
    false,
  ],
  ["no trace", [], false],
])("of %s, the last response to a Prompt counts", (_, trace, expected) => {
  expect(wasCut(trace, 100)).toBe(expected);
  expect(wasCut(trace, undefined)).toBe(false);
});
