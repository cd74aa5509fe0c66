import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { calls, resultsIn, textResult } from "../../../test/harness/flow.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import type { GenerateRequest, GenerateResult } from "../../engine/models/model.ts";
import type { Tool } from "../../engine/tools/tool.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { getMonthSpend } from "../../spending/budget/spend-store.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import type { JsonObject } from "../../values/json/json.ts";
import { type ApprovalItem, endApproval, listApprovals } from "../approvals/approval-store.ts";
import { readProgress } from "../checkpoints/checkpoint-store.ts";
import { leaseMs } from "../lease/execution-lease.ts";
import { RunExecutionMessage } from "../messages.ts";
import { readTrace } from "../read/read-execution.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { continueExecutions } from "../recover/continue-executions.ts";
import { endWait } from "./end-wait.ts";
import { requestAfterMs } from "./open-waits.ts";

const secret = "sk-4711-very-secret";
const prompt = { ...ask("go"), tools: [{ toolId: "calculate", approval: true }, "current_time"] };
const calling = (more: object = {}) => buildFlow([prompt], [], more);
const withKey = calling({
  parametersMetadata: [{ name: "key", type: "String", secret: true, required: true }],
});
const twoCalls = calls(["calculate", { expression: "1 + 1" }], ["current_time", {}]);

