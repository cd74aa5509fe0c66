import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { calls, textResult } from "../../../test/harness/flow.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import type { GenerateResult } from "../../engine/models/model.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { endApproval, listApprovals } from "../approvals/approval-store.ts";
import { endWait } from "./end-wait.ts";

describe("an execution that tries steps again, of which sub-agents wait for approvals", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: ReturnType<typeof testWaiting>;
  /** Number of the model's calls that fail, by a word of their prompts. */
  let failures: Record<string, number>;
  beforeEach(() => {
    failures = {};
    world = testWaiting(db, (prompt) => {
      const word = Object.keys(failures).find((name) => prompt.includes(name)) ?? "";
      const left = failures[word] ?? 0;
      if (left === 0) return prompt;
      failures[word] = left - 1;
      throw failure();
    });
  });

  const failure = () =>
    new UpstreamError("no", { upstream: "m", upstreamStatus: 503, responseExcerpt: "" });
  const retry = {
    maxAttempts: 2,
    backoffSeconds: 0,
    on: ["execution-failed", "upstream-failed"],
  };
  const approval = { id: "decide", type: "Approval", title: "May it?" };
  const named = { parametersMetadata: [{ name: "name", type: "String" }] };
  const list = () => Array.fromAsync(listApprovals(db, world.tenantId));
  const statuses = async () => (await list()).map(({ status }) => status);
  const decide = async (action = "approve") => {
    const [item] = (await list()).filter(({ status }) => status === "Pending");
    if (!item) throw new Error("no approval is pending");
    const decidedAt = world.tenant.ctx.clock();
    await endWait(world.deps, {
      tenantId: world.tenantId,
      root: item.root,
      executionId: item.executionId,
      path: item.path,
      answer: { action, fields: {}, comment: null, decidedBy: "ada", decidedAt },
      writes: [endApproval(world.tenantId, item, { status: "Decided", decidedAt })],
    });
    await world.deliver();
  };
  const forEach = (items: string[], inner: object = {}) => ({
    id: "each",
    type: "ForEach",
    items,
    step: { type: "SubAgent", agentId: "child", input: { name: "{% item %}" }, ...inner },
    retry,
  });
  const childStatuses = async () => (await world.statuses("child")).toSorted();

  test("asks once when a ForEach is tried again because of another item", async () => {
    failures = { bad: 1 };
    const which = {
      id: "which",
      type: "Condition",
      cases: [{ when: "input.name = 'good'", target: "decide" }],
      otherwise: "bad",
    };
    await world.deploy("child", buildFlow([which, approval, ask("bad")], [], named));
    await world.deploy("a", buildFlow([forEach(["good", "bad"])], []));
    const sent = await world.stream("a");
    const asked = await list();
    expect(asked.map(({ status }) => status)).toEqual(["Pending"]);
    expect(sent.at(-1)).toMatchObject({
      event: "execution.waiting",
      data: { approvals: [asked[0]?.id] },
    });
    await decide();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await statuses()).toEqual(["Decided"]);
    expect(await childStatuses()).toEqual(["Failed", "Succeeded", "Succeeded"]);
  });

  /** Asks its model about its name, and a person about the good one. */
  const deployAsking = async (): Promise<void> => {
    const first = { id: "first", type: "Prompt", prompt: "first {% input.name %}" };
    const which = {
      id: "which",
      type: "Condition",
      cases: [{ when: "input.name = 'good'", target: "decide" }],
      otherwise: "last",
    };
    const steps = [first, which, approval, ask("last")];
    await world.deploy("child", buildFlow(steps, ["first>which"], named));
  };

  test("asks once when the item that waits was tried again, too", { tags: "nightly" }, async () => {
    failures = { "first good": 1, "first bad": 2 };
    await deployAsking();
    await world.deploy("a", buildFlow([forEach(["good", "bad"], { retry })], []));
    await world.execute("a");
    expect(await statuses()).toEqual(["Pending"]);
    await decide();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await statuses()).toEqual(["Decided"]);
    expect(await childStatuses()).toEqual(["Failed", "Failed", "Failed", "Succeeded", "Succeeded"]);
  });

  test("asks once when only a later attempt has reached the item", {
    tags: "nightly",
  }, async () => {
    failures = { "first bad": 1 };
    await deployAsking();
    await world.deploy("a", buildFlow([forEach(["bad", "good"])], []));
    await world.execute("a");
    expect(await statuses()).toEqual(["Pending"]);
    await decide();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await statuses()).toEqual(["Decided"]);
    expect(await childStatuses()).toEqual(["Failed", "Succeeded", "Succeeded"]);
  });

  /** Calls an agent as a tool; `results`: what its model responds, of which null is a failure. */
  const callFrom = async (results: (GenerateResult | null)[]): Promise<void> => {
    const models = world.deps.modelsFor(world.tenantId);
    world.deps.modelsFor = () => ({
      resolve: async (id) => {
        const provider = await models.resolve(id);
        const generate = async () => {
          const result = results.shift();
          if (!result) throw failure();
          return result;
        };
        return provider && { ...provider, generate };
      },
    });
    await world.deploy("child", buildFlow([approval], [], named));
    const subAgents = [{ id: "child", agentId: "child" }];
    const prompt = { ...ask("go"), tools: ["child"], retry };
    await world.deploy("a", buildFlow([prompt], [], { subAgents }));
  };
  const call = (name: string) => calls(["child", { name }]);

  test("asks once when a Prompt is tried again after its tool has ended", {
    tags: "nightly",
  }, async () => {
    await callFrom([call("one"), null, call("one"), textResult("done")]);
    await world.execute("a");
    expect(await statuses()).toEqual(["Pending"]);
    await decide();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await statuses()).toEqual(["Decided"]);
    expect(await childStatuses()).toEqual(["Succeeded"]);
  });

  test("asks once when its tool was rejected before its Prompt is tried again", {
    tags: "nightly",
  }, async () => {
    await callFrom([call("one"), null, call("one"), textResult("done")]);
    await world.execute("a");
    await decide("reject");
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await statuses()).toEqual(["Decided"]);
    expect(await childStatuses()).toEqual(["Failed"]);
  });

  test("asks again when the sub-agent that failed is why its item is tried again", {
    tags: "nightly",
  }, async () => {
    await world.deploy("child", buildFlow([approval], [], named));
    await world.deploy("a", buildFlow([forEach(["one"])], []));
    await world.execute("a");
    await decide("reject");
    expect(await statuses()).toEqual(["Pending", "Decided"]);
    await decide();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });

  test("asks for a call with another input, and for a second one", {
    tags: "nightly",
  }, async () => {
    await callFrom([
      call("one"),
      null,
      calls(["child", { name: "one" }], ["child", { name: "one" }]),
      textResult("done"),
    ]);
    await world.execute("a");
    await decide();
    expect(await statuses()).toEqual(["Pending", "Decided"]);
    await decide();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    await callFrom([call("one"), null, call("two"), textResult("done")]);
    await world.execute("a");
    await decide();
    expect((await statuses()).toSorted()).toEqual(["Decided", "Decided", "Decided", "Pending"]);
  });
});
