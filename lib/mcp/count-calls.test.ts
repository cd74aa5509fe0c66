import { expect, test } from "vitest";
import { countCalls } from "./count-calls.ts";

const message = (method: string) => ({ jsonrpc: "2.0" as const, id: 1, method });

test.each([
  ["one message", message("tools/call"), 1],
  ["a message that calls no tool", message("ping"), 1],
  ["a batch without a tool call", [message("ping"), message("tools/list")], 1],
  [
    "a batch of two tool calls, a read of a file and a ping",
    [message("tools/call"), message("tools/call"), message("resources/read"), message("ping")],
    3,
  ],
])("%s counts as its tool calls and reads, at least one request", (_, body, count) => {
  expect(countCalls(body)).toBe(count);
});
