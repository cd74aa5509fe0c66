import { beforeAll, describe, expect, test } from "vitest";
import { testProcessor } from "../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { gate } from "../../test/harness/timers.ts";
import { ask, buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import { getApproval, listApprovals } from "../executions/approvals/approval-store.ts";
import { offerAgent } from "./agent-offer.ts";
import { agentTasks } from "./agent-tasks.ts";
import type { Outcome, ReadTask } from "./offer.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const requireTask = (called: Outcome | ReadTask | undefined): ReadTask => {
  if (!called || "ok" in called) throw new Error("there is no task");
  return called;
};

/** Deploys an agent and calls it over MCP as a client that takes tasks. */
const open = (flow: object, respond?: () => Promise<string>) => {
  const world = testWaiting(db, respond);
  const { ctx } = world.tenant;
  const caller = {
    ...ctx,
    respondBy: ctx.clock() + 28_000,
    taskAfterMs: 20_000,
    waitUntil: () => {},
    processor: testProcessor(1_000),
  };
  const tasks = agentTasks(world.deps, { caller, findAgentIds: async () => ["pay"] });
  const offer = offerAgent(world.deps, { caller, agentId: "pay", refusal: undefined });
  const call = async () => {
    await world.deploy("pay", flow);
    return offer.call({}, { signal: new AbortController().signal, takesTasks: true });
  };
  const approval = async () => {
    const [item] = await Array.fromAsync(listApprovals(db, world.tenantId));
    if (!item) throw new Error("nothing is asked");
    return item;
  };
  return { world, tasks, call, approval };
};

const asking = (more: object = {}) =>
  buildFlow(
    [
      { id: "ask", type: "Approval", title: "Pay 7?", allowStarter: true, ...more },
      { id: "out", type: "Output", value: { chosen: "{% steps.ask.output %}" } },
    ],
    ["ask>out"],
  );

