import { expect, test } from "vitest";
import { countToolCalls } from "./count-tool-calls.ts";

const message = (method: string) => ({ jsonrpc: "2.0" as const, id: 1, method });

test.each([
  ["one message", message("tools/call"), 1],
  ["a message that calls no tool", message("ping"), 1],
  ["a batch without a tool call", [message("ping"), message("tools/list")], 1],
  [
    "a batch of three tool calls and a ping",
    [...Array(3).fill(message("tools/call")), message("ping")],
    3,
  ],
])("%s counts as its tool calls, at least one request", (_, body, count) => {
  expect(countToolCalls(body)).toBe(count);
});
