import { expect, test } from "vitest";
import { findRememberedTurns } from "./read-spans.ts";

test("a remembered turn of a Prompt with files has its text, and no files", () => {
  const file = { id: "f1", name: "photo.png", mediaType: "image/png", bytes: 5 };
  const memory = {
    type: "Memory",
    parentId: "ask",
    startTime: 1,
    input: { namespace: "ann", write: true },
  };
  const prompt = {
    id: "ask",
    stepId: "ask",
    type: "Prompt",
    status: "Succeeded",
    input: { prompt: "Look", files: [file] },
    output: "A cat",
    providerId: "echo",
    modelId: "echo-1",
  };
  expect(findRememberedTurns([prompt, memory])).toEqual([
    {
      spanId: "ask",
      stepId: "ask",
      namespace: "ann",
      startTime: 1,
      prompt: "Look",
      response: "A cat",
      providerId: "echo",
      modelId: "echo-1",
    },
  ]);
});
