import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { asking, exact, testExperiments } from "../../../test/harness/experiments.ts";
import { failureStep, propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { getAgent } from "../../agents/agent/store.ts";
import type { ModelProvider } from "../../engine/models/model.ts";
import { createModelRegistry } from "../../engine/models/registry.ts";
import { noCost } from "../../engine/models/sums.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { reportUsage } from "../../spending/usage/report-usage.ts";
import { type CostLimit, costLimitFor } from "./cost-limit.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

/** A model that charges a cent per output token; a prompt that ends with `uses n` gets n. */
const metered: ModelProvider = {
  defaultModel: "m",
  generate: async ({ messages, signal }) => {
    const [message] = messages;
    const prompt = message?.role === "user" ? message.text : "";
    const outputTokens = Number(/uses (\d+)/.exec(prompt)?.[1] ?? 1);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    return {
      message: { role: "assistant", text: '{"reason": "ok", "score": 1}', toolCalls: [] },
      usage: { inputTokens: 0, outputTokens, cachedTokens: 0, thinkingTokens: 0 },
      finishReason: "stop",
    };
  },
  price: async (_model, { outputTokens, thinkingTokens }) => {
    const [outputCost, thinkingCost] = [outputTokens / 100, thinkingTokens / 100];
    const totalCost = outputCost + thinkingCost;
    return { cost: { ...noCost, outputCost, thinkingCost, totalCost }, priced: true };
  },
};
const unpriced: ModelProvider = {
  ...metered,
  price: async () => ({ cost: noCost, priced: false }),
};

const asks = (id: string, uses: string, maxOutputTokens: unknown) => ({
  id,
  type: "Prompt",
  prompt: `uses {% ${uses} %}`,
  llm: { providerId: "test", parameters: { maxOutputTokens } },
});
const numbers = ["first", "second", "most"].map((name) => ({
  name,
  type: "Integer",
  required: true,
}));
const output = { id: "out", type: "Output", value: "done" };
/** A revision with two calls of a model, of at most `most` tokens: `first` and `second`. */
const twoCalls = {
  parametersMetadata: numbers,
  flow: {
    steps: [
      asks("one", "input.first", "{% input.most %}"),
      asks("two", "input.second", "{% input.most %}"),
      output,
    ],
    edges: [
      { source: "one", target: "two" },
      { source: "two", target: "out" },
    ],
  },
};
/** A revision that makes both calls at the same time. */
const callsTogether = {
  ...twoCalls,
  flow: {
    ...twoCalls.flow,
    edges: ["one", "two"].map((source) => ({ source, target: "out" })),
  },
};
/** A revision with one call by an agent of its own. */
const viaSubAgent = {
  parametersMetadata: numbers,
  flow: {
    steps: [{ id: "call", type: "SubAgent", agentId: "below", input: "{% input %}" }, output],
    edges: [{ source: "call", target: "out" }],
  },
};
/** An agent that scores with two calls of 3 tokens. */
const rater = {
  parametersMetadata: [{ name: "output", type: "String" }],
  flow: {
    steps: [asks("one", "3", 3), asks("two", "3", 3), { ...output, value: { value: 0.7 } }],
    edges: twoCalls.flow.edges,
  },
};
const one = { id: "one", displayName: "One", type: "Expression", value: "1" } as const;
const judge = (id: string, uses: number, maxOutputTokens = uses) =>
  ({
    id,
    displayName: id,
    type: "Judge",
    llm: { providerId: "test", parameters: { maxOutputTokens } },
    rubric: `uses ${uses}`,
  }) as const;

type Uses = { first: number; second: number; most: number };
const toExamples = (runs: readonly Uses[]) =>
  runs.map((input, at) => ({ id: `e${String(at).padStart(2, "0")}`, input }));
const same = (count: number, input: Uses): Uses[] => Array.from({ length: count }, () => input);

const setUp = async (runs: readonly Uses[], revision: unknown = twoCalls, model = metered) => {
  const registry = createModelRegistry(new Map([["test", model]]));
  const world = await testExperiments(db, {
    revisions: [revision],
    examples: toExamples(runs),
    others: { below: twoCalls },
    modelsFor: () => registry,
  });
  world.workers.together = true;
  await world.scorer(one);
  return {
    ...world,
    start: (maxCost: number, concurrency: number, scorers: string[] = ["one"]) =>
      world.create({ scorers, maxCost, concurrency }),
  };
};

type World = Awaited<ReturnType<typeof setUp>>;

/** Checks an experiment that has ended, and returns it with its results. */
const readEnded = async (world: World, id: string) => {
  const experiment = await world.read(id);
  const { items } = await world.results(id);
  const { maxCost, totalCost, free, reserved } = experiment;
  const spent = items.reduce((sum, { cost }) => sum + cost, 0);
  expect(totalCost).toBeCloseTo(spent, 9);
  expect(totalCost).toBeLessThanOrEqual(maxCost ?? 0);
  expect(free).toBeCloseTo((maxCost ?? 0) - totalCost, 9);
  expect(reserved).toEqual({});
  return { experiment, results: items };
};

/** Returns what judges of experiments cost by the usage of the tenant, US dollars. */
const judgesCost = async ({ tenant, tenantId }: World): Promise<number | undefined> => {
  const day = new Date(tenant.ctx.clock()).toISOString().slice(0, 10);
  const { items } = await reportUsage(db, tenantId, { from: day, to: day, groupBy: "agent" });
  return items.find(({ key }) => key === "(experiments)")?.totalCost;
};

describe("maxCost", () => {
  test.each([1, 4])(
    "is not exceeded by a run that costs ten times as much as all before, %i at a time",
    { tags: "nightly" },
    async (concurrency) => {
      const runs = same(3, { first: 1, second: 1, most: 1 });
      const world = await setUp([...runs, { first: 10, second: 10, most: 10 }]);
      const id = await world.start(0.1, concurrency);
      await world.drive(id);
      const { experiment, results } = await readEnded(world, id);
      expect(experiment).toMatchObject({
        status: "CostLimit",
        error: "The next model call may not fit in maxCost of the experiment, 0.1 USD.",
        totalCost: 0.06,
        summary: [{ count: 3, failures: 0, mean: 1 }],
      });
      expect(results.at(-1)).toMatchObject({ status: "Failed", scores: [], cost: 0 });
    },
  );

  test("holds for random costs of runs and judges, twenty concurrently", {
    tags: "nightly",
  }, async () => {
    const tokens = fc.integer({ min: 1, max: 20 });
    const uses = fc
      .tuple(tokens, tokens, tokens)
      .map(([first, second, more]) => ({ first, second, most: Math.max(first, second, more) }));
    const experiments = fc.record({
      inputs: fc.array(uses, { minLength: 5, maxLength: 25 }),
      cents: fc.integer({ min: 1, max: 600 }),
      judged: fc.integer({ min: 1, max: 10 }),
      revision: fc.constantFrom(twoCalls, callsTogether, viaSubAgent),
    });
    const tooDear = {
      inputs: same(10, { first: 20, second: 20, most: 20 }),
      cents: 1,
      judged: 10,
      revision: twoCalls,
    };
    let stopped = 0;
    await fc.assert(
      fc.asyncProperty(experiments, async ({ inputs, cents, judged, revision }) => {
        const world = await setUp(inputs, revision);
        await world.scorer(judge("judge", judged));
        const id = await world.start(cents / 100, 20, ["one", "judge"]);
        await world.drive(id);
        const { experiment, results } = await readEnded(world, id);
        if (experiment.status === "CostLimit") stopped += 1;
        else expect(results).toHaveLength(inputs.length);
        expect(experiment.summary.map(({ failures }) => failures)).toEqual([0, 0]);
      }),
      { numRuns: propertyRuns(50, 4), examples: [[tooDear]] },
    );
    expect(stopped).toBeGreaterThan(0);
  });

  test("holds for concurrent calls in one run", { tags: "nightly" }, async () => {
    const runs = same(1, { first: 1, second: 1, most: 1 });
    const world = await setUp([...runs, { first: 5, second: 5, most: 5 }], callsTogether);
    const id = await world.start(0.1, 1);
    await world.drive(id);
    const { experiment, results } = await readEnded(world, id);
    expect(experiment.status).toBe("CostLimit");
    expect(results.at(-1)).toMatchObject({ status: "Failed", scores: [] });
  });

  test("holds for a run with sub-agents", { tags: "nightly" }, async () => {
    const runs = same(1, { first: 1, second: 1, most: 1 });
    const world = await setUp([...runs, { first: 5, second: 5, most: 5 }], viaSubAgent);
    const id = await world.start(0.1, 3);
    await world.drive(id);
    const { experiment, results } = await readEnded(world, id);
    expect(experiment).toMatchObject({ status: "CostLimit", totalCost: 0.07 });
    expect(results).toMatchObject([{ cost: 0.02 }, { status: "Failed", cost: 0.05, scores: [] }]);
  });

  test("is reserved once for runs of the same cost, not once per run", {
    tags: "nightly",
  }, async () => {
    const world = await setUp(same(12, { first: 1, second: 1, most: 1 }));
    const id = await world.start(10, 5);
    await world.drive(id);
    const { experiment } = await readEnded(world, id);
    expect(experiment).toMatchObject({ status: "Succeeded", reservations: 2, totalCost: 0.24 });
  });

  test("starts all runs that fit when the reservation of the most expensive one is released", {
    tags: "nightly",
  }, async () => {
    const world = await setUp(same(10, { first: 1, second: 1, most: 50 }));
    const id = await world.start(0.7, 5);
    await world.drive(id);
    const { experiment } = await readEnded(world, id);
    expect(experiment).toMatchObject({ status: "Succeeded", totalCost: 0.2 });
  });

  test("stops before a run that may exceed maxCost", { tags: "nightly" }, async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ input: { name: `n${n}` } }));
    const world = await testExperiments(db, { revisions: [asking], examples: many });
    await world.scorer(one);
    const id = await world.create({ scorers: ["one"], concurrency: 5, maxCost: 0.055 });
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({
      status: "CostLimit",
      error: expect.stringContaining("maxCost"),
      totalCost: 0.05,
      progress: { total: 12, completed: 5, failed: 0 },
    });
  });

  test("refuses models without a price, with that reason", { tags: "nightly" }, async () => {
    const world = await setUp(same(3, { first: 1, second: 1, most: 1 }), twoCalls, unpriced);
    const id = await world.start(1, 3);
    await world.drive(id);
    const { experiment } = await readEnded(world, id);
    expect(experiment).toMatchObject({
      status: "CostLimit",
      error: expect.stringContaining('The model "test/m" has no price'),
      totalCost: 0,
      progress: { completed: 1 },
    });
  });

  test("is second to the agent's budget, which stops the experiment when it is spent", {
    tags: "nightly",
  }, async () => {
    const world = await testExperiments(db, { revisions: [asking] });
    const { ctx, deps } = world.tenant;
    const body = { amount: 0.015, enforceLimit: true, allowUnpriced: false, thresholdRules: [] };
    await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body });
    await world.scorer(exact);
    const id = await world.create({ concurrency: 1, maxCost: 1 });
    await world.drive(id);
    expect(await world.read(id)).toMatchObject({
      status: "CostLimit",
      error: expect.stringContaining("budget"),
      progress: { total: 3, completed: 2 },
    });
  });

  test("and a budget that ends during a run cut it short: it has no score", {
    tags: "nightly",
  }, async () => {
    const world = await setUp(same(3, { first: 1, second: 1, most: 1 }));
    const { ctx, deps } = world.tenant;
    const body = { amount: 0.03, enforceLimit: true, allowUnpriced: false, thresholdRules: [] };
    await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body });
    const id = await world.start(1, 3);
    await world.drive(id);
    const { experiment } = await readEnded(world, id);
    expect(experiment).toMatchObject({
      status: "CostLimit",
      error: expect.stringContaining("budget"),
      summary: [{ failures: 0, mean: 1 }],
    });
  });
});

