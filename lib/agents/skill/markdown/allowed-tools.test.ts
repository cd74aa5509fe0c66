import { expect, test } from "vitest";
import { createSystemTools } from "../../../engine/tools/system/index.ts";
import { readAllowedTools, systemToolIds } from "./allowed-tools.ts";

test("the built-in tools' names are those that there are", () => {
  const ids = createSystemTools({}).map(({ descriptor }) => descriptor.id);
  expect(systemToolIds.toSorted()).toEqual(ids.toSorted());
});

test("tools are named with their integration, the built-in ones without, each once", () => {
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

test("other products' names are told apart, with what stands in their brackets", () => {
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
