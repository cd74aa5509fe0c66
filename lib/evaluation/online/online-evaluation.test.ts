import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { isInSample } from "../../agents/agent/online-evaluation.ts";
import { getAgent } from "../../agents/agent/store.ts";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import { EvaluateExecutionMessage } from "../../executions/messages.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { recoverExecutions } from "../../executions/recover/recover-executions.ts";
import { withCompanions } from "../../platform/db/companion-writes.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { PutBudgetBody } from "../../spending/budget/schemas.ts";
import { getMonthSpend } from "../../spending/budget/spend-store.ts";
import { reportUsage } from "../../spending/usage/report-usage.ts";
import { CreateExperimentBody } from "../experiment/schemas.ts";
import { listScores } from "../score/list-scores.ts";
import { createScorer } from "../scorer/create-scorer.ts";
import type { CreateScorerBody } from "../scorer/schemas.ts";
import { removeScorer } from "../scorer/store.ts";
import { updateScorer } from "../scorer/update-scorer.ts";
import { evaluateExecution } from "./evaluate-execution.ts";
import { getOnlineEvaluation } from "./get-online-evaluation.ts";
import { putOnlineEvaluation } from "./put-online-evaluation.ts";
import { PutOnlineEvaluationBody } from "./schemas.ts";
import { writeOnlineEvaluation } from "./store.ts";

const templateRevision = {
  parametersMetadata: [{ name: "name", type: "String", defaultValue: "you" }],
  flow: { steps: [{ id: "answer", type: "Output", value: "Hello, {% input.name %}!" }], edges: [] },
};
const prompting = {
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: "Hi!" }], edges: [] },
};
const failing = {
  flow: { steps: [{ id: "bad", type: "Output", value: "{% $number('x') %}" }], edges: [] },
};

