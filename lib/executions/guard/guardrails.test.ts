import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { calls } from "../../../test/harness/flow.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { createGuardrail } from "../../agents/guardrail/create-guardrail.ts";
import { deleteGuardrail } from "../../agents/guardrail/delete-guardrail.ts";
import { CreateGuardrailBody } from "../../agents/guardrail/schemas.ts";
import { updateGuardrail } from "../../agents/guardrail/update-guardrail.ts";
import { forgetOwner } from "../../tenancy/tenant/find-owner.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { updateTenant } from "../../tenancy/tenant/update-tenant.ts";

const secret = "ada@example.com";
const asking = {
  parametersMetadata: [
    { name: "text", type: "String", required: true },
    { name: "token", type: "String", secret: true },
  ],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      { id: "ask", type: "Prompt", prompt: "{% input.text %}" },
      { id: "answer", type: "Output", value: { text: "{% steps.ask.output %}" } },
    ],
    edges: [{ source: "ask", target: "answer" }],
  },
};

describe("guardrails of an execution", () => {
  let db: TestDatabase;
  let respond: Respond;
  let world: ReturnType<typeof testExecutions>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(() => {
    respond = (prompt) => prompt;
    world = testExecutions(db, (...asked) => respond(...asked));
  });

  const create = (id: string, ...checks: readonly object[]) =>
    createGuardrail(
      { db },
      {
        ctx: world.tenant.ctx,
        body: CreateGuardrailBody.parse({
          id,
          displayName: id,
          checks: checks.map((check, at) => ({ id: `c${at}`, type: "Pii", ...check })),
        }),
      },
    );
  const deploy = (guardrails: readonly string[], content: object = asking) =>
    world.deploy("guarded", { ...content, guardrails });
  const run = (text: string, more: object = {}) =>
    world.executeToEnd("guarded", { input: { text, ...more } });
  const stored = async () => JSON.stringify([await db.scan(), world.tenant.sent]);
  const readTrace = async () => {
    const [latest] = await world.list("guarded");
    return (await world.read("guarded", latest?.id ?? "")).output;
  };

  test("a blocked input starts no execution, and is stored nowhere", {
    tags: "nightly",
  }, async () => {
    await create("privacy", { on: ["input"], action: "block" });
    await deploy(["privacy"]);
    await expect(run(secret)).rejects.toMatchObject({
      slug: "guardrail-blocked",
      message: 'The guardrail "privacy" blocked the input (check "c0").',
      members: { guardrail: "privacy", check: "c0" },
    });
    expect(await world.list("guarded")).toEqual([]);
    expect(await stored()).not.toContain(secret);
  });

  test("a masked input is masked in the record, the trace and what steps read; secret inputs are not checked", async () => {
    await create("privacy", { on: ["input"], action: "mask" });
    await deploy(["privacy"]);
    const token = `sk-${"a1".repeat(20)}`;
    const result = await run(`To ${secret}`, { token });
    expect(result.output).toEqual({ text: "To [Email]" });
    const { input, output } = await world.read("guarded", result.executionId);
    expect(input.input.input).toEqual({ text: "To [Email]", token: "********" });
    expect(output?.trace[0]).toMatchObject({
      type: "Guardrail",
      input: { on: "input" },
      output: { verdicts: [{ guardrail: "privacy", outcome: "masked", found: ["Email"] }] },
    });
    expect(await stored()).not.toContain(secret);
  });

  test("a blocked output fails the execution; no span, event or item has it", {
    tags: "nightly",
  }, async () => {
    respond = () => `It is ${secret}`;
    await create("privacy", { on: ["output"], action: "block" });
    await deploy(["privacy"]);
    const events = await world.stream("guarded", { input: { text: "hi" } });
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(events.at(-1)).toMatchObject({
      event: "execution.failed",
      data: { slug: "guardrail-blocked", members: { guardrail: "privacy", check: "c0" } },
    });
    const end = await readTrace();
    expect(end).toMatchObject({ output: null, error: { guardrail: "privacy", check: "c0" } });
    expect(end?.trace.at(-1)).toMatchObject({ type: "Guardrail", input: { on: "output" } });
    expect(JSON.stringify(end)).not.toContain(secret);
    expect(await world.counted("guarded")).toEqual({ executions: 1, modelTokens: 10 });
  });

  test("a masked output is masked in all spans, and the events that show it are left out", {
    tags: "nightly",
  }, async () => {
    respond = () => `It is ${secret}`;
    await create("privacy", { on: ["output"], action: "mask" });
    await deploy(["privacy"]);
    const events = await world.stream("guarded", { input: { text: "hi" } });
    expect(JSON.stringify(events)).not.toContain(secret);
    expect((await readTrace())?.output).toEqual({ text: "It is [Email]" });
    expect(JSON.stringify(await readTrace())).not.toContain(secret);
  });

  test("events are held back until an output has passed, and then sent in order", async () => {
    await create("privacy", { on: ["output"], action: "block" });
    await deploy(["privacy"]);
    const events = await world.stream("guarded", { input: { text: "hi" } });
    expect(events.map((event) => Object(event).event)).toEqual([
      "execution.started",
      "step.started",
      "step.completed",
      "step.started",
      "step.completed",
    ]);
  });

  test("the arguments and results of tools are checked; a blocked one ends the step, and an error edge follows", {
    tags: "nightly",
  }, async () => {
    respond = (_prompt, { messages }) =>
      messages.length > 1 ? "done" : calls(["json_query", { json: `"${secret}"`, query: "$" }]);
    const steps = [
      { id: "ask", type: "Prompt", prompt: "x", tools: ["json_query"] },
      { id: "bad", type: "Output", value: "{% steps.ask.error.slug %}" },
    ];
    const flow = { steps, edges: [{ source: "ask", target: "bad", on: "error" }] };
    await create("sent", { on: ["toolArguments"], action: "block" });
    await deploy(["sent"], { ...asking, flow });
    const result = await run("hi");
    expect(result.output).toBe("guardrail-blocked");
    expect(JSON.stringify(await readTrace())).not.toContain(secret);

    await create("returned", { on: ["toolResult"], action: "mask" });
    const parameters = { expression: "4111111111111110 + 1" };
    const tool = {
      id: "sum",
      type: "Tool",
      integrationId: "system",
      toolId: "calculate",
      parameters,
    };
    await deploy(["returned"], { ...asking, flow: { steps: [tool], edges: [] } });
    expect((await run("hi")).output).toBe("[Card]");
  });

  test("those of the tenant are applied to all agents, before those of the revision", {
    tags: "nightly",
  }, async () => {
    const { ctx } = world.tenant;
    const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
    const { tenant } = ctx;
    await putNewTenant(db, { ...tenant, slug: `t-${tenant.id}`, displayName: "Test", ...times });
    await create("floor", { on: ["input"], action: "block", kinds: ["Card"] });
    await create("own", { on: ["input"], action: "block" });
    await deploy(["own"]);
    await updateTenant({ db }, { ctx, body: { guardrails: ["floor"] } });
    const refused = run("4111111111111111");
    await expect(refused).rejects.toMatchObject({ members: { guardrail: "floor" } });
    await expect(deleteGuardrail({ db }, { ctx, guardrailId: "floor" })).rejects.toMatchObject({
      slug: "conflict",
    });
    const builder = { ...ctx, principal: { ...ctx.principal, scopes: ["agents:write" as const] } };
    const change = { guardrailId: "floor", body: { displayName: "Other" } };
    await expect(updateGuardrail({ db }, { ctx: builder, ...change })).rejects.toMatchObject({
      members: { requiredScope: "organization:write" },
    });
    await updateGuardrail({ db }, { ctx: builder, ...change, guardrailId: "own" });
    await updateTenant({ db }, { ctx, body: { guardrails: [] } });
    forgetOwner({ id: tenant.id, slug: `t-${tenant.id}` });
    await deleteGuardrail({ db }, { ctx, guardrailId: "floor" });
  });

  test("one that was deleted blocks", async () => {
    await create("privacy", { on: ["output"], action: "flag" });
    await deploy(["privacy"]);
    await deleteGuardrail({ db }, { ctx: world.tenant.ctx, guardrailId: "privacy" });
    await expect(run("hi")).rejects.toMatchObject({
      slug: "guardrail-blocked",
      message: 'There is no guardrail "privacy", which the revision or the tenant names.',
    });
  });

  test("sub-agents have their own; a blocked one fails the step that called it", async () => {
    await create("privacy", { on: ["output"], action: "block" });
    await deploy(["privacy"]);
    const flow = {
      steps: [{ id: "call", type: "SubAgent", agentId: "guarded", input: { text: secret } }],
      edges: [],
    };
    await world.deploy("outer", { flow });
    await expect(world.executeToEnd("outer")).rejects.toMatchObject({
      slug: "guardrail-blocked",
      members: { guardrail: "privacy" },
    });
  });
});
