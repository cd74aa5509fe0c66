import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { prepareDraft, TestDraftBody } from "../../agents/revision/draft.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { leaseMs } from "../lease/execution-lease.ts";
import { ExecutionResult, triggerTypes } from "../schemas.ts";
import { executeAgent } from "./execute-agent.ts";

const chain = (...steps: readonly { id: string; [member: string]: unknown }[]) => ({
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps,
    edges: steps.slice(1).map(({ id }, at) => ({ source: steps[at]?.id, target: id })),
  },
});
const transform = (id: string, value: unknown) => ({ id, type: "Transform", value });
const prompt = (id: string, text: string) => ({ id, type: "Prompt", prompt: text });
const threeSteps = chain(
  transform("one", "1"),
  prompt("two", "{% steps.one.output & '2' %}"),
  transform("three", "{% steps.two.output & '3' %}"),
);

describe("a draft", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const start = async (respond?: Respond) => {
    const world = testExecutions(db, respond);
    await world.deploy("a", chain(transform("only", "deployed")));
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    const run = async (body: object, waitMs?: number) => {
      const { ctx } = world.tenant;
      const item = await getAgent(db, world.tenantId, "a");
      const own = { ...ctx, readAgent: { item } };
      const deps = { ...world.deps, bedrockModels: world.tenant.deps.bedrockModels };
      const sent = TestDraftBody.parse(body);
      const result = await executeAgent(deps, {
        ctx: {
          ...own,
          deadline: ctx.clock() + 900_000,
          events: undefined,
          waitUntil: (work) => world.background.push(work.catch(() => undefined)),
        },
        agentId: "a",
        body: { input: sent.input },
        draft: await prepareDraft(deps, { ctx: own, agentId: "a", body: sent }),
        triggerType: triggerTypes.test,
        isSample: true,
        waitMs,
      });
      return ExecutionResult.parse(result);
    };
    const read = async (executionId: string) => {
      const { item, output } = await world.read("a", executionId);
      const spans = output?.trace ?? [];
      return { item, output: output?.output, spans };
    };
    return { world, run, read };
  };

  test("runs without a revision, and its pinned steps do not", { tags: "nightly" }, async () => {
    const asked: string[] = [];
    const { run, read, world } = await start((text) => {
      asked.push(text);
      return text;
    });
    expect(await run({ revision: threeSteps })).toMatchObject({ agentRevision: 0, output: "123" });
    const pinned = await run({ revision: threeSteps, pinned: { two: "P" } });
    expect(pinned.output).toBe("P3");
    expect(asked).toEqual(["12"]);
    expect((await read(pinned.executionId)).spans).toMatchObject([
      { stepId: "two", status: "Succeeded", output: "P", pinned: true, usage: null },
      { stepId: "one" },
      { stepId: "three" },
    ]);
    expect((await getAgent(db, world.tenantId, "a"))?.latestRevision).toBe(1);
    expect((await world.counted("a")).modelTokens).toBe(10);
  });

  test("with `only` runs this step alone, also one that the pinned steps do not choose", {
    tags: "nightly",
  }, async () => {
    const { run, read } = await start();
    const steps = [
      {
        id: "choice",
        type: "Condition",
        cases: [{ when: "true", target: "left" }],
        otherwise: "right",
      },
      transform("left", 1),
      transform("right", "{% 'not ' & steps.choice.output %}"),
      transform("last", "{% steps.right.output %}"),
    ];
    const flow = { steps, edges: [{ source: "right", target: "last" }] };
    const result = await run({ revision: { flow }, only: "right", pinned: { choice: "left" } });
    expect(result.output).toBe("not left");
    const { spans } = await read(result.executionId);
    expect(spans).toMatchObject([
      { stepId: "choice", pinned: true },
      { stepId: "right", status: "Succeeded" },
    ]);
    expect(spans).toHaveLength(2);
  });

  test("is continued by a worker after the first one was killed, with its pinned steps, its secrets and large values", async () => {
    const reached = gate();
    const held = gate();
    const { run, read, world } = await start(async (text) => {
      if (text !== "wait") return text;
      reached.resolve();
      await held.promise;
      return text;
    });
    const noise = randomBytes(30_000).toString("base64");
    const revision = {
      ...chain(
        transform("noise", "unused"),
        prompt("tell", "{% parameters.key = 'hidden-secret' ? 'known' : 'unknown' %}"),
        prompt("wait", "wait"),
        transform("end", "{% [$length(steps.noise.output), steps.tell.output] %}"),
      ),
      parametersMetadata: [
        { name: "key", type: "String", secret: true, defaultValue: "hidden-secret" },
      ],
    };
    const { executionId, status } = await run({ revision, pinned: { noise } }, 0);
    expect(status).toBe("Queued");
    const worker = world.workOnce();
    await reached.promise;
    world.tenant.advance(leaseMs + 1);
    await world.recover();
    const second = testExecutions(db);
    await world.work({ ...world.deps, modelsFor: second.deps.modelsFor });
    held.resolve();
    await worker;
    const { item, output, spans } = await read(executionId);
    expect(item).toMatchObject({ status: "Succeeded", agentRevision: 0, isSample: true });
    expect(output).toEqual([noise.length, "known"]);
    expect(spans.filter((span) => JSON.stringify(span).includes('"pinned":true'))).toHaveLength(1);
    const stored = (await db.scan()).filter(({ pk }) => String(pk).includes(world.tenantId));
    expect(JSON.stringify(stored)).not.toContain("hidden-secret");
  });

  test("takes one storage call more than a test of the same revision, at most", {
    tags: "nightly",
  }, async () => {
    const { run, world } = await start();
    const same = chain(transform("only", "deployed"));
    await run({ revision: same });
    const count = async (work: () => Promise<unknown>) => {
      await work();
      db.calls.length = 0;
      await work();
      return db.calls.length;
    };
    const { ctx } = world.tenant;
    const stored = await count(async () =>
      executeAgent(world.deps, {
        ctx: {
          ...ctx,
          readAgent: { item: await getAgent(db, world.tenantId, "a") },
          deadline: ctx.clock() + 900_000,
          events: undefined,
          waitUntil: () => undefined,
        },
        agentId: "a",
        body: { revision: 1 },
        triggerType: triggerTypes.test,
        isSample: true,
        waitMs: undefined,
      }),
    );
    expect(await count(() => run({ revision: same }))).toBeLessThanOrEqual(stored + 1);
  });
});
