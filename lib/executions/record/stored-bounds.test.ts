import { beforeAll, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { readUsage, toModelUsages, toRevisionCost } from "../../spending/usage/read-usage.ts";
import { readTrace } from "../read/read-execution.ts";

const withModels = (count: number) => ({
  parametersMetadata: [],
  flow: {
    steps: [
      {
        id: "each",
        type: "ForEach",
        items: `{% [1..${count}] %}`,
        step: {
          id: "ask",
          type: "Prompt",
          prompt: "hi",
          llm: { providerId: "test", parameters: { model: "{% 'm' & item %}" } },
        },
      },
    ],
    edges: [],
  },
});

describe("a stored execution", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  test("ends with any number of models, and the counters of the models add up to the total", {
    tags: "nightly",
  }, async () => {
    const world = testExecutions(db);
    await world.deploy("a", withModels(120));
    expect(await world.executeToEnd("a")).toMatchObject({ status: "Succeeded" });
    const now = world.tenant.ctx.clock();
    const counters = await readUsage(world.tenant.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      revision: "*",
      now,
    });
    const models = toModelUsages(0, counters);
    expect(models).toHaveLength(21);
    expect(models[0]).toMatchObject({
      providerId: "(others)",
      modelId: "(others)",
      executionCount: 1,
      inputTokens: 1_000,
    });
    const whole = toRevisionCost("a", 0, counters);
    expect(whole).toMatchObject({ executionCount: 1, inputTokens: 1_200 });
    expect(models.reduce((sum, model) => sum + model.inputTokens, 0)).toBe(whole.inputTokens);
    expect(models.reduce((sum, model) => sum + model.totalCost, 0)).toBeCloseTo(whole.totalCost, 9);
  });

  test.each([
    ["longer than 256 bytes", "m".repeat(257)],
    ["longer than 256 bytes in UTF-8", "é".repeat(129)],
    ["not well formed", "m\uD800"],
  ])("no model's name that is %s", async (_, model) => {
    const world = testExecutions(db);
    const llm = { providerId: "test", parameters: { model: "{% input.model %}" } };
    await world.deploy("a", {
      parametersMetadata: [{ name: "model", type: "String" }],
      flow: { steps: [{ id: "ask", type: "Prompt", prompt: "hi", llm }], edges: [] },
    });
    await expect(world.execute("a", { input: { model } })).rejects.toMatchObject({
      slug: "execution-failed",
      message: expect.stringContaining("llm.parameters.model"),
    });
    expect(await world.counted("a")).toEqual({ executions: 1, modelTokens: 0 });
  });

  test("contains no part of a secret where its trace is cut", async () => {
    const world = testExecutions(db);
    const around = { before: "{% $pad('', 15990, 'x')", after: "$pad('', 100000, 'x') %}" };
    const value = `${around.before} & input.token & ${around.after}`;
    await world.deploy("a", {
      parametersMetadata: [{ name: "token", type: "String", secret: true }],
      flow: { steps: [{ id: "show", type: "Transform", value }], edges: [] },
    });
    const { executionId } = await world.executeToEnd("a", { input: { token: "s3cret-token" } });
    const { spans } = await readTrace(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
      now: world.tenant.ctx.clock(),
    });
    expect(spans).toMatchObject([{ id: "show", output: { cut: true, bytes: 116_000 } }]);
    expect(JSON.stringify(spans)).toMatch(/x\*{8}x/);
    expect(JSON.stringify(spans)).not.toContain("s3c");
  });

  test("contains at most 4,000 characters of the detail of a failure, in its record and its trace", {
    tags: "nightly",
  }, async () => {
    const world = testExecutions(db);
    const llm = { providerId: "{% input.provider %}" };
    await world.deploy("a", {
      parametersMetadata: [{ name: "provider", type: "String" }],
      flow: { steps: [{ id: "ask", type: "Prompt", prompt: "hi", llm }], edges: [] },
    });
    await expect(
      world.execute("a", { input: { provider: "p".repeat(500_000) } }),
    ).rejects.toMatchObject({ message: expect.toSatisfy((text: string) => text.length === 4_000) });
    const [item] = await world.list("a");
    const { output } = await world.read("a", item?.id ?? "");
    expect(output?.error?.detail).toMatch(/^There is no model provider "p+…$/);
    expect(output?.error?.detail).toHaveLength(4_000);
    expect(JSON.stringify(output?.trace).length).toBeLessThan(20_000);
  });
});
