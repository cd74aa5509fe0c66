import { expect, test } from "vitest";
import { toSpanConversation } from "../../console/src/executions/span-conversation.ts";
import { buildSpanTree, type Span } from "../../console/src/executions/spans.ts";

const span = (id: string, type: Span["type"], given: object = {}): Span => ({
  id,
  parentId: id.includes("/") ? "reply" : null,
  stepId: "reply",
  name: id,
  type,
  startTime: Number(id.split("/")[1] ?? 0),
  endTime: 9,
  status: "Succeeded",
  input: null,
  output: null,
  error: null,
  usage: null,
  cost: null,
  priced: null,
  modelId: null,
  providerId: null,
  index: null,
  tool: null,
  ...given,
});

const model = (id: string, text: string, names: readonly string[] = []): Span =>
  span(id, "Model", {
    output: { text, toolCalls: names.map((name) => ({ name, arguments: { of: name } })) },
  });

const root = span("reply", "Prompt", { input: { system: "Be short.", prompt: "How late is it?" } });

const converse = (spans: readonly Span[], of = root) =>
  toSpanConversation(buildSpanTree([of, ...spans]), of).map((entry) =>
    entry.kind === "call" ? [entry.name, entry.sent, entry.span?.output] : [entry.kind, entry.text],
  );

test("a Prompt is shown as its messages and calls, in their order", () => {
  const tool = span("reply/2", "Tool", { tool: "system/current_time", input: {}, output: "12:00" });
  const spans = [model("reply/1", "", ["current_time"]), tool, model("reply/3", "It is noon.")];
  expect(converse(spans)).toEqual([
    ["system", "Be short."],
    ["user", "How late is it?"],
    ["system/current_time", {}, "12:00"],
    ["agent", "It is noon."],
  ]);
});

test("a call that was not made is shown without a result", () => {
  expect(converse([model("reply/1", "Let me see.", ["pay"])]).slice(2)).toEqual([
    ["agent", "Let me see."],
    ["pay", { of: "pay" }, undefined],
  ]);
});

test("other spans, and a Prompt without an input, have no conversation", () => {
  expect(converse([], span("reply", "Tool", { input: { prompt: "x" } }))).toEqual([]);
  expect(converse([], span("reply", "Prompt"))).toEqual([]);
});