describe("maxCost of scorers", () => {
  const runs = same(4, { first: 1, second: 1, most: 1 });

  test("counts the cost of judges", { tags: "nightly" }, async () => {
    const world = await setUp(runs);
    await world.scorer(judge("judge", 2));
    const id = await world.start(0.09, 1, ["judge"]);
    await world.drive(id);
    const { experiment } = await readEnded(world, id);
    expect(experiment).toMatchObject({ status: "CostLimit", totalCost: 0.08 });
    expect(await judgesCost(world)).toBe(0.04);
  });

  test("refuses a judge that may exceed maxCost: no score, instead of 0", {
    tags: "nightly",
  }, async () => {
    const world = await setUp(runs);
    await world.scorer(judge("judge", 2, 30));
    const id = await world.start(0.1, 1, ["one", "judge"]);
    await world.drive(id);
    const { experiment, results } = await readEnded(world, id);
    expect(experiment).toMatchObject({
      status: "CostLimit",
      error: expect.stringContaining("maxCost"),
      totalCost: 0.02,
      progress: { completed: 1, failed: 0 },
      summary: [
        { scorer: "one", mean: 1, count: 1, failures: 0 },
        { scorer: "judge", mean: null, count: 0, failures: 0 },
      ],
    });
    expect(results).toMatchObject([
      { status: "Succeeded", scores: [{ value: 1 }, { value: null, cost: 0 }] },
    ]);
  });

  test("is that of the agents that score, too", { tags: "nightly" }, async () => {
    const world = await setUp(runs);
    await world.deploy("rater", rater);
    await world.scorer({ id: "agent", displayName: "A", type: "Agent", agentId: "rater" });
    const id = await world.start(0.12, 1, ["agent"]);
    await world.drive(id);
    const { experiment, results } = await readEnded(world, id);
    expect(experiment).toMatchObject({ status: "CostLimit", totalCost: 0.08 });
    expect(results).toMatchObject([{ scores: [{ value: 0.7, cost: 0.06 }] }]);
    const later = await world.start(0.06, 1, ["agent"]);
    await world.drive(later);
    const cut = await readEnded(world, later);
    expect(cut.experiment).toMatchObject({ status: "CostLimit", totalCost: 0.05 });
    expect(cut.results).toMatchObject([{ scores: [{ value: null, cost: 0.03 }] }]);
  });
});