describe("a task of an agent", () => {
  test("is a form for a caller who may decide, and completes with the output after an accepted form", {
    tags: "nightly",
  }, async () => {
    const { world, tasks, call, approval } = open(
      asking({ fields: [{ name: "amount", type: "Integer", required: true }] }),
    );
    const created = requireTask(await call());
    const item = await approval();
    expect(created.state).toMatchObject({ status: "input_required" });
    expect(created.inputRequests).toEqual({
      [item.id]: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: expect.stringContaining("Pay 7?"),
          requestedSchema: {
            type: "object",
            properties: {
              amount: expect.objectContaining({ type: "integer" }),
              comment: expect.objectContaining({ type: "string" }),
            },
            required: ["amount"],
          },
        },
      },
    });
    const { taskId } = created.state;
    const responses = (content: object) => ({
      [item.id]: { action: "accept", content: { ...content } },
    });
    await expect(tasks.answer(taskId, responses({}))).rejects.toThrow(/amount/);
    await tasks.answer(taskId, responses({ amount: 7, comment: "ok", other: true }));
    await world.deliver();
    expect(await tasks.read(taskId)).toMatchObject({
      state: { status: "completed" },
      outcome: { ok: true, value: { chosen: { action: "approve", fields: { amount: 7 } } } },
    });
    expect(await getApproval(db, world.tenantId, item.id)).toMatchObject({ status: "Decided" });
  });

  test("asks for an action where an accepted form could mean several", async () => {
    const actions = ["approve", "later", "reject"].map((id) => ({ id, label: id }));
    const { tasks, call, approval } = open(asking({ actions }));
    const { state, inputRequests } = requireTask(await call());
    const { id } = await approval();
    expect(inputRequests?.[id]).toMatchObject({
      params: {
        requestedSchema: {
          properties: { action: { oneOf: actions.map(({ id }) => ({ const: id, title: id })) } },
          required: ["action"],
        },
      },
    });
    const accept = (content: object) =>
      tasks.answer(state.taskId, { [id]: { action: "accept", content } });
    await expect(accept({})).rejects.toThrow(/action/);
    await accept({ action: "later" });
    expect(await approval()).toMatchObject({ decisions: [{ action: "later" }] });
  });

  test("has an action where labels say what an accepted form would mean", async () => {
    const actions = [
      { id: "approve", label: "Keep the data" },
      { id: "reject", label: "Delete the data" },
    ];
    const { call, approval } = open(asking({ actions }));
    const { inputRequests } = requireTask(await call());
    const request = inputRequests?.[(await approval()).id];
    expect(request).toMatchObject({ params: { requestedSchema: { required: ["action"] } } });
  });

  test.each<[string, object]>([
    ["a field that a form cannot ask for", { fields: [{ name: "items", type: "Json" }] }],
    ["data that its message shortens", { data: { text: "x".repeat(600) } }],
  ])("with %s is an address, and a response to that decides nothing", async (_, more) => {
    const { tasks, call, approval } = open(asking(more));
    const { state, inputRequests } = requireTask(await call());
    const { id } = await approval();
    expect(inputRequests?.[id]).toMatchObject({ params: { mode: "url" } });
    for (const response of [{ action: "accept", content: {} }, { action: "decline" }]) {
      await tasks.answer(state.taskId, { [id]: response });
    }
    expect((await approval()).status).toBe("Pending");
  });

  test("takes the responses to all of its approvals, though one is refused", async () => {
    const fields = [{ name: "amount", type: "Integer", required: true }];
    const approvals = ["one", "two", "three"].map((id) => ({
      id,
      type: "Approval",
      title: id,
      allowStarter: true,
      fields,
    }));
    const { world, tasks, call } = open(buildFlow(approvals, []));
    const { state } = requireTask(await call());
    const items = await Array.fromAsync(listApprovals(db, world.tenantId));
    const responses = items.map(({ id, title }) => [
      id,
      { action: "accept", content: title === "two" ? {} : { amount: 1 } },
    ]);
    await expect(tasks.answer(state.taskId, Object.fromEntries(responses))).rejects.toThrow(
      /amount/,
    );
    const after = await Array.fromAsync(listApprovals(db, world.tenantId));
    expect(Object.fromEntries(after.map(({ title, status }) => [title, status]))).toEqual({
      one: "Decided",
      two: "Pending",
      three: "Decided",
    });
    // It is queued, and still asks for what is not decided.
    const read = await tasks.read(state.taskId);
    const pending = after.flatMap(({ id, title }) => (title === "two" ? id : []));
    expect(read).toMatchObject({ state: { status: "input_required" } });
    expect(Object.keys(read?.inputRequests ?? {})).toEqual(pending);
  });

  test("is rejected by a declined form; a dismissed one and other responses change nothing", async () => {
    const { world, tasks, call, approval } = open(asking());
    const { taskId } = requireTask(await call()).state;
    const { id } = await approval();
    await tasks.answer(taskId, {
      [id]: { action: "cancel", content: { action: "approve" } },
      other: { action: "accept" },
    });
    expect((await approval()).status).toBe("Pending");
    await tasks.answer(taskId, { [id]: { action: "decline" } });
    expect(await approval()).toMatchObject({
      status: "Decided",
      decisions: [{ action: "reject" }],
    });
    await tasks.answer(taskId, { [id]: { action: "accept", content: { action: "approve" } } });
    await world.deliver();
    expect(await tasks.read(taskId)).toMatchObject({ state: { status: "completed" } });
  });

  test("is the approval's address for a caller who may not decide, and their response is refused", async () => {
    const approvers = { users: ["ada@example.com"] };
    const { tasks, call, approval } = open(asking({ approvers }));
    const { state, inputRequests } = requireTask(await call());
    const { id } = await approval();
    expect(inputRequests?.[id]).toMatchObject({
      params: {
        mode: "url",
        elicitationId: id,
        url: expect.stringMatching(`/console/t/.*/approvals/${id}$`),
      },
    });
    const content = { action: "approve" };
    await expect(
      tasks.answer(state.taskId, { [id]: { action: "accept", content } }),
    ).rejects.toThrow(/approvers/);
    expect((await approval()).status).toBe("Pending");
  });

  test("is the approval's address where a form cannot ask for a field", async () => {
    const fields = [{ name: "items", type: "Json", jsonSchema: '{"type": "array"}' }];
    const { call, approval } = open(asking({ fields }));
    const { inputRequests } = requireTask(await call());
    expect(inputRequests?.[(await approval()).id]).toMatchObject({ params: { mode: "url" } });
  });

  test("begins when a call takes longer than it may, and completes with the output", {
    tags: "nightly",
  }, async () => {
    const slow = gate();
    const { world, tasks, call } = open(buildFlow([ask("one")], []), async () => {
      await slow.promise;
      return "done";
    });
    const calling = call();
    await expect.poll(() => world.asked).toHaveLength(1);
    world.timers.pass(20_000);
    const { state } = requireTask(await calling);
    expect(state).toMatchObject({ status: "working" });
    expect(await tasks.read(state.taskId)).toMatchObject({ state: { status: "working" } });
    slow.resolve();
    const readStatus = async () => {
      await world.deliver();
      return (await tasks.read(state.taskId))?.state.status;
    };
    await expect.poll(readStatus).toBe("completed");
    expect(await tasks.read(state.taskId)).toMatchObject({ outcome: { ok: true, value: "done" } });
  });

  test("that fails is completed with its problem", { tags: "nightly" }, async () => {
    const failing = [
      { id: "ask", type: "Approval", title: "Pay?", allowStarter: true },
      { id: "out", type: "Output", value: "{% $error('no') %}" },
    ];
    const { world, tasks, call, approval } = open(buildFlow(failing, ["ask>out"]));
    const { taskId } = requireTask(await call()).state;
    const content = { action: "approve" };
    await tasks.answer(taskId, { [(await approval()).id]: { action: "accept", content } });
    await world.deliver();
    expect(await tasks.read(taskId)).toMatchObject({
      state: { status: "completed" },
      outcome: { ok: false, detail: expect.stringContaining("no") },
    });
  });

  test("of an execution that ends in time is none: its outcome is the result", async () => {
    const { call } = open(buildFlow([{ id: "out", type: "Output", value: 42 }], []));
    expect(await call()).toMatchObject({ ok: true, value: 42 });
  });
});
