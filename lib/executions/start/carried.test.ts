import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { packJson } from "../../../test/harness/pack-json.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { findAudience } from "../../notifications/destination/find-audience.ts";
import { toQueued, unpackValue } from "../../platform/db/large-value.ts";
import { mask } from "../../platform/http/mask.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { PutBudgetBody } from "../../spending/budget/schemas.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { maxRunsPerMessage, RunExecutionMessage } from "../messages.ts";
import { triggerTypes } from "../schemas.ts";
import { createExecutions } from "./create-executions.ts";
import type { PlannedStart } from "./plan-start.ts";
import { carriedInput, enqueueExecutions } from "./queue-executions.ts";
import { startExecution } from "./start-execution.ts";

const asking = (text: string) => ({
  parametersMetadata: [
    { name: "text", type: "String" },
    { name: "key", type: "String", secret: true },
  ],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: text }], edges: [] },
});
const echo = asking("{% input.text & input.key %}");

/** A text that is stored as an input in a separate item. */
const text = randomBytes(1_500).toString("base64");
const reads = ["GetItem", "BatchGetItem", "Query"];

describe("a message that carries the input and agent of a run", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let asked: string[];

  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    asked = [];
    world = testExecutions(db, (prompt) => {
      asked.push(prompt);
      return "answered";
    });
    const { tenant, clock } = world.tenant.ctx;
    const times = { createdAt: clock(), modifiedAt: clock() };
    await putNewTenant(db, { ...tenant, slug: tenant.id, displayName: "Test", ...times });
    // Read once per instance.
    await findAudience(db, tenant.id, clock());
    await world.deploy("a", echo);
  });

  const buildStartRequest = async (more: Partial<PlannedStart> = {}): Promise<PlannedStart> => {
    const agent = await getAgent(db, world.tenantId, "a");
    const revision = agent && (await world.deps.loadRevision(world.tenantId, agent, 1));
    if (!revision) throw new Error("no agent");
    return {
      id: newUuid(world.tenant.ctx),
      tenantId: world.tenantId,
      agentId: "a",
      agentRevision: 1,
      parametersMetadata: revision.content.parametersMetadata,
      trigger: { type: triggerTypes.api, id: "u", provider: null },
      input: { text, key: "" },
      metadata: {},
      isSample: true,
      runner: { type: "worker", agent },
      ...more,
    };
  };
  const queued = () => RunExecutionMessage.parse(world.tenant.sent[0]);
  const requeue = (message: RunExecutionMessage) => world.tenant.sent.splice(0, 1, message);
  /** Works and returns the calls to the table that read. */
  const readsOfWork = async () => {
    db.calls.length = 0;
    await world.work();
    return db.calls.filter((name) => reads.includes(name));
  };
  const statuses = async () => (await world.list("a")).map(({ status }) => status);
  const remove = () => deleteAgent(world.deps, { tenantId: world.tenantId, agentId: "a" });
  const purgeAgent = () =>
    purge(
      { type: "purge-agent", tenantId: world.tenantId, agentId: "a" },
      { ...world.tenant.deps, clock: world.tenant.ctx.clock, until: Number.MAX_SAFE_INTEGER },
    );

  test("leaves its worker nothing to read", { tags: "nightly" }, async () => {
    await startExecution(world.deps, await buildStartRequest());
    expect(await readsOfWork()).toEqual([]);
    expect(asked).toEqual([text]);
    expect(await statuses()).toEqual(["Succeeded"]);
  });

  test("is sent by a request that does not wait", { tags: "nightly" }, async () => {
    await world.execute("a", { input: { text, key: "" } }, 0);
    const [run] = queued().runs;
    expect(run).toMatchObject({ agent: { budget: null }, input: { part: expect.any(String) } });
  });

  test.each(["agent", "input"] as const)(
    "may lack the %s, which its worker then reads",
    { tags: "nightly" },
    async (member) => {
      await startExecution(world.deps, await buildStartRequest());
      const message = queued();
      const runs = message.runs.map(({ [member]: _, ...run }) => run);
      requeue({ ...message, runs });
      expect(await readsOfWork()).toEqual(["BatchGetItem"]);
      expect(asked).toEqual([text]);
    },
  );

  test("does not replace the stored input with another one", { tags: "nightly" }, async () => {
    await startExecution(world.deps, await buildStartRequest());
    const message = queued();
    const other = { part: "INPUT#other", value: toQueued(packJson({})) };
    requeue({ ...message, runs: message.runs.map((run) => ({ ...run, input: other })) });
    expect(await readsOfWork()).toEqual(["BatchGetItem"]);
    expect(asked).toEqual([text]);
  });

  test("has secret inputs masked, and the run has them", async () => {
    await startExecution(world.deps, await buildStartRequest({ input: { text, key: "s3cret" } }));
    const [run = { input: undefined }] = queued().runs;
    const stored = { input: { part: run.input?.part ?? "" } };
    const carried = carriedInput(stored, run);
    expect(carried && (await unpackValue(carried, world.deps.objects))).toEqual({
      input: { text, key: mask },
    });
    await world.work();
    expect(asked).toEqual([`${text}s3cret`]);
  });

  test("has less than 64 KB with as many large inputs as a message takes", {
    tags: "nightly",
  }, async () => {
    const largest = randomBytes(4_000);
    const input = { text: largest.toString("base64").slice(0, 4_000), key: "" };
    const request = await buildStartRequest({ input });
    const rules = Array.from({ length: 20 }, (_, at) => ({ percent: at + 1.123_456_789 }));
    await setBudget({ amount: 1, thresholdRules: rules });
    const { runner } = await buildStartRequest();
    const requests = Array.from({ length: maxRunsPerMessage }, () => ({
      ...request,
      runner,
      id: newUuid(world.tenant.ctx),
    }));
    const created = await createExecutions(world.deps, requests);
    await enqueueExecutions(
      world.deps.send,
      world.tenantId,
      created.flatMap((outcome) => ("queued" in outcome ? [outcome.queued] : [])),
    );
    const { runs } = queued();
    expect(runs.filter((run) => run.input && run.agent)).toHaveLength(maxRunsPerMessage);
    expect(JSON.stringify(queued()).length).toBeLessThan(65_536);
  });

  const setBudget = (body: object) =>
    putBudget(world.tenant.deps, {
      ctx: world.tenant.ctx,
      agentId: "a",
      body: PutBudgetBody.parse(body),
    });

  test("runs an execution within the budget that its agent had when it started", {
    tags: "nightly",
  }, async () => {
    await setBudget({ amount: 1, enforceLimit: true });
    await startExecution(world.deps, await buildStartRequest());
    const message = queued();
    await setBudget({ amount: 0.000_001, enforceLimit: true });
    requeue(message);
    await world.work();
    expect(await statuses()).toEqual(["Succeeded"]);
  });

  test("runs nothing once the records of a deleted agent are removed", {
    tags: "nightly",
  }, async () => {
    await startExecution(world.deps, await buildStartRequest());
    const message = queued();
    await remove();
    await purgeAgent();
    world.tenant.sent.splice(0, Infinity, message);
    await world.work();
    expect(asked).toEqual([]);
    expect(await statuses()).toEqual([]);
  });

  test("runs nothing of a deleted agent ten seconds after the start, although its records are there", {
    tags: "nightly",
  }, async () => {
    await startExecution(world.deps, await buildStartRequest());
    const message = queued();
    await remove();
    world.tenant.advance(10_001);
    world.tenant.sent.splice(0, Infinity, message);
    await world.work();
    expect(asked).toEqual([]);
  });

  test("does not run the flow of a deleted agent for a new agent with the same ID", {
    tags: "nightly",
  }, async () => {
    const request = await buildStartRequest();
    await startExecution(world.deps, request);
    const message = queued();
    await remove();
    await purgeAgent();
    world.tenant.advance(1_000);
    await world.deploy("a", asking("the new flow"));
    const { runner } = await buildStartRequest();
    await createExecutions(world.deps, [{ ...request, runner }]);
    world.tenant.sent.splice(0, Infinity, message);
    await world.work();
    expect(asked).toEqual(["the new flow"]);
  });
});
