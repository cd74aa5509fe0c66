import { beforeAll, describe, expect, test } from "vitest";
import { testProcessor } from "../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { gate } from "../../test/harness/timers.ts";
import { ask, buildFlow, passUntilEnd, testWaiting } from "../../test/harness/waiting.ts";
import { listApprovals } from "../executions/approvals/approval-store.ts";
import { offerAgent } from "./agent-offer.ts";
import { type AgentTasks, agentTasks } from "./agent-tasks.ts";
import { type ClientStream, listenToTasks } from "./listen-to-tasks.ts";
import { tasksExtension } from "./task-methods.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const approval = (id: string) => ({ id, type: "Approval", title: id, allowStarter: true });
const asking = buildFlow(
  [approval("one"), approval("two"), { id: "out", type: "Output", value: { done: true } }],
  ["one>two", "two>out"],
);
const pausing = buildFlow([{ id: "pause", type: "Wait", seconds: 86_400 }], []);

/** A wait, and then an approval next to a step that calls a model. */
const branching = buildFlow(
  [{ id: "pause", type: "Wait", seconds: 60 }, approval("one"), ask("slow")],
  ["pause>one", "pause>slow"],
);

const unknown = "0193f0a0-7c4b-7000-8000-000000000000";
/** The library's messages of a subscription to nothing. */
const accepted = [
  { method: "notifications/subscriptions/acknowledged", params: { notifications: {} } },
  { id: 7, result: { resultType: "complete" } },
];
const ended = { status: 200, body: accepted[1] };

/** Starts an agent as a task, and opens a stream of the client that started it. */
const open = async (flow: object, respond?: (prompt: string) => Promise<string>) => {
  const world = testWaiting(db, respond);
  const { ctx } = world.tenant;
  const { clock } = ctx;
  const caller = {
    ...ctx,
    respondBy: clock() + 28_000,
    taskAfterMs: 20_000,
    waitUntil: () => {},
    processor: testProcessor(1_000),
  };
  await world.deploy("pay", flow);
  const tasks = agentTasks(world.deps, { caller, findAgentIds: async () => ["pay"] });
  const offer = offerAgent(world.deps, { caller, agentId: "pay", refusal: undefined });
  const signal = new AbortController().signal;
  const called = await offer.call({}, { signal, takesTasks: true });
  if ("ok" in called) throw new Error("there is no task");
  const { taskId } = called.state;
  const sent: object[] = [];
  const slots = { free: 1 };
  const stream: ClientStream = {
    send: (message) => void sent.push(message),
    drain: async () => true,
    hasLeft: () => false,
    deadline: clock() + 150_000,
    takeSlot: async () => {
      if (slots.free === 0) return undefined;
      slots.free -= 1;
      const release = async () => {
        slots.free += 1;
      };
      return { release };
    },
  };
  const listen = async (
    taskIds: unknown,
    more: { stream?: ClientStream | undefined; capabilities?: object; tasks?: AgentTasks } = {},
  ) => {
    const { capabilities = { extensions: { [tasksExtension]: {} } } } = more;
    const _meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
    const body = { id: 7, params: { _meta, notifications: { taskIds } } };
    const sdk = await import("@modelcontextprotocol/server");
    const toResult = (outcome: object) => ({ ...outcome });
    return listenToTasks(sdk, { body, accepted }, { tasks, stream, toResult, clock, ...more });
  };
  /** Lets the time pass until the condition holds. */
  const passUntil = (isReached: () => boolean) =>
    expect
      .poll(() => {
        world.timers.pass(2_000);
        return isReached();
      })
      .toBe(true);
  const approve = async (title: string) => {
    const items = await Array.fromAsync(listApprovals(db, world.tenantId));
    const item = items.find((found) => found.title === title);
    if (!item) throw new Error(`${title} is not asked`);
    await tasks.answer(taskId, { [item.id]: { action: "accept", content: {} } });
    await world.deliver();
    return item.id;
  };
  return { world, tasks, taskId, stream, slots, sent, listen, passUntil, approve };
};

/** Returns what notifications of a task have besides its times. */
const notified = (params: object) => ({
  jsonrpc: "2.0",
  method: "notifications/tasks",
  params: expect.objectContaining({
    ...params,
    _meta: { "io.modelcontextprotocol/subscriptionId": 7 },
  }),
});