describe("maxCost of a run that an agent scores", () => {
  test("holds when another function continues the agent, wherever storage failed", {
    tags: "nightly",
  }, async () => {
    for (let passing = 0; ; passing += failureStep) {
      const world = await setUp(same(1, { first: 1, second: 1, most: 1 }));
      await world.deploy("rater", rater);
      await world.scorer({ id: "agent", displayName: "A", type: "Agent", agentId: "rater" });
      const id = await world.start(0.06, 1, ["agent"]);
      db.failNext("UpdateItem", passing);
      for (let attempt = 1; !(await world.isEnded(id)); attempt += 1) {
        if (attempt > 5) throw new Error(`not ended after a failure of UpdateItem ${passing}`);
        await world.drive(id, attempt).catch(() => undefined);
        world.tenant.advance(120_000);
        await world.recoverAll();
      }
      const isOver = db.clearFailures();
      const { experiment } = await readEnded(world, id);
      expect(experiment, `UpdateItem ${passing}`).toMatchObject({ status: "CostLimit" });
      if (isOver) break;
    }
  });
});

describe("a reservation of maxCost", () => {
  const runs: Uses[] = [
    { first: 1, second: 1, most: 1 },
    { first: 3, second: 3, most: 3 },
  ];

  test.each(["UpdateItem", "TransactWriteItems", "PutItem"])(
    "is returned once when %s fails at any point, and its run executed again",
    { tags: "nightly" },
    async (command) => {
      for (let passing = 0; ; passing += failureStep) {
        const world = await setUp(runs);
        await world.scorer(judge("judge", 2));
        const id = await world.start(1, 2, ["judge"]);
        db.failNext(command, passing);
        for (let attempt = 1; !(await world.isEnded(id)); attempt += 1) {
          if (attempt > 5) throw new Error(`not ended after a failure of ${command} ${passing}`);
          await world.drive(id, attempt).catch(() => undefined);
          world.tenant.advance(120_000);
          await world.recoverAll();
        }
        const isOver = db.clearFailures();
        const { experiment } = await readEnded(world, id);
        expect(experiment, `${command} ${passing}`).toMatchObject({
          status: "Succeeded",
          progress: { completed: 2, failed: 0 },
        });
        expect(await judgesCost(world), `${command} ${passing}`).toBe(0.04);
        if (isOver) break;
      }
    },
  );

  test("is not doubled when the response to it was lost", { tags: "nightly" }, async () => {
    const world = await setUp(runs);
    const { limit, id } = await startedRun(world, { maxCost: 0.1 });
    db.loseNextResponse("UpdateItem");
    const guard = limit.guardFor("run");
    await expect(guard.reserve(needs(0.06))).rejects.toThrow("planned loss");
    await guard.reserve(needs(0.06));
    expect(await world.read(id)).toMatchObject({ free: 0.04, reservations: 1 });
  });

  test("is returned by runs that are cancelled", { tags: "nightly" }, async () => {
    const world = await setUp(same(3, { first: 1, second: 1, most: 1 }));
    const id = await world.start(1, 1);
    world.hooks.onPause = async (pause) => {
      if (pause === 2) {
        world.workers.idle = true;
        expect(await world.read(id)).toMatchObject({ free: 0.96 });
        await world.cancel(id);
      }
      if (pause === 4) world.workers.idle = false;
    };
    await world.drive(id);
    const { experiment } = await readEnded(world, id);
    expect(experiment).toMatchObject({ status: "Cancelled", totalCost: 0.02 });
  });

  const needs = (dollars: number) => ({ spent: 0, estimate: dollars, most: () => dollars });

  /** Starts a run that no worker executes. */
  const startedRun = async (world: World, { maxCost }: { maxCost: number }) => {
    const id = await world.start(maxCost, 1);
    world.workers.idle = true;
    await world.drive(id, 1, 0);
    const { drive } = await world.read(id);
    const [run] = drive.running;
    const place = { tenantId: world.tenantId, experimentId: id };
    const again = (): CostLimit => {
      const limit = costLimitFor(db, place, { id: run?.executionId ?? "", allowance: 0 });
      if (!limit) throw new Error("no limit");
      return limit;
    };
    return { id, limit: again(), again };
  };

  test("is continued by the next function that executes the run", { tags: "nightly" }, async () => {
    const world = await setUp(runs);
    const { id, limit, again } = await startedRun(world, { maxCost: 0.1 });
    await limit.guardFor("run").reserve(needs(0.06));
    const next = again().guardFor("run");
    await next.reserve(needs(0.05));
    await next.reserve(needs(0.06));
    expect(await world.read(id)).toMatchObject({ free: 0.04, reservations: 1 });
    await next.reserve(needs(0.1));
    expect(await world.read(id)).toMatchObject({ free: 0, reservations: 2 });
  });

  test("counts as spent when the cost of an earlier function's sub-agents is unknown", {
    tags: "nightly",
  }, async () => {
    const world = await setUp(runs);
    const { id, limit, again } = await startedRun(world, { maxCost: 0.1 });
    await limit.guardFor("run").reserve(needs(0.06));
    const next = again();
    await next.guardFor("run", true).reserve(needs(0.03));
    expect(await world.read(id)).toMatchObject({ free: 0.01 });
    await expect(next.guardFor("run").reserve(needs(0.05))).rejects.toMatchObject({
      slug: "budget-exceeded",
    });
    next.settle(0.07);
    expect(next.refusal()).toContain("maxCost");
  });

  test("is refused to a function that still executes a run which was counted", {
    tags: "nightly",
  }, async () => {
    const world = await setUp(runs);
    const { id, limit } = await startedRun(world, { maxCost: 0.1 });
    world.workers.idle = false;
    await world.drive(id);
    await expect(limit.guardFor("run").reserve(needs(0.01))).rejects.toMatchObject({
      slug: "execution-failed",
    });
    expect((await readEnded(world, id)).experiment).toMatchObject({ status: "Succeeded" });
  });
});
