import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { createGuardrail } from "../../agents/guardrail/create-guardrail.ts";
import { CreateGuardrailBody } from "../../agents/guardrail/schemas.ts";
import { listApprovals } from "../approvals/approval-store.ts";
import { readTrace } from "../read/read-execution.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";

const address = "ada@example.com";
const decide = {
  id: "decide",
  type: "Approval",
  title: "{% 'Pay ' & steps.find.output %}",
  message: "To {% steps.find.output %}",
  data: { to: "{% steps.find.output %}" },
};
const find = { id: "find", type: "Transform", value: `{% '${address}' & '' %}` };
const output = { id: "out", type: "Output", value: "{% steps.find.output %}" };

describe("an execution with guardrails", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: ReturnType<typeof testWaiting>;
  beforeEach(() => {
    world = testWaiting(db);
  });

  const guard = async (check: object, content: object) => {
    const checks = [{ id: "c", type: "Pii", ...check }];
    const body = CreateGuardrailBody.parse({ id: "privacy", displayName: "Privacy", checks });
    await createGuardrail({ db }, { ctx: world.tenant.ctx, body });
    await world.deploy("a", { ...content, guardrails: ["privacy"] });
  };
  const showTrace = async (executionId: string) => {
    const { tenantId } = world;
    const now = world.tenant.ctx.clock();
    return readTrace(world.deps, { tenantId, agentId: "a", executionId, now });
  };
  const paying = buildFlow(
    [find, decide, ask("after"), output],
    ["find>decide", "decide>after", "after>out"],
  );

  test.each(["mask", "block"])(
    "with the action %s shows no content of its steps while it waits, nor after it was cancelled",
    { tags: "nightly" },
    async (action) => {
      await guard({ on: ["output"], action }, paying);
      const { executionId } = (await world.execute("a")).execution;
      expect(await world.statuses("a")).toEqual(["Waiting"]);
      const waiting = await showTrace(executionId);
      expect(waiting.spans.map(({ stepId }) => stepId)).toContain("find");
      expect(JSON.stringify(waiting)).not.toContain(address);
      await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
      await world.deliver();
      const { output: end } = await world.read("a", executionId);
      expect(end?.trace).not.toEqual([]);
      expect(JSON.stringify([end, await showTrace(executionId)])).not.toContain(address);
    },
  );

  test("asks people with what its guardrails leave of the texts", { tags: "nightly" }, async () => {
    await guard({ on: ["output"], action: "mask" }, paying);
    await world.execute("a");
    const [approval] = await Array.fromAsync(listApprovals(db, world.tenantId));
    expect(approval).toMatchObject({
      title: "Pay [Email]",
      message: "To [Email]",
      data: { to: "[Email]" },
    });
    expect(JSON.stringify(world.tenant.sent)).not.toContain(address);
  });

  test("shows no part of a secret that a guardrail masks in part", async () => {
    const secret = `${address}:ATATT3xFfGF0abcdef`;
    const content = buildFlow([{ id: "say", type: "Prompt", prompt: "{% input.token %}" }], []);
    const parametersMetadata = [{ name: "token", type: "String", secret: true }];
    await guard({ on: ["output"], action: "mask" }, { ...content, parametersMetadata });
    const { executionId } = await world.executeToEnd("a", { input: { token: secret } });
    expect((await world.read("a", executionId)).item.status).toBe("Succeeded");
    expect(world.asked).toEqual([secret]);
    const { spans } = await showTrace(executionId);
    expect(spans).not.toEqual([]);
    expect(JSON.stringify(spans)).not.toContain("ATATT3xFfGF0abcdef");
  });
});
