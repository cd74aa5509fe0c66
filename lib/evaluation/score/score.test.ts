import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { testExecutions } from "../../../test/harness/execution.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { executionKey, toExecutionKey } from "../../executions/record/keys.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { measureScore, type ScoreValue } from "../../executions/scores.ts";
import { transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { reportUsage } from "../../spending/usage/report-usage.ts";
import { countScores, toChange } from "../../spending/usage/score-counter.ts";
import { createScore } from "./create-score.ts";
import { listScores } from "./list-scores.ts";
import { deleteScore } from "./put-score.ts";

const templateRevision = {
  flow: { steps: [{ id: "answer", type: "Output", value: "Hello" }], edges: [] },
};

describe("a score of an execution", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testExecutions>;
  let executionId: string;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    world = testExecutions(db);
    await world.deploy("hello", templateRevision);
    ({ executionId } = await world.executeToEnd("hello"));
  });

  const of = (id = executionId) => ({
    tenantId: world.tenantId,
    agentId: "hello",
    executionId: id,
  });
  type Sent = { id?: string; name?: string; value?: ScoreValue; comment?: string };
  const score = ({ name = "helpful", value = true, ...sent }: Sent, id = executionId) =>
    createScore(
      { db },
      { ctx: world.tenant.ctx, agentId: "hello", executionId: id, body: { name, value, ...sent } },
    );
  const list = async (id = executionId, page = { size: 200, skip: 0 }) =>
    listScores(db, { ...of(id), now: world.tenant.ctx.clock() }, page);
  /** Gives the execution's record this many scores. */
  const fill = async (count: number, comment = "") => {
    const { item } = await world.read("hello", executionId);
    const stored = { name: "helpful", value: "1", createdAt: 0, ...(comment && { comment }) };
    const scores = Array.from({ length: count }, (_, at) => [`score-${at}`, stored] as const);
    await updateItem(db, {
      Key: executionKey(toExecutionKey(item)),
      UpdateExpression: "SET scores = :scores, scoreBytes = :bytes",
      ExpressionAttributeValues: {
        ":scores": Object.fromEntries(scores),
        ":bytes": scores.reduce((sum, [id, score]) => sum + measureScore(id, score), 0),
      },
    });
  };
  const counted = async () => {
    const days = { from: "2026-11-20", to: "2026-11-20" };
    const { items } = await reportUsage(db, world.tenantId, { ...days, groupBy: "score" });
    return items.map(({ key, executionCount, meanScore }) => [key, executionCount, meanScore]);
  };

  test("costs one read and one transaction, and is counted by its name on the day of the execution", {
    tags: "nightly",
  }, async () => {
    world.tenant.advance(3 * 24 * 3_600_000);
    db.calls.length = 0;
    await score({ value: 1 });
    expect(db.calls).toEqual(["BatchGetItem", "TransactWriteItems"]);
    await score({ value: false });
    await score({ name: "topic", value: "billing" });
    expect(await counted()).toEqual([
      ["helpful", 2, 0.5],
      ["topic", 1, null],
    ]);
  });

  test("replaces one with the same id; a replaced or deleted one no longer counts", {
    tags: "nightly",
  }, async () => {
    await score({ id: "review", value: 0.1 });
    await score({ id: "review", name: "correct", value: 0.7, comment: "better" });
    await score({ id: "review", name: "correct", value: 0.3 });
    await score({ id: "constructor", value: 5 });
    expect((await list()).items).toMatchObject([
      { id: "constructor", value: 5 },
      { id: "review", name: "correct", value: 0.3, comment: null, source: "Api" },
    ]);
    expect(await counted()).toEqual([
      ["correct", 1, 0.3],
      ["helpful", 1, 5],
    ]);
    await deleteScore(db, of(), "review");
    await expect(deleteScore(db, of(), "review")).rejects.toMatchObject({ slug: "not-found" });
    await expect(deleteScore(db, of(), "toString")).rejects.toMatchObject({ slug: "not-found" });
    expect(await counted()).toEqual([["helpful", 1, 5]]);
  });

  test("is kept by the end of its execution, and by a cancel, at the same time", {
    tags: "nightly",
  }, async () => {
    const ids = Array.from({ length: 8 }, (_, at) => `score-${at}`);
    const scoreAll = (of: string) => Promise.all(ids.map((id) => score({ id }, of)));
    const ending = await world.accept("hello");
    await Promise.all([world.work(), scoreAll(ending.executionId)]);
    const cancelled = await world.accept("hello");
    await Promise.all([
      cancelExecution(world.deps, {
        tenantId: world.tenantId,
        agentId: "hello",
        executionId: cancelled.executionId,
      }),
      scoreAll(cancelled.executionId),
    ]);
    await world.work();
    expect((await world.read("hello", ending.executionId)).item.status).toBe("Succeeded");
    expect((await world.read("hello", cancelled.executionId)).item).toMatchObject({
      status: "Cancelled",
      settled: true,
    });
    for (const execution of [ending, cancelled]) {
      const { items } = await list(execution.executionId);
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids);
    }
    expect(await counted()).toEqual([["helpful", 16, 1]]);
  });

  test("does not bring back an execution that is purged at the same time", {
    tags: "nightly",
  }, async () => {
    const { tenantId, tenant } = world;
    const scoring = Array.from({ length: 5 }, () => score({}).catch(() => undefined));
    await deleteAgent(tenant.deps, { tenantId, agentId: "hello" });
    const message = { type: "purge-agent", tenantId, agentId: "hello" } as const;
    const until = Number.MAX_SAFE_INTEGER;
    const purging = purge(message, { ...tenant.deps, clock: tenant.ctx.clock, until });
    await Promise.all([...scoring, purging, score({}).catch(() => undefined)]);
    await expect(score({})).rejects.toMatchObject({ slug: "not-found" });
    const left = (await db.scan()).filter(({ pk }) => `${pk}`.includes(`${tenantId}#AGENT`));
    expect(left).toEqual([]);
  });

  test("is refused with 409 beyond 100, or 24 KiB together, where another can still be replaced", {
    tags: "nightly",
  }, async () => {
    const full = { slug: "conflict", message: expect.stringContaining("at most 100 scores") };
    const comment = "é".repeat(1_000);
    await fill(11, comment);
    await expect(score({ comment })).rejects.toMatchObject(full);
    await score({ id: "score-10", comment: "short" });
    await score({ comment });
    await fill(100);
    await expect(score({})).rejects.toMatchObject(full);
    await score({ id: "score-0", value: 7 });
    const [first, second] = [await list(), await list(executionId, { size: 60, skip: 60 })];
    expect([first.items.length, second.items.length, second.nextPageToken]).toEqual([
      100,
      40,
      null,
    ]);
  });

  test("has its own counter among 50 names of a day, and a shared one beyond", {
    tags: "nightly",
  }, async () => {
    const { item } = await world.read("hello", executionId);
    const names = Array.from({ length: 50 }, (_, at) => toChange(`n-${at}`, at, 1));
    const counter = countScores(world.tenantId, item, names);
    await transact(db, counter ? [counter] : []);
    for (const at of [50, 51]) await score({ id: `s-${at}`, name: `n-${at}`, value: at });
    const other = async () => (await counted()).filter(([key]) => `${key}`.startsWith("("));
    expect(await other()).toEqual([["(others)", 2, 50.5]]);
    await score({ id: "s-51", name: "n-1", value: 3 });
    await deleteScore(db, of(), "s-50");
    expect(await other()).toEqual([]);
    expect(await counted()).toContainEqual(["n-1", 2, 2]);
  });
});
