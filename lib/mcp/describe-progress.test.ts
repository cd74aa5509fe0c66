import { expect, test } from "vitest";
import type { FlowEvent } from "../engine/flow/flow-result.ts";
import { describeProgress } from "./describe-progress.ts";

const error = { slug: "execution-failed", detail: "The model is busy.", step: "draft" } as const;

test("steps are reported as they start, end and fail", () => {
  const describe = describeProgress(() => 1_000);
  const events: FlowEvent[] = [
    { type: "step.started", stepId: "draft", attempt: 1 },
    { type: "step.failed", stepId: "draft", error, willRetry: true, handled: false },
    { type: "step.started", stepId: "draft", attempt: 2 },
    { type: "step.failed", stepId: "draft", error, willRetry: false, handled: false },
    { type: "step.completed", stepId: "draft", output: 1 },
  ];
  expect(events.map(describe)).toEqual([
    'Step "draft" has started.',
    'Step "draft" has failed, and is tried again: The model is busy.',
    'Step "draft" has started again (attempt 2).',
    'Step "draft" has failed: The model is busy.',
    'Step "draft" has ended.',
  ]);
});

test("the text of a model is reported twice a second, with its last 500 characters, and is forgotten when the step begins again", () => {
  let now = 1_000;
  const describe = describeProgress(() => now);
  const write = (text: string) => describe({ type: "output.delta", stepId: "draft", text });
  expect(write("a".repeat(600))).toBe("a".repeat(500));
  now += 499;
  expect(write("b")).toBeUndefined();
  now += 1;
  expect(write("c")).toBe(`${"a".repeat(498)}bc`);
  expect(describe({ type: "output.reset", stepId: "draft" })).toBeUndefined();
  expect(write("d")).toBe("d");
});
