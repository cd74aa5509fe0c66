import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { isInSample } from "../../agents/agent/online-evaluation.ts";
import { cancelExecution } from "../../agents/execution/cancel-execution.ts";
import type { ExecutionDeps } from "../../agents/execution/context.ts";
import { EvaluateExecutionMessage } from "../../agents/messages.ts";
import { listScores } from "../../agents/score/list-scores.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { createScorer } from "../scorer/create-scorer.ts";
import { evaluateExecution } from "./evaluate-execution.ts";
import { getOnlineEvaluation } from "./get-online-evaluation.ts";
import { putOnlineEvaluation } from "./put-online-evaluation.ts";
import { PutOnlineEvaluationBody } from "./schemas.ts";
import { writeOnlineEvaluation } from "./store.ts";

const answering = {
  parametersMetadata: [{ name: "name", type: "String", defaultValue: "you" }],
  flow: { steps: [{ id: "answer", type: "Output", value: "Hello, {% input.name %}!" }], edges: [] },
};
const failing = {
  flow: { steps: [{ id: "bad", type: "Output", value: "{% $number('x') %}" }], edges: [] },
};

describe("an online evaluation", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let messages: EvaluateExecutionMessage[];
  let deps: ExecutionDeps;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = testExecutions(db);
    messages = [];
    deps = {
      ...world.deps,
      send: async (queue, tenant, message) => {
        if (queue !== "evaluations") return world.deps.send(queue, tenant, message);
        messages.push(EvaluateExecutionMessage.parse(message));
      },
    };
    await world.deploy("hello", answering);
    for (const [id, value] of [
      ["short", "$length(output) < 20"],
      ["undecided", "'neither'"],
    ] as const) {
      const input = { id, displayName: id, type: "Expression" as const, value };
      await createScorer({ ctx: world.tenant.ctx, input, deps: { db } });
    }
  });

  const put = (body: { scorers?: string[]; sampleRate?: number; monthlyLimit?: number }) =>
    putOnlineEvaluation({
      ctx: world.tenant.ctx,
      input: {
        agentId: "hello",
        body: PutOnlineEvaluationBody.parse({ scorers: ["short"], sampleRate: 1, ...body }),
      },
      deps: { db },
    });
  const execute = async (agentId = "hello") =>
    (await world.executeToEnd(agentId, undefined, deps)).executionId;
  const evaluate = (message: EvaluateExecutionMessage | undefined, withDeps = deps) =>
    evaluateExecution(
      withDeps,
      EvaluateExecutionMessage.parse(message),
      world.tenant.ctx.clock() + 900_000,
    );
  const scores = async (executionId: string) => {
    const of = { tenantId: world.tenantId, agentId: "hello", executionId };
    return (await listScores(db, of, { size: 100, skip: 0 })).items;
  };
  const evaluated = async () => {
    const now = world.tenant.ctx.clock();
    return (await getOnlineEvaluation(db, world.tenantId, "hello", now)).evaluatedThisMonth;
  };

  test("scores a succeeded execution once, whatever is repeated", async () => {
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

  test("makes an execution that is not in the sample cost no further call or message", async () => {
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

  test("samples by the execution's id, also where a message carries the agent", async () => {
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

  test("scores at most the month's limit, and again in the next month", async () => {
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

  test("leaves out what failed, was cancelled or is evaluated no more, and waits for the end", async () => {
    await put({});
    const waiting = await world.accept("hello", 0, deps);
    const message = {
      type: "evaluate-execution" as const,
      tenantId: world.tenantId,
      agentId: "hello",
      executionId: waiting.executionId,
    };
    await expect(evaluate(message)).rejects.toThrow("has not ended");
    await cancelExecution(world.deps, world.tenantId, "hello", waiting.executionId);
    await evaluate(message);
    expect(await scores(waiting.executionId)).toEqual([]);
    await world.work(deps);
    const ended = await execute();
    await writeOnlineEvaluation(db, world.tenantId, "hello", null);
    await evaluate(messages.pop());
    expect(await scores(ended)).toEqual([]);
    await put({});
    await world.deploy("bad", failing);
    await execute("bad").catch(() => undefined);
    expect(messages).toEqual([]);
  });

  test("continues after a crash between its scores, without a second count", async () => {
    await put({});
    const executionId = await execute();
    // The claim is a transaction, and so is the score.
    db.failNext("TransactWriteItems", 1);
    await expect(evaluate(messages[0])).rejects.toThrow("planned failure");
    await evaluate(messages[0]);
    expect(await scores(executionId)).toHaveLength(1);
    expect(await evaluated()).toBe(1);
  });

  test("is refused with a scorer that does not exist, or that needs an expected value", async () => {
    const input = { id: "exact", displayName: "Exact", type: "Exact" as const };
    await createScorer({ ctx: world.tenant.ctx, input, deps: { db } });
    await expect(put({ scorers: ["short", "exact", "nobody"] })).rejects.toMatchObject({
      members: { errors: [{ pointer: "/scorers/1" }, { pointer: "/scorers/2" }] },
    });
    await expect(evaluated()).rejects.toMatchObject({ slug: "not-found" });
  });
});
