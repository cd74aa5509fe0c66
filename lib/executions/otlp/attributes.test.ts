import { expect, test } from "vitest";
import type { TraceSpan } from "../schemas.ts";
import { toSpanAttributes } from "./attributes.ts";

const modelSpan: TraceSpan = {
  id: "a/1/1",
  parentId: "a/1",
  stepId: "a",
  name: "gpt-5",
  type: "Model",
  startTime: 1,
  endTime: 2,
  status: "Succeeded",
  input: { messages: 1, tools: [] },
  output: { text: "Hello", toolCalls: [], finishReason: "tool-calls" },
  error: null,
  usage: null,
  cost: null,
  priced: null,
  modelId: "gpt-5",
  providerId: "openai",
  index: null,
  tool: null,
  finishReason: "tool-calls",
  responseModelId: "gpt-5-2026-08-07",
};

test("a model's span names the model of the response and the reason of its end, as the conventions do", () => {
  expect(toSpanAttributes(modelSpan, "none").attributes).toMatchObject({
    "gen_ai.request.model": "gpt-5",
    "gen_ai.response.model": "gpt-5-2026-08-07",
    "gen_ai.response.finish_reasons": ["tool_call"],
  });
  const { attributes } = toSpanAttributes(modelSpan, "outputs");
  expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toMatchObject([
    { finish_reason: "tool_call" },
  ]);
});

test("a span of another type has neither", () => {
  const { finishReason: _, responseModelId: __, ...span } = modelSpan;
  const { attributes } = toSpanAttributes({ ...span, type: "Transform" }, "none");
  expect(JSON.stringify(attributes)).not.toContain("gen_ai.response");
});
