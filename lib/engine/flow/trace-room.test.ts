import { describe, expect, test } from "vitest";
import {
  ask,
  calls,
  depsWithModel,
  run,
  textResult,
  toolsWith,
} from "../../../test/harness/flow.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import type { StepOutcome } from "./flow-result.ts";

const transform = (id: string, value: string) => ({ id, type: "Transform", value });
const ofLength = (length: number) => `{% $pad('', ${length}, 'x') %}`;

describe("contents of a trace", () => {
  test("is whole up to 64 KB of a value, and beyond that its beginning; the outputs stay whole", async () => {
    const kept: StepOutcome[] = [];
    const steps = [
      transform("small", ofLength(65_534)),
      transform("large", ofLength(65_535)),
      { id: "end", type: "Output", value: "{% $length(steps.large.output) %}" },
    ];
    const result = await run(steps, ["small>large", "large>end"], {
      onStepCompleted: async (outcome) => void kept.push(outcome),
    });
    expect(result.output).toBe(65_535);
    const findOutput = (id: string) => result.spans.find((span) => span.id === id)?.output;
    expect(findOutput("small")).toBe("x".repeat(65_534));
    expect(findOutput("large")).toEqual({
      cut: true,
      bytes: 65_537,
      beginning: `"${"x".repeat(15_999)}`,
    });
    expect(kept.find(({ stepId }) => stepId === "large")?.output).toHaveLength(65_535);
  });

  test("is cut below a step, too, however its calls ended", { tags: "nightly" }, async () => {
    const text = "x".repeat(500_000);
    const deps = depsWithModel(
      async ({ messages }) =>
        messages.length === 1 ? calls(["tool", { text }]) : textResult(text),
      { tools: toolsWith(async () => text) },
    );
    const step = ask({ tools: [{ integrationId: "test", toolId: "tool" }] });
    const whole = await run([step], [], { deps });
    expect(whole.output).toBe(text);
    expect(JSON.stringify(whole.spans).length).toBeLessThan(200_000);
    const cancel = new AbortController();
    const cutting = toolsWith(() => {
      cancel.abort();
      return new Promise<never>(() => {});
    });
    const cut = await run([step], [], { deps: { ...deps, tools: cutting }, signal: cancel.signal });
    expect(cut.status).toBe("Cancelled");
    expect(cut.spans.at(-1)).toMatchObject({ status: "Cancelled", input: { cut: true } });
    expect(JSON.stringify(cut.spans).length).toBeLessThan(200_000);
  });

  test.each([
    ["outputs", { type: "Transform", value: "{% item %}" }],
    ["failures", { type: "Prompt", prompt: "x", llm: { providerId: "{% item %}" } }],
  ])("of many spans over all runs fits a response: %s", { tags: "nightly" }, async (_, inner) => {
    const quotes = '"'.repeat(30_000);
    const items = Array.from({ length: 100 }, () => quotes);
    const loop = { id: "each", type: "ForEach", onItemError: "collect", step: inner };
    const kept: StepOutcome[] = [];
    const steps = [{ ...loop, items: "{% input.items %}" }];
    const more = [...steps, transform("after", "{% input.items[0] %}")];
    const limits = { maxStateBytes: 2 ** 26, maxResultBytes: 2 ** 26 };
    const first = await run(steps, [], {
      input: { items },
      limits,
      onStepCompleted: async (outcome) => void kept.push(outcome),
    });
    expect(first.status).toBe("Succeeded");
    expect(responseBytes(first.spans)).toBeLessThan(maxResponseBytes);
    const outcomes = kept.filter(({ stepId }) => stepId.startsWith("each/"));
    const completed = new Map(outcomes.map((outcome) => [outcome.stepId, outcome]));
    const second = await run(more, [], { input: { items }, limits, completed });
    expect(responseBytes(second.spans)).toBeLessThan(maxResponseBytes);
    expect(second.spans.find(({ id }) => id === "after")?.output).toEqual({
      cut: true,
      bytes: 60_002,
      beginning: "",
    });
  });

  test("is masked before it is cut, so that no part of a secret is left", async () => {
    const secret = 'quoted "secret"';
    const value = `${"x".repeat(15_990)}${secret}${"x".repeat(100_000)}`;
    const steps = [transform("a", "{% input.value %}")];
    const hide = (shown: unknown) => String(shown).replaceAll(secret, "********");
    const { spans } = await run(steps, [], { input: { value }, hide });
    expect(spans).toMatchObject([
      { output: { cut: true, beginning: expect.stringMatching(/x\*{8}x$/) } },
    ]);
  });
});