describe("an execution with tool calls that need approvals", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: ReturnType<typeof testWaiting>;
  let requests: GenerateRequest[];
  let made: unknown[];
  let results: GenerateResult[];
  let respond: (request: GenerateRequest) => Promise<GenerateResult>;
  beforeEach(() => {
    world = testWaiting(db);
    [requests, made] = [[], []];
    results = [twoCalls, textResult("done")];
    respond = async () => results[requests.length - 1] ?? textResult("nothing more to say");
    const { deps } = world;
    const models = deps.modelsFor(world.tenantId);
    const tools = deps.toolsFor(world.tenantId);
    deps.modelsFor = () => ({
      resolve: async (id) => {
        const provider = await models.resolve(id);
        return (
          provider && {
            ...provider,
            generate: async (request) => {
              requests.push(request);
              request.onDelta?.(`turn ${requests.length}`);
              return respond(request);
            },
          }
        );
      },
    });
    const record = (id: string, tool: Tool): Tool => ({
      ...tool,
      run: async (parameters) => {
        made.push([id, parameters]);
        return `result of ${id}`;
      },
    });
    deps.toolsFor = () => ({
      ...tools,
      resolve: (integrationId, id) => {
        const tool = tools.resolve(integrationId, id);
        return tool && record(id, tool);
      },
    });
  });

  const approvals = () => Array.fromAsync(listApprovals(db, world.tenantId));
  const only = async (): Promise<ApprovalItem> => {
    const [item] = await approvals();
    if (!item) throw new Error("there is no approval");
    return item;
  };
  const decide = (item: ApprovalItem, answer: JsonObject = { action: "approve" }) => {
    const decidedAt = world.tenant.ctx.clock();
    return endWait(world.deps, {
      tenantId: world.tenantId,
      root: item.root,
      executionId: item.executionId,
      path: item.path,
      answer: { fields: {}, comment: null, decidedBy: "ada@example.com", decidedAt, ...answer },
      writes: [endApproval(world.tenantId, item, { status: "Decided", decidedAt })],
    });
  };

  test("waits with an approval of the call, and continues with its result alone", async () => {
    await world.deploy("a", calling());
    const { executionId, status } = (await world.execute("a")).execution;
    expect(status).toBe("Waiting");
    expect(made).toEqual([["current_time", {}]]);
    const item = await only();
    expect(item).toMatchObject({
      kind: "Tool",
      stepId: "go",
      title: "Call system/calculate",
      toolId: "system/calculate",
      arguments: { expression: "1 + 1" },
      argumentsSchema: { type: "object", required: ["expression"] },
      allowStarter: true,
      expiresAt: item.createdAt + 259_200_000,
    });
    expect(await decide(item)).toBe("ended");
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(made).toEqual([
      ["current_time", {}],
      ["calculate", { expression: "1 + 1" }],
    ]);
    const { item: record, output } = await world.read("a", executionId);
    expect(output?.output).toBe("done");
    expect(record).toMatchObject({ totalCost: 0.02, inputTokens: 6 });
    const ids = output?.trace.map((span) => Reflect.get(Object(span), "id"));
    expect(ids).toEqual(["go", "go/1", "go/2", "go/3", "go/4"]);
  });

  test("asks again when its step is tried again, and cancels the approval of the attempt that failed", {
    tags: "nightly",
  }, async () => {
    const slow = gate();
    const failed = new UpstreamError("The model failed.", {
      upstream: "test",
      upstreamStatus: 500,
    });
    const items = {
      id: "each",
      type: "ForEach",
      items: ["asks", "fails"],
      concurrency: 2,
      retry: { maxAttempts: 2, backoffSeconds: 0, on: ["upstream-failed"] },
      step: { ...prompt, prompt: "{% item %}" },
    };
    let attempts = 0;
    respond = async ({ messages }) => {
      const [first] = messages;
      if (first?.role !== "user" || first.text === "asks") return twoCalls;
      attempts += 1;
      if (attempts > 1) return textResult("done");
      await slow.promise;
      throw failed;
    };
    await world.deploy("a", buildFlow([items], []));
    const ended = world.execute("a");
    await vi.waitUntil(() => attempts === 1, { timeout: 30_000 });
    await vi.waitUntil(() => made.length === 1, { timeout: 30_000 });
    world.timers.pass(requestAfterMs);
    const first = await vi.waitUntil(async () => (await approvals())[0], { timeout: 30_000 });
    expect(first?.status).toBe("Pending");
    slow.resolve();
    expect((await ended).execution.status).toBe("Waiting");
    const statuses = (await approvals()).map(({ path, status }) => [path, status]);
    expect(statuses.toSorted()).toEqual([
      ["each#2/0#1.1", "Pending"],
      ["each/0#1.1", "Cancelled"],
    ]);
  });

  test("expires before its record, where executions are kept for less than the time of its approval", async () => {
    const { tenant, clock } = world.tenant.ctx;
    const retention = { executionDays: 2, traceDays: 1, deliveryDays: 1 };
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times, retention });
    await world.deploy("a", calling());
    const { executionId } = (await world.execute("a")).execution;
    const item = await only();
    const { startTime } = (await world.read("a", executionId)).item;
    expect(item.expiresAt).toBeGreaterThan(startTime + 46 * 3_600_000);
    expect(item.expiresAt).toBeLessThan(startTime + 48 * 3_600_000);
    await world.deliver();
    await world.dueAfter(item.expiresAt - clock() + 60_000);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await only()).toMatchObject({ status: "TimedOut" });
    expect(resultsIn(requests.at(-1))).toMatchObject([
      { isError: true, output: expect.stringContaining("not approved in time") },
      { isError: false },
    ]);
  });

  test("that is asked for in the last hour of its record does not expire before it was created", async () => {
    const { tenant, clock } = world.tenant.ctx;
    const retention = { executionDays: 2, traceDays: 1, deliveryDays: 1 };
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "T", ...times, retention });
    const pause = { id: "pause", type: "Wait", seconds: 47.5 * 3_600 };
    await world.deploy("a", buildFlow([pause, prompt], ["pause>go"]));
    await world.execute("a");
    await world.deliver();
    await world.dueAfter(47.5 * 3_600_000 + 60_000);
    const item = await only();
    expect(item.expiresAt).toBeGreaterThanOrEqual(item.createdAt);
  });

  test.each(["UpdateItem", "BatchGetItem", "Query"])(
    "makes the approved call once, with its arguments, after a crash between decision and call: %s",
    async (command) => {
      await world.deploy("a", calling());
      await world.execute("a");
      await decide(await only());
      db.failNext(command);
      await world.deliver().catch(() => undefined);
      world.tenant.advance(leaseMs + 60_000);
      db.clearFailures();
      await world.recover();
      await world.deliver();
      expect(await world.statuses("a")).toEqual(["Succeeded"]);
      expect(made).toEqual([
        ["current_time", {}],
        ["calculate", { expression: "1 + 1" }],
      ]);
      expect(requests).toHaveLength(2);
    },
  );

  test("shows its trace so far, and counts its cost when it is cancelled", async () => {
    await world.deploy("a", calling());
    const { executionId } = (await world.execute("a")).execution;
    const key = { tenantId: world.tenantId, agentId: "a", executionId };
    const { spans } = await readTrace(world.deps, { ...key, now: world.tenant.ctx.clock() });
    expect(spans.map(({ id }) => id)).toEqual(["go", "go/1", "go/2", "go/3"]);
    const item = await only();
    await cancelExecution(world.deps, key);
    await world.deliver();
    expect(await decide(item)).not.toBe("ended");
    expect(await only()).toMatchObject({ status: "Cancelled" });
    const { item: record } = await world.read("a", executionId);
    expect(record).toMatchObject({ status: "Cancelled", totalCost: 0.01 });
    expect(made).toEqual([["current_time", {}]]);
  });

  test("shows and stores no secret, and the call has it", async () => {
    results = [calls(["calculate", { expression: `'${secret}'` }]), textResult("done")];
    await world.deploy("a", withKey);
    const { executionId } = (await world.execute("a", { input: { key: secret } })).execution;
    const key = { tenantId: world.tenantId, executionId };
    const stored = await readProgress(world.deps, key, world.tenant.ctx.clock());
    expect([...stored.completed.values()].some(({ suspended }) => suspended)).toBe(true);
    const item = await only();
    expect(JSON.stringify([item, ...stored.completed.values()])).not.toContain(secret);
    await decide(item);
    await world.deliver();
    expect(made).toEqual([["calculate", { expression: `'${secret}'` }]]);
    expect(requests[1]?.messages.at(-2)).toMatchObject({
      toolCalls: [{ arguments: { expression: `'${secret}'` } }],
    });
    const { output } = await world.read("a", executionId);
    expect(JSON.stringify(output)).not.toContain(secret);
  });

  test("keeps a masked argument that the approver sends back", async () => {
    results = [calls(["calculate", { expression: `'${secret}'` }]), textResult("done")];
    await world.deploy("a", withKey);
    await world.execute("a", { input: { key: secret } });
    const item = await only();
    await decide(item, { action: "approve", arguments: { ...item.arguments } });
    await world.deliver();
    expect(made).toEqual([["calculate", { expression: `'${secret}'` }]]);
  });

  test("receives that the call was rejected, or not approved in time", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", calling());
    await world.execute("a");
    await decide(await only(), { action: "reject", comment: "Not today." });
    await world.deliver();
    expect(resultsIn(requests[1])[0]).toMatchObject({
      isError: true,
      output: "A person rejected the call: Not today. Do not call it again.",
    });
    results = [...results, twoCalls];
    await world.execute("a");
    await world.dueAfter(259_200_000 + 60_000);
    expect(await world.statuses("a")).toEqual(["Succeeded", "Succeeded"]);
    expect(resultsIn(requests[3])[0]?.output).toContain("in time");
    expect(made.map((call) => Object(call)[0])).toEqual(["current_time", "current_time"]);
  });

  test("with two approvals waits for the second one, and repeats nothing", async () => {
    results = [
      calls(["calculate", { expression: "1" }], ["calculate", { expression: "2" }]),
      textResult("done"),
    ];
    await world.deploy("a", calling());
    await world.execute("a");
    const items = (await approvals()).toSorted((one, two) => one.path.localeCompare(two.path));
    expect(items.map(({ path }) => path)).toEqual(["go#1.1", "go#1.2"]);
    for (const [at, item] of items.entries()) {
      expect(await world.statuses("a")).toEqual(["Waiting"]);
      await decide(item);
      await world.deliver();
      expect([requests.length, made.length]).toEqual([at + 1, at + 1]);
    }
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await approvals()).toHaveLength(2);
  });

  test("begins again where it waited after a crash, and asks neither its model nor a person again", async () => {
    await world.deploy("a", calling());
    await world.execute("a");
    await decide(await only());
    const reached = gate();
    const resolve = async () => {
      reached.resolve();
      return new Promise<never>(() => {});
    };
    const message = RunExecutionMessage.parse(world.tenant.sent.pop());
    const deadline = world.tenant.ctx.clock() + 900_000;
    const crashing = { ...world.deps, modelsFor: () => ({ resolve }) };
    void continueExecutions(crashing, { message, deadline });
    await reached.promise;
    world.tenant.advance(leaseMs + 1);
    await world.recover();
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect([requests.length, made.length, (await approvals()).length]).toEqual([2, 2, 1]);
  });

  test("streams the text of each turn once", async () => {
    await world.deploy("a", calling());
    const sent = await world.stream("a");
    const texts = sent.flatMap((event) => JSON.stringify(event).match(/turn \d/g) ?? []);
    expect(texts).toEqual(["turn 1"]);
    expect(sent.at(-1)).toMatchObject({
      event: "execution.waiting",
      data: { approvals: [(await only()).id] },
    });
  });

  test("keeps only its cost reserved in its budget while it waits", async () => {
    await world.deploy("a", calling());
    const { ctx, deps } = world.tenant;
    const budget = { amount: 1, thresholdRules: [], enforceLimit: true, allowUnpriced: false };
    await putBudget(deps, { ctx, agentId: "a", body: budget });
    await world.execute("a");
    const spend = () => getMonthSpend(db, world.tenantId, "a", toMonth(ctx.clock()));
    expect(await spend()).toMatchObject({ spent: 0, committed: 0.01 });
    await decide(await only());
    await world.deliver();
    expect(await spend()).toMatchObject({ spent: 0.02, committed: 0.02 });
  });

  test("that calls an agent as a tool waits with it, and starts it once", {
    tags: "nightly",
  }, async () => {
    const approval = { id: "decide", type: "Approval", title: "Pay?" };
    await world.deploy("child", buildFlow([approval], []));
    const subAgents = [{ id: "child", agentId: "child" }];
    await world.deploy("a", buildFlow([{ ...ask("go"), tools: ["child"] }], [], { subAgents }));
    results = [calls(["child", {}]), textResult("done")];
    await world.execute("a");
    expect([await world.statuses("a"), await world.statuses("child")]).toEqual([
      ["Waiting"],
      ["Waiting"],
    ]);
    await decide(await only());
    await world.deliver();
    expect([await world.statuses("a"), await world.statuses("child")]).toEqual([
      ["Succeeded"],
      ["Succeeded"],
    ]);
    expect(requests).toHaveLength(2);
    expect(resultsIn(requests[1])[0]).toMatchObject({ output: { action: "approve" } });
  });
});
