import { expect, test } from "vitest";
import { createSystemTools } from "../../../engine/tools/system/index.ts";
import { readAllowedTools, systemToolIds } from "./allowed-tools.ts";

test("the names of the built-in tools match the registry", () => {
  const ids = createSystemTools({}).map(({ descriptor }) => descriptor.id);
  expect(systemToolIds.toSorted()).toEqual(ids.toSorted());
});

test("tools are listed once, with their integration unless they are built in", () => {
  const { tools, foreign } = readAllowedTools([
    "calculate jira/search.issues, github.list_issues\tsystem/calculate",
    "http_get",
  ]);
  expect(tools).toEqual([
    { integrationId: "system", id: "calculate" },
    { integrationId: "jira", id: "search.issues" },
    { integrationId: "github", id: "list_issues" },
    { integrationId: "system", id: "http_get" },
  ]);
  expect(foreign).toEqual([]);
});

test("names from other products are recognized, with the text in their parentheses", () => {
  const { tools, foreign } = readAllowedTools([
    "Bash(git add:*, git commit:*) Read Read a/b(c) /x x/ mcp__a__b ( ) (",
  ]);
  expect(tools).toEqual([]);
  expect(foreign).toEqual([
    "Bash(git add:*, git commit:*)",
    "Read",
    "a/b(c)",
    "/x",
    "x/",
    "mcp__a__b",
  ]);
});
