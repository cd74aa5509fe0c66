import { expect, test } from "vitest";
import { readAudiences } from "./env.ts";

test.each([
  ["none", []],
  ["wharf", ["wharf"]],
  ["a, b", ["a", "b"]],
  [" https://a.example/x ,b,", ["https://a.example/x", "b"]],
])("the audiences %j are %j", (names, expected) => {
  expect(readAudiences(names)).toEqual(expected);
});
