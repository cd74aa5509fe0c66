import { expect, test } from "vitest";
import type { FlowEvent } from "../engine/flow/flow-result.ts";
import { describeProgress } from "./describe-progress.ts";

const error = { slug: "execution-failed", detail: "The model is busy.", step: "draft" } as const;

test("steps are described as they start, end and fail, without their texts, outputs and errors", () => {
  const stepId = "draft";
  const events: FlowEvent[] = [
    { type: "step.started", stepId, attempt: 1 },
    { type: "output.delta", stepId, text: "Dear" },
    { type: "output.reset", stepId },
    { type: "step.failed", stepId, error, willRetry: true, handled: false },
    { type: "step.started", stepId, attempt: 2 },
    { type: "step.failed", stepId, error, willRetry: false, handled: false },
    { type: "step.completed", stepId, output: "Dear Ada" },
  ];
  expect(events.map(describeProgress)).toEqual([
    'Step "draft" has started.',
    undefined,
    undefined,
    'Step "draft" has failed and will be tried again.',
    'Step "draft" has started again (attempt 2).',
    'Step "draft" has failed.',
    'Step "draft" has ended.',
  ]);
});