describe("an online evaluation", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let messages: EvaluateExecutionMessage[];
  let deps: ExecutionDeps;
  let ratings: string[];

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    ratings = [];
    world = testExecutions(db, (prompt) =>
      prompt.startsWith("Rubric:") ? (ratings.shift() ?? "No comment.") : prompt,
    );
    messages = [];
    deps = {
      ...world.deps,
      send: async (queue, tenant, message) => {
        if (queue !== "evaluations") return world.deps.send(queue, tenant, message);
        messages.push(EvaluateExecutionMessage.parse(message));
      },
    };
    await world.deploy("hello", templateRevision);
    await scorer({ id: "short", type: "Expression", value: "$length(output) < 20" });
    await scorer({ id: "undecided", type: "Expression", value: "'neither'" });
    const llm = { providerId: "test", parameters: null };
    await scorer({ id: "polite", type: "Judge", llm, rubric: "Is it polite?" });
  });

  const scorer = (body: Pick<CreateScorerBody, "type"> & Partial<CreateScorerBody>) => {
    const input = { displayName: "A scorer", ...body };
    return createScorer({ db }, { ctx: world.tenant.ctx, body: input });
  };

  const put = (body: { scorers?: string[]; sampleRate?: number; monthlyLimit?: number }) =>
    putOnlineEvaluation(
      { db },
      {
        ctx: world.tenant.ctx,
        agentId: "hello",
        body: PutOnlineEvaluationBody.parse({ scorers: ["short"], sampleRate: 1, ...body }),
      },
    );
  const execute = async (agentId = "hello") =>
    (await world.executeToEnd(agentId, undefined, deps)).executionId;
  const evaluate = (message: EvaluateExecutionMessage | undefined, withDeps = deps) =>
    evaluateExecution(withDeps, {
      message: EvaluateExecutionMessage.parse(message),
      deadline: world.tenant.ctx.clock() + 900_000,
    });
  const buildMessage = (executionId: string) =>
    EvaluateExecutionMessage.parse({
      type: "evaluate-execution",
      tenantId: world.tenantId,
      agentId: "hello",
      executionId,
    });
  const scores = async (executionId: string) => {
    const of = { tenantId: world.tenantId, agentId: "hello", executionId };
    return (await listScores(db, { ...of, now: world.tenant.ctx.clock() }, { size: 100, skip: 0 }))
      .items;
  };
  const read = (principal = world.tenant.ctx.principal) =>
    getOnlineEvaluation(db, { ...world.tenant.ctx, principal }, "hello");
  const evaluated = async () => (await read()).evaluatedThisMonth;
  const budget = (amount: number) => {
    const thresholdRules = [{ percent: 1 }];
    const body = PutBudgetBody.parse({ amount, thresholdRules, enforceLimit: true });
    return putBudget({ ...deps, getAgent }, { ctx: world.tenant.ctx, agentId: "hello", body });
  };
  const usage = async (groupBy: "agent" | "model" | "trigger") => {
    const day = new Date(world.tenant.ctx.clock()).toISOString().slice(0, 10);
    const days = { from: day, to: day, agent: "hello" };
    const { items } = await reportUsage(db, world.tenantId, { ...days, groupBy });
    return items.map(({ key, executionCount, inputTokens, totalCost }) => ({
      [key]: [executionCount, inputTokens, totalCost],
    }));
  };
  const good = '{"reason": "Friendly.", "score": 0.9}';

  test("scores a succeeded execution once, whatever is repeated", { tags: "nightly" }, async () => {
    await put({ scorers: ["short", "undecided"] });
    const executionId = await execute();
    expect(messages).toMatchObject([{ agentId: "hello", executionId }]);
    await Promise.all([evaluate(messages[0]), evaluate(messages[0])]);
    const given = await scores(executionId);
    expect(given).toMatchObject([
      { name: "short", value: 1, source: "Evaluation", createdBy: "short" },
    ]);
    db.calls.length = 0;
    await evaluate(messages[0]);
    expect(await scores(executionId)).toEqual(given);
    expect(await evaluated()).toBe(1);
  });

  test("makes an execution that is not in the sample cost no further call or message", {
    tags: "nightly",
  }, async () => {
    const calls = async () => {
      await execute();
      db.calls.length = 0;
      await execute();
      return [...db.calls];
    };
    const without = await calls();
    await put({ sampleRate: 0 });
    expect(await calls()).toEqual(without);
    await put({ sampleRate: 1 });
    expect(await calls()).toEqual(without);
    expect(messages).toHaveLength(2);
  });

  test("samples by the execution's id, also where a message carries the agent", {
    tags: "nightly",
  }, async () => {
    await put({ sampleRate: 0.4 });
    const ids = Array.from({ length: 4_000 }, (_, at) => uuidAt(at, new Uint8Array(10)));
    const inSample = ids.filter((id) => isInSample(id, { sampleRate: 0.4 }));
    expect(inSample.length / ids.length).toBeCloseTo(0.4, 1);
    for (const id of inSample) expect(isInSample(id, { sampleRate: 0.5 })).toBe(true);
    const started = [];
    for (let at = 0; at < 8; at += 1) {
      started.push((await world.accept("hello", 0, deps)).executionId);
      await world.work(deps);
    }
    const wanted = started.filter((id) => isInSample(id, { sampleRate: 0.4 }));
    expect(messages.map(({ executionId }) => executionId)).toEqual(wanted);
  });

  test("scores at most the month's limit, and again in the next month", {
    tags: "nightly",
  }, async () => {
    await put({ monthlyLimit: 2 });
    const ids = [await execute(), await execute(), await execute()];
    await Promise.all(messages.splice(0).map((message) => evaluate(message)));
    const given = await Promise.all(ids.map(async (id) => (await scores(id)).length));
    expect(given.toSorted()).toEqual([0, 1, 1]);
    expect(await evaluated()).toBe(2);
    world.tenant.advance(31 * 24 * 3_600_000);
    const next = await execute();
    await evaluate(messages[0]);
    expect(await scores(next)).toHaveLength(1);
  });

  test("leaves out executions that failed, were cancelled or are excluded meanwhile, and waits for the end", {
    tags: "nightly",
  }, async () => {
    await put({});
    const waiting = await world.accept("hello", 0, deps);
    const message = buildMessage(waiting.executionId);
    const sleep = async () => undefined;
    await expect(evaluate(message, { ...deps, sleep })).rejects.toThrow("has not ended");
    await cancelExecution(world.deps, {
      tenantId: world.tenantId,
      agentId: "hello",
      executionId: waiting.executionId,
    });
    await evaluate(message);
    expect(await scores(waiting.executionId)).toEqual([]);
    await world.work(deps);
    const ended = await execute();
    await writeOnlineEvaluation(db, world.tenantId, "hello", null);
    const record = { pk: `record of ${world.tenantId}`, sk: "s" };
    const recording = withCompanions(db, () => [{ Put: { Item: record } }]);
    expect(await writeOnlineEvaluation(recording, world.tenantId, "hello", null)).toBe(true);
    expect(await getItem(db, record, z.unknown())).toBeUndefined();
    await evaluate(messages.pop());
    expect(await scores(ended)).toEqual([]);
    await put({});
    await world.deploy("bad", failing);
    await execute("bad").catch(() => undefined);
    expect(messages).toEqual([]);
  });

  test("continues after a crash between its scores, without a second count", {
    tags: "nightly",
  }, async () => {
    await put({});
    const executionId = await execute();
    // The claim is a transaction, and so is the score.
    db.failNext("TransactWriteItems", 1);
    await expect(evaluate(messages[0])).rejects.toThrow("planned failure");
    await evaluate(messages[0]);
    expect(await scores(executionId)).toHaveLength(1);
    expect(await evaluated()).toBe(1);
  });

  test("continues an agent's run after its function crashed, once the run's lease ends", {
    tags: "nightly",
  }, async () => {
    await world.deploy("critic", {
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: {
        steps: [
          { id: "ask", type: "Prompt", prompt: "Hi!" },
          { id: "out", type: "Output", value: { value: 1 } },
        ],
        edges: [{ source: "ask", target: "out" }],
      },
    });
    await scorer({ id: "critic", type: "Agent", agentId: "critic" });
    await put({ scorers: ["critic"] });
    const executionId = await execute();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const never = async () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    const dying = {
      ...deps,
      modelsFor: () => ({ ...deps.modelsFor(world.tenantId), resolve: never }),
    };
    void evaluate(messages[0], dying);
    await asked;
    const until = world.tenant.ctx.clock() + 40_000;
    const again = () => evaluate(messages[0]);
    await expect(again()).rejects.toMatchObject({ name: "LeasedElsewhereError", until });
    world.tenant.advance(40_001);
    await recoverExecutions({ ...deps, clock: world.tenant.ctx.clock });
    await world.work(deps);
    await again();
    expect(await scores(executionId)).toMatchObject([{ name: "critic", value: 1 }]);
  });

  test("counts every call of its judges in usage and budget, also when another score was stored first", {
    tags: "nightly",
  }, async () => {
    await put({ scorers: ["polite"] });
    await budget(1);
    ratings = [good, good];
    const executionId = await execute();
    await Promise.all([evaluate(messages[0]), evaluate(messages[0])]);
    await evaluate(messages[0]);
    expect(ratings).toEqual([]);
    expect(await scores(executionId)).toMatchObject([{ name: "polite", value: 0.9 }]);
    expect(await usage("trigger")).toEqual([{ "(evaluation)": [0, 20, 0.02] }, { 0: [1, 0, 0] }]);
    expect(await usage("agent")).toEqual([{ hello: [1, 20, 0.02] }]);
    expect(await usage("model")).toEqual([{ "test/m": [0, 20, 0.02] }]);
    const month = toMonth(world.tenant.ctx.clock());
    expect(await getMonthSpend(db, world.tenantId, "hello", month)).toMatchObject({
      spent: 0.02,
      committed: 0.02,
      raised: new Set([1]),
    });
    expect((await budget(1)).currentMonthlyCost).toBe(0.02);
  });

  test("counts every call of a judge after its failure was recorded", {
    tags: "nightly",
  }, async () => {
    await put({ scorers: ["polite"] });
    ratings = ["no rating", "no rating"];
    await execute();
    await Promise.all([evaluate(messages[0]), evaluate(messages[0])]);
    expect(ratings).toEqual([]);
    expect((await read()).failures).toMatchObject([{ scorer: "polite", failedThisMonth: 1 }]);
    expect(await usage("trigger")).toEqual([{ "(evaluation)": [0, 40, 0.04] }, { 0: [1, 0, 0] }]);
  });

  test("counts an agent that scores for that agent, not twice", { tags: "nightly" }, async () => {
    await world.deploy("critic", {
      ...prompting,
      flow: {
        steps: [...prompting.flow.steps, { id: "out", type: "Output", value: { value: 1 } }],
        edges: [{ source: "ask", target: "out" }],
      },
    });
    await scorer({ id: "critic", type: "Agent", agentId: "critic" });
    await put({ scorers: ["critic"] });
    await execute();
    await evaluate(messages[0]);
    expect(await usage("trigger")).toEqual([{ 0: [1, 0, 0] }]);
    expect(await world.counted("critic")).toEqual({ executions: 1, modelTokens: 10 });
  });

  test("calls no judge when the agent's budget is spent, and records the reason", {
    tags: "nightly",
  }, async () => {
    await put({ scorers: ["polite"] });
    await world.deploy("hello", prompting);
    await budget(0.01);
    await execute();
    await evaluate(messages[0]);
    expect((await read()).failures).toMatchObject([
      { scorer: "polite", detail: expect.stringContaining("budget of 0.01 USD a month is spent") },
    ]);
    expect(await usage("trigger")).toEqual([{ 0: [1, 10, 0.01] }]);
  });

  test("shows a scorer's failures in the month, and the reason to callers who may read executions", {
    tags: "nightly",
  }, async () => {
    await put({ scorers: ["short", "polite", "undecided"] });
    const ids = [await execute(), await execute()];
    ratings = [good];
    await evaluate(messages[0]);
    await evaluate(messages[1]);
    await evaluate(messages[1]);
    const { failures } = await read();
    expect(failures).toEqual([
      {
        scorer: "polite",
        failedThisMonth: 1,
        lastFailedAt: expect.any(Number),
        executionId: ids[1],
        detail: "The judge's response is not a valid rating: it is not valid JSON.",
      },
      {
        scorer: "undecided",
        failedThisMonth: 2,
        lastFailedAt: expect.any(Number),
        executionId: ids[1],
        detail: expect.stringContaining('"neither"'),
      },
    ]);
    // The judge that failed was asked twice.
    expect(await usage("model")).toEqual([{ "test/m": [0, 30, 0.03] }]);
    const { principal } = world.tenant.ctx;
    const shown = await read({ ...principal, scopes: ["agents:read"] });
    expect(shown.failures).toEqual(failures.map((failure) => ({ ...failure, detail: null })));
    await put({ scorers: ["short"] });
    expect((await read()).failures).toEqual([]);
  });

  test("shows that a scorer was deleted", { tags: "nightly" }, async () => {
    await put({ scorers: ["short", "undecided"] });
    await removeScorer(db, world.tenantId, "undecided");
    const executionId = await execute();
    await evaluate(messages[0]);
    expect(await scores(executionId)).toHaveLength(1);
    expect((await read()).failures).toMatchObject([
      { scorer: "undecided", detail: "The scorer does not exist any more." },
    ]);
  });

  test("costs no call more for failures and costs where its scorers score well", {
    tags: "nightly",
  }, async () => {
    await put({});
    await execute();
    db.calls.length = 0;
    await evaluate(messages[0]);
    const claimed = ["BatchGetItem", "TransactWriteItems"];
    const scored = ["BatchGetItem", "BatchGetItem", "TransactWriteItems"];
    expect(db.calls).toEqual([...claimed, ...scored]);
  });

  test("waits for an execution until its end is written", { tags: "nightly" }, async () => {
    await put({});
    const { executionId } = await world.accept("hello", 0, deps);
    await evaluate(buildMessage(executionId), { ...deps, sleep: () => world.work(deps) });
    expect(await scores(executionId)).toHaveLength(1);
  });

  test("shows scorers the thinking tokens of an execution", { tags: "nightly" }, async () => {
    await world.deploy("hello", prompting);
    await scorer({ id: "thoughtful", type: "Expression", value: "usage.thinkingTokens = 2" });
    await put({ scorers: ["thoughtful"] });
    const executionId = await execute();
    await evaluate(messages[0]);
    expect(await scores(executionId)).toMatchObject([{ name: "thoughtful", value: 1 }]);
  });

  test("runs only the agents that its caller was allowed to run, however its scorers are changed", {
    tags: "nightly",
  }, async () => {
    const critic = {
      flow: { steps: [{ id: "out", type: "Output", value: { value: 1 } }], edges: [] },
    };
    await world.deploy("critic", critic);
    await world.deploy("private", critic);
    await scorer({ id: "critic", type: "Agent", agentId: "critic" });
    await put({ scorers: ["critic"] });
    await evaluate(buildMessage(await execute()));
    const input = { scorerId: "critic", body: { agentId: "private" } };
    await updateScorer({ db }, { ctx: world.tenant.ctx, ...input });
    const executionId = await execute();
    await evaluate(buildMessage(executionId));
    expect(await world.list("critic")).toHaveLength(1);
    expect(await world.list("private")).toEqual([]);
    expect(await scores(executionId)).toEqual([]);
    expect((await read()).failures).toMatchObject([
      { scorer: "critic", detail: expect.stringContaining("Set the online evaluation again") },
    ]);
    await put({ scorers: ["critic"] });
    await evaluate(buildMessage(await execute()));
    expect(await world.list("private")).toHaveLength(1);
  });

  test("has a rate that can be stored", async () => {
    await expect(async () => put({ sampleRate: 1e-200 })).rejects.toThrow("must be 0, or");
    await put({ sampleRate: 1e-9 });
    const body = { datasetId: "d", agentId: "a", revisions: [1], scorers: ["s"], maxCost: 1e-200 };
    expect(CreateExperimentBody.safeParse(body).error?.issues).toMatchObject([
      { path: ["maxCost"] },
    ]);
  });

  test("is refused with a scorer that does not exist, or that needs an expected value", {
    tags: "nightly",
  }, async () => {
    await scorer({ id: "exact", type: "Exact" });
    await expect(put({ scorers: ["short", "exact", "nobody"] })).rejects.toMatchObject({
      members: { errors: [{ pointer: "/scorers/1" }, { pointer: "/scorers/2" }] },
    });
    await expect(evaluated()).rejects.toMatchObject({ slug: "not-found" });
  });
});
