import { expect, test } from "vitest";
import type { SessionMessage } from "../../client/openapi.ts";
import { listNamespaces } from "../../console/src/agents/memories/list-namespaces.ts";
import { divideInputs } from "../../console/src/agents/try-it/chat-input.ts";
import { sumCosts, toTurns } from "../../console/src/conversations/turns.ts";

const message = (
  executionId: string | null,
  role: SessionMessage["role"],
  others: Partial<SessionMessage>,
): SessionMessage => ({
  ...{ executionId, role, text: null, files: [], toolCalls: [], results: [], createdAt: 7 },
  ...others,
});

const call = (id: string, name: string) => ({ id, name, arguments: { of: name } });
const result = (id: string, name: string, isError = false) => ({
  ...{ id, name, isError },
  output: `${name}!`,
});

test("messages of an execution are a turn; a call has the result of the same id that follows it", () => {
  const turns = toTurns([
    message("one", "user", { text: "Hi" }),
    message("one", "assistant", { text: "", toolCalls: [call("1", "a"), call("2", "b")] }),
    message("one", "tool", { results: [result("2", "b", true), result("1", "a")] }),
    message("one", "assistant", { text: "Again", toolCalls: [call("1", "c")] }),
    message("one", "tool", { results: [result("1", "c"), result("9", "d")] }),
    message("two", "user", { text: "Bye" }),
    message("two", "assistant", { text: "Bye!", toolCalls: [call("1", "e")] }),
  ]);
  expect(turns).toEqual([
    {
      executionId: "one",
      endedAt: 7,
      entries: [
        { kind: "user", text: "Hi" },
        { ...shown("a"), result: { output: "a!", isError: false } },
        { ...shown("b"), result: { output: "b!", isError: true } },
        { kind: "agent", text: "Again" },
        { ...shown("c"), result: { output: "c!", isError: false } },
        { kind: "call", name: "d", arguments: null, result: { output: "d!", isError: false } },
      ],
    },
    {
      executionId: "two",
      endedAt: 7,
      entries: [{ kind: "user", text: "Bye" }, { kind: "agent", text: "Bye!" }, shown("e")],
    },
  ]);
});

const shown = (name: string) => ({ kind: "call", name, arguments: { of: name } });

test("a message has the files that the model got with it, also without a text", () => {
  const files = [{ id: "f", name: "cat.png", mediaType: "image/png", bytes: 9 }];
  const [turn] = toTurns([
    message("one", "user", { text: "", files }),
    message("one", "assistant", { text: "A cat" }),
  ]);
  expect(turn?.entries).toEqual([
    { kind: "user", text: "", files },
    { kind: "agent", text: "A cat" },
  ]);
});

test("the summary of earlier turns is a turn without an execution", () => {
  const [summary, turn] = toTurns([
    message(null, "user", { text: "Summarize our conversation so far.", createdAt: null }),
    message(null, "assistant", { text: "Ada asked.", createdAt: null }),
    message("one", "user", { text: "And now?" }),
  ]);
  expect(summary).toMatchObject({ executionId: null, endedAt: null, entries: [{}, {}] });
  expect(turn).toMatchObject({ executionId: "one", entries: [{ text: "And now?" }] });
});

test("a sum of costs has no price as soon as one of them has none", () => {
  const priced = { totalCost: 0.25, priced: true };
  expect(sumCosts([priced, priced])).toEqual({ totalCost: 0.5, priced: true });
  expect(sumCosts([priced, { totalCost: 0, priced: false }, priced])).toMatchObject({
    priced: false,
  });
});

const text = (name: string, type: "String" | "Json" = "String") => ({ name, type });

test.each([
  [[text("to"), text("message")], "message", ["to"]],
  [[text("history"), text("question"), text("tags", "Json")], "question", ["tags"]],
  [[text("from"), text("to")], undefined, ["from", "to"]],
  [[text("message", "Json")], undefined, ["message"]],
  [[{ ...text("message"), secret: true }], undefined, ["message"]],
  [[], undefined, []],
])("the message of the inputs %j is %j", (fields, name, others) => {
  const inputs = divideInputs(fields);
  expect(inputs.message?.name).toBe(name);
  expect(inputs.others.map((field) => field.name)).toEqual(others);
});

test("namespaces are those of all Prompts, also of loops, without duplicates", () => {
  const prompt = (namespace: unknown) => ({ type: "Prompt", memory: { namespace } });
  const steps = [prompt("a"), prompt("a"), { type: "ForEach", step: prompt("b") }, prompt(7), 1];
  expect(listNamespaces({ steps })).toEqual(["a", "b"]);
  expect(listNamespaces(null)).toEqual([]);
});
