import { beforeEach, describe, expect, test } from "vitest";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { RunExecutionMessage } from "../messages.ts";
import { batchSortKey, executionKey } from "../record/keys.ts";
import { continueExecutions } from "../recover/continue-executions.ts";
import { createExecutions } from "../start/create-executions.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";
import { maxClaims, maxExecutionMs } from "./execution-lease.ts";
import { listOpenExecutions } from "./list-open.ts";
import { minBatch } from "./queued-batch.ts";

const asking = {
  parametersMetadata: [{ name: "text", type: "String" }],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: "{% input.text %}" }], edges: [] },
};
const pausing = {
  parametersMetadata: [{ name: "text", type: "String" }],
  flow: { steps: [{ id: "pause", type: "Wait", seconds: 86_400 }], edges: [] },
};

describe("a batch of queued executions", () => {
  let db: TestDatabase;

  beforeEach(async () => {
    db = await testDatabase();
  });

  const queue = async (
    count: number,
    revision: object,
    { respond, beforeStart }: { respond?: Respond; beforeStart?: () => void } = {},
  ) => {
    const world = testExecutions(db, respond);
    await world.deploy("a", revision);
    const requests = Array.from({ length: count }, (_, at) =>
      world.planStart("a", { text: `number ${at}` }),
    );
    beforeStart?.();
    const created = await createExecutions(world.deps, requests);
    db.clearFailures();
    const queued = created.flatMap((outcome) => ("queued" in outcome ? [outcome.queued] : []));
    await enqueueExecutions(world.deps.send, world.tenantId, queued);
    const own = async () =>
      (await db.scan()).filter(({ pk }) => String(pk).startsWith(`TENANT#${world.tenantId}#`));
    return {
      world,
      requests,
      ids: requests.map(({ id }) => id),
      countBatches: async () => (await own()).filter(({ sk }) => sk === batchSortKey).length,
      /** Executions with an entry of their own in the index. */
      countEntries: async () =>
        (await own()).filter(
          ({ sk, gsi1pk }) => gsi1pk !== undefined && String(sk).startsWith("EXEC#"),
        ).length,
      listOpen: async () => {
        const ids: string[] = [];
        for await (const { item } of listOpenExecutions(db)) {
          if (item.tenantId === world.tenantId) ids.push(item.id);
        }
        return ids.toSorted();
      },
    };
  };

  test("has their only entry in the index, and is removed when they have ended", async () => {
    const { world, ids, countBatches, countEntries, listOpen } = await queue(10, asking);
    expect(await countBatches()).toBe(1);
    expect(await countEntries()).toBe(0);
    expect(await listOpen()).toEqual(ids.toSorted());
    await world.work();
    expect(await listOpen()).toEqual([]);
    expect(await countBatches()).toBe(0);
  });

  test("is not made for fewer executions than it is worth", async () => {
    const { countBatches, countEntries } = await queue(minBatch - 1, asking);
    expect(await countBatches()).toBe(0);
    expect(await countEntries()).toBe(minBatch - 1);
  });

  test("has one message with all of its executions, however many are queued together", async () => {
    const { world, countBatches } = await queue(14, asking);
    const messages = world.tenant.sent.map((sent) => RunExecutionMessage.parse(sent));
    expect(messages.map(({ runs }) => runs.length)).toEqual([10, 4]);
    expect(new Set(messages.map(({ batchId }) => batchId)).size).toBe(2);
    expect(await countBatches()).toBe(2);
  });

  test("is how recovery finds them when their message was lost, and then has nothing left", async () => {
    const { world, ids, countBatches, listOpen } = await queue(4, asking);
    world.tenant.sent.length = 0;
    expect(await world.recover()).toBe(0);
    world.tenant.advance(60_001);
    expect(await world.recover()).toBe(4);
    expect(await listOpen()).toEqual(ids.toSorted());
    await world.work();
    expect((await world.list("a")).map(({ status }) => status)).toEqual(Array(4).fill("Succeeded"));
    await world.recover();
    // A function that began to write it may still write its executions.
    expect(await countBatches()).toBe(1);
    world.tenant.advance(maxExecutionMs);
    expect(await world.recover()).toBe(0);
    expect(await countBatches()).toBe(0);
  });

  test("is how recovery finds them when their writes failed, although they may exist", async () => {
    const beforeStart = () => db.loseNextResponse("BatchExecuteStatement");
    const { world, ids, countBatches } = await queue(3, asking, { beforeStart });
    expect(world.tenant.sent).toEqual([]);
    world.tenant.advance(60_001);
    expect(await world.recover()).toBe(3);
    await world.work();
    const records = await world.list("a");
    expect(records.map(({ id, status }) => [id, status]).toSorted()).toEqual(
      ids.map((id) => [id, "Succeeded"]).toSorted(),
    );
    world.tenant.advance(maxExecutionMs);
    await world.recover();
    expect(await countBatches()).toBe(0);
  });

  test("is not removed with the others while the write of one has failed", async () => {
    const beforeStart = () => db.spoilNext(1);
    const { world, countBatches } = await queue(4, asking, { beforeStart });
    const [message] = world.tenant.sent.map((sent) => RunExecutionMessage.parse(sent));
    expect([message?.runs.length, message?.batchId]).toEqual([3, undefined]);
    await world.work();
    expect(await countBatches()).toBe(1);
  });

  test("is not removed by a message without those that another start has written", async () => {
    const { world, requests, countBatches } = await queue(3, asking);
    const another = world.planStart("a", { text: "another" });
    const created = await createExecutions(world.deps, [...requests, another]);
    const [queued] = created.flatMap((one) => ("queued" in one && one.isNew ? [one.queued] : []));
    expect(queued).toMatchObject({ id: another.id });
    expect(queued).not.toHaveProperty("batchId");
    await world.work();
    expect(await countBatches()).toBe(1);
  });

  test("is not removed by a worker that could not abandon one of them", async () => {
    const taken = Promise.withResolvers<void>();
    // The others end after it: the first transaction is that of its end.
    const respond = () => taken.promise.then(() => "done");
    const { world, ids, countBatches, listOpen } = await queue(3, asking, { respond });
    const [message] = world.tenant.sent.splice(0);
    const key = executionKey({ tenantId: world.tenantId, agentId: "a", executionId: ids[0] ?? "" });
    await updateItem(db, {
      Key: key,
      UpdateExpression: "SET claims = :claims",
      ExpressionAttributeValues: { ":claims": maxClaims },
    });
    // Another worker takes it over before this one writes its end.
    db.beforeNext("TransactWriteItems", async () => {
      await updateItem(db, {
        Key: key,
        UpdateExpression: "SET #owner = :owner",
        ExpressionAttributeNames: { "#owner": "owner" },
        ExpressionAttributeValues: { ":owner": "another" },
      });
      taken.resolve();
    });
    world.tenant.sent.push(message);
    await world.work();
    expect(await listOpen()).toEqual([ids[0]]);
    expect(await countBatches()).toBe(1);
  });

  test("fails all of its starts when it cannot be written, before any of them is", async () => {
    const beforeStart = () => db.failNext("PutItem");
    const { world, countBatches, countEntries } = await queue(3, asking, { beforeStart });
    expect([world.tenant.sent, await world.list("a")]).toEqual([[], []]);
    expect([await countBatches(), await countEntries()]).toEqual([0, 0]);
  });

  test("is removed by another delivery of its message, when a crash has left it after their ends", async () => {
    const { world, countBatches } = await queue(3, asking);
    const [message] = world.tenant.sent;
    db.failNext("DeleteItem");
    await expect(world.work()).rejects.toThrow("planned failure");
    expect(await countBatches()).toBe(1);
    world.tenant.sent.push(message);
    await world.work();
    expect(await countBatches()).toBe(0);
  });

  test("stays while another delivery of its message runs one of them", async () => {
    const [held, reached] = [gate(), gate()];
    const respond: Respond = async (prompt) => {
      if (prompt !== "number 1") return prompt;
      reached.resolve();
      await held.promise;
      return prompt;
    };
    const { world, ids, countBatches, listOpen } = await queue(3, asking, { respond });
    const [message] = world.tenant.sent;
    const first = world.work();
    await reached.promise;
    world.tenant.sent.push(message);
    await world.work();
    expect(await countBatches()).toBe(1);
    expect(await listOpen()).toContain(ids[1]);
    held.resolve();
    await first;
    expect(await listOpen()).toEqual([]);
    expect(await countBatches()).toBe(0);
  });

  test("is left by executions that wait, which have entries of their own", async () => {
    const { world, countBatches, countEntries } = await queue(3, pausing);
    const message = RunExecutionMessage.parse(world.tenant.sent.shift());
    await continueExecutions(world.deps, { message, deadline: Number.MAX_SAFE_INTEGER });
    expect((await world.list("a")).map(({ status }) => status)).toEqual(Array(3).fill("Waiting"));
    expect(await countEntries()).toBe(3);
    world.tenant.advance(maxExecutionMs + 60_000);
    await world.recover();
    expect(await countBatches()).toBe(0);
    world.tenant.sent.length = 0;
    world.tenant.advance(2 * 86_400_000);
    expect(await world.recover()).toBe(3);
  });
});