describe("a subscription to tasks", () => {
  test("has the task as it is, all that it asks although the runs between are short, and its result; then it ends", async () => {
    const { taskId, slots, sent, listen, passUntil, approve } = await open(asking);
    const listening = listen([taskId, unknown]);
    await expect.poll(() => sent).toHaveLength(2);
    expect(slots.free).toBe(0);
    const one = await approve("one");
    await passUntil(() => sent.length === 3);
    const two = await approve("two");
    await passUntil(() => sent.length === 4);
    expect(await listening).toEqual(ended);
    expect(slots.free).toBe(1);
    const asks = (id: string) => ({
      taskId,
      status: "input_required",
      inputRequests: { [id]: expect.objectContaining({ method: "elicitation/create" }) },
    });
    expect(sent).toEqual([
      { ...accepted[0], params: { notifications: { taskIds: [taskId] } } },
      notified(asks(one)),
      notified(asks(two)),
      notified({
        taskId,
        status: "completed",
        result: expect.objectContaining({ ok: true, value: { done: true } }),
      }),
    ]);
  });

  test("has what a branch of the flow asks while another one still runs, once", async () => {
    const model = gate();
    const respond = async (prompt: string) => {
      await model.promise;
      return prompt;
    };
    const { world, taskId, sent, listen, passUntil, approve } = await open(branching, respond);
    const listening = listen([taskId]);
    await expect.poll(() => sent).toHaveLength(2);
    const running = world.dueAfter(60_000);
    await expect.poll(() => world.asked).toEqual(["asked slow"]);
    await passUntil(() => JSON.stringify(sent.at(-1)).includes("elicitation/create"));
    expect(await world.statuses("pay")).toEqual(["Running"]);
    const asked = sent.length;
    const before = db.calls.length;
    await passUntil(() => db.calls.length > before + 10);
    expect(sent).toHaveLength(asked);
    model.resolve();
    await running;
    const id = await approve("one");
    await passUntil(() => JSON.stringify(sent.at(-1)).includes('"completed"'));
    expect(await listening).toEqual(ended);
    const asks = { [id]: expect.objectContaining({ method: "elicitation/create" }) };
    expect(sent[asked - 1]).toEqual(
      notified({ taskId, status: "input_required", inputRequests: asks }),
    );
  });

  test("has what tasks/get returns", async () => {
    const { tasks, taskId, sent, listen } = await open(pausing);
    const read = await tasks.read(taskId);
    await tasks.cancel(taskId);
    const cancelled = await tasks.read(taskId);
    expect(cancelled).not.toEqual(read);
    await listen([taskId]);
    expect(sent.slice(1)).toEqual([notified({ ...cancelled?.state })]);
  });

  test.each([
    ["after two minutes", 150_000, 120_000],
    ["five seconds before the end of its function", 60_000, 55_000],
  ])(
    "ends %s with a task that continues, and reads it at most every two seconds",
    async (_, timeoutMs, lastsMs) => {
      const { world, stream, taskId, sent, listen } = await open(pausing);
      const { clock } = world.tenant.ctx;
      const before = db.calls.length;
      const deadline = clock() + timeoutMs;
      const listening = listen([taskId], { stream: { ...stream, deadline } });
      const { result, lastedMs } = await passUntilEnd(world, listening, lastsMs);
      expect(lastedMs).toBeLessThan(lastsMs + 20_000);
      expect(result).toEqual(ended);
      expect(db.calls.length - before).toBeLessThan(lastsMs / 2_000 + 25);
      expect(sent).toHaveLength(2);
    },
  );

  test("of a client that has left ends, and sends nothing more", async () => {
    const { stream, taskId, slots, sent, listen, passUntil, approve } = await open(asking);
    let hasLeft = false;
    const listening = listen([taskId], { stream: { ...stream, hasLeft: () => hasLeft } });
    await expect.poll(() => sent).toHaveLength(2);
    hasLeft = true;
    await approve("one");
    await passUntil(() => slots.free === 1);
    await listening;
    expect(sent).toHaveLength(2);
  });

  test("to none that exists for the caller is acknowledged without tasks, and ends", async () => {
    const { sent, slots, listen } = await open(pausing);
    slots.free = 0;
    for (const taskIds of [undefined, [], [unknown], ["a task"]]) {
      expect(await listen(taskIds)).toEqual(ended);
      expect(sent.splice(0)).toEqual([accepted[0]]);
    }
  });

  test("takes a slot for streams while a task continues: without a free one it is refused with 429", async () => {
    const { tasks, taskId, slots, sent, listen } = await open(pausing);
    slots.free = 0;
    await expect(listen([taskId])).rejects.toMatchObject({ slug: "rate-limit-exceeded" });
    expect(sent).toEqual([]);
    await tasks.cancel(taskId);
    expect(await listen([taskId])).toEqual(ended);
  });

  test("is refused to a client that does not take tasks, or takes no stream, and with too many ids", async () => {
    const { taskId, sent, listen } = await open(pausing);
    const refused = (code: number, more: object = {}) =>
      expect.objectContaining({ id: 7, error: expect.objectContaining({ code, ...more }) });
    const extensions = { [tasksExtension]: {} };
    expect(await listen([taskId], { capabilities: {} })).toEqual({
      status: 400,
      body: refused(-32_021, { data: { requiredCapabilities: { extensions } } }),
    });
    expect(await listen([taskId], { stream: undefined })).toEqual({
      status: 406,
      body: refused(-32_000),
    });
    for (const taskIds of [taskId, [7], ["x".repeat(201)], Array.from({ length: 21 }, String)]) {
      expect(await listen(taskIds)).toEqual({ status: 200, body: refused(-32_602) });
    }
    expect(sent).toEqual([]);
  });

  test("reads the results of tasks that have ended one after another", async () => {
    const { tasks, taskId, sent, listen } = await open(pausing);
    const state = (await tasks.read(taskId))?.state;
    if (!state) throw new Error("there is no task");
    const reading = { now: 0, most: 0 };
    const readStates = async function* () {
      reading.now += 1;
      reading.most = Math.max(reading.most, reading.now);
      await Promise.resolve();
      yield { state };
      reading.now -= 1;
    };
    const watch = async () => ({ isOver: true, states: readStates() });
    expect(await listen(["one", "two", "three"], { tasks: { ...tasks, watch } })).toEqual(ended);
    expect(sent).toHaveLength(4);
    expect(reading).toMatchObject({ now: 0, most: 1 });
  });

  /** Subscribes to a task with several states, by a client that reads as `drain` says. */
  const listenSlowly = async (drain: ClientStream["drain"]) => {
    const opened = await open(pausing);
    const { tasks, taskId, stream, listen } = opened;
    const state = (await tasks.read(taskId))?.state;
    if (!state) throw new Error("there is no task");
    const states = async function* () {
      for (let left = 5; left > 0; left -= 1) yield { state };
    };
    const watch = async () => ({ isOver: false, states: states() });
    const listening = listen(["one"], {
      stream: { ...stream, drain },
      tasks: { ...tasks, watch },
    });
    return { ...opened, listening };
  };

  test("reads and sends the next state of a task once its client has read the last one", async () => {
    const read = gate();
    const drain = async () => {
      await read.promise;
      return true;
    };
    const { sent, listening } = await listenSlowly(drain);
    await expect.poll(() => sent).toHaveLength(2);
    read.resolve();
    expect(await listening).toEqual(ended);
    expect(sent).toHaveLength(6);
  });

  test("of a client that has not read a state at the end sends no other, and ends", async () => {
    let reads = 0;
    const drain = async () => {
      reads += 1;
      return reads < 2;
    };
    const { slots, sent, listening } = await listenSlowly(drain);
    expect(await listening).toEqual(ended);
    expect(sent).toHaveLength(3);
    expect(slots.free).toBe(1);
  });

  test("ends with an internal error when the storage fails", async () => {
    const { taskId, slots, sent, listen, passUntil } = await open(pausing);
    const listening = listen([taskId]);
    await expect.poll(() => sent).toHaveLength(2);
    db.failNext("BatchGetItem");
    await passUntil(() => slots.free === 1);
    expect(await listening).toEqual({
      status: 200,
      body: expect.objectContaining({ id: 7, error: expect.objectContaining({ code: -32_603 }) }),
    });
  });
});
