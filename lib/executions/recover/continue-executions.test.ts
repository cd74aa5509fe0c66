import { beforeAll, describe, expect, test } from "vitest";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { leaseMs } from "../lease/execution-lease.ts";
import { maxRunsPerMessage, RunExecutionMessage } from "../messages.ts";
import { createExecutions } from "../start/create-executions.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";

const asking = {
  parametersMetadata: [{ name: "text", type: "String" }],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [{ id: "ask", type: "Prompt", prompt: "{% input.text %}" }],
    edges: [],
  },
};

describe("a message with several executions", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  const queued = async (count: number, respond?: Respond) => {
    const world = testExecutions(db, respond);
    await world.deploy("a", asking);
    await world.deploy("b", asking);
    const requests = Array.from({ length: count }, (_, at) =>
      world.planStart(at % 2 === 0 ? "a" : "b", { text: `number ${at}` }),
    );
    const created = await createExecutions(world.deps, requests);
    await enqueueExecutions(
      world.deps.send,
      world.tenantId,
      created.flatMap((outcome) => ("item" in outcome ? [outcome.item] : [])),
    );
    const statuses = async () =>
      [...(await world.list("a")), ...(await world.list("b"))].map(({ status }) => status);
    return { world, requests, statuses };
  };

  test("has ten at most, which run once and are counted once", { tags: "nightly" }, async () => {
    const asked: string[] = [];
    const { world, statuses } = await queued(12, (prompt) => {
      asked.push(prompt);
      return prompt;
    });
    const messages = world.tenant.sent.map((sent) => RunExecutionMessage.parse(sent));
    expect(messages.map(({ runs }) => runs.length)).toEqual([maxRunsPerMessage, 2]);
    world.tenant.sent.push(...messages);
    await world.work();
    expect(await statuses()).toEqual(Array(12).fill("Succeeded"));
    expect(new Set(asked).size).toBe(12);
    expect(asked).toHaveLength(12);
    expect(await world.counted("a")).toEqual({ executions: 6, modelTokens: 60 });
  });

  test("runs the others when one cannot be ended, and its redelivery repeats none that has ended", async () => {
    let fails = true;
    const asked: string[] = [];
    const { world, statuses } = await queued(4, (prompt) => {
      asked.push(prompt);
      return prompt;
    });
    const [message] = world.tenant.sent;
    const deps: typeof world.deps = {
      ...world.deps,
      loadRevision: (tenantId, agent, revision) => {
        if (fails && agent.id === "b") throw new Error("it cannot be read");
        return world.deps.loadRevision(tenantId, agent, revision);
      },
    };
    await expect(world.work(deps)).rejects.toThrow("it cannot be read");
    expect((await world.list("a")).map(({ status }) => status)).toEqual(["Succeeded", "Succeeded"]);
    fails = false;
    world.tenant.advance(leaseMs + 1);
    world.tenant.sent.push(message);
    await world.work(deps);
    expect(await statuses()).toEqual(Array(4).fill("Succeeded"));
    expect(asked.toSorted()).toEqual(["number 0", "number 1", "number 2", "number 3"]);
  });

  test("is sent again one execution at a time after its worker was terminated", async () => {
    const { world } = await queued(3);
    world.tenant.sent.length = 0;
    world.tenant.advance(60_001);
    expect(await world.recover()).toBe(3);
    expect(world.tenant.sent.map((sent) => RunExecutionMessage.parse(sent).runs.length)).toEqual([
      1, 1, 1,
    ]);
  });
});
