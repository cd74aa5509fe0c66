import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import { handleRpc } from "./handle-rpc.ts";
import type { MessageContext } from "./run-message.ts";
import type { SendMessageRequest, StreamResponse } from "./schemas.ts";
import { sendMessage } from "./send-message.ts";
import { streamMessage } from "./stream-message.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

type World = ReturnType<typeof testWaiting>;
type Decision = { ctx: MessageContext; request: SendMessageRequest; sent: StreamResponse[] };

const ways: [string, (world: World, decision: Decision) => Promise<unknown>][] = [
  [
    "message:send",
    ({ deps }, { ctx, request }) => sendMessage(deps, { ctx, agentId: "pay", request }),
  ],
  [
    "message:stream",
    ({ deps }, { ctx, request, sent }) => {
      const sink = { send: (event: StreamResponse) => void sent.push(event), hasLeft: () => false };
      return streamMessage(deps, { ctx, agentId: "pay", request, sink });
    },
  ],
  ...["SendMessage", "SendStreamingMessage"].map(
    (method): [string, (world: World, decision: Decision) => Promise<unknown>] => [
      `${method} by JSON-RPC`,
      ({ deps }, { ctx, request }) => {
        const body = { jsonrpc: "2.0" as const, id: 1, method, params: { ...request } };
        return handleRpc(deps, { ctx, agentId: "pay", body });
      },
    ],
  ),
];

/** Starts a task that waits for the decision of its starter; returns the message that approves it. */
const start = async () => {
  const world = testWaiting(db);
  const { ctx } = world.tenant;
  const approvers = { users: ["admin"] };
  const approval = { id: "ask", type: "Approval", title: "Pay?", approvers, allowStarter: true };
  await world.deploy("pay", buildFlow([approval], []));
  const { executionId: taskId } = (await world.execute("pay")).execution;
  const message = {
    messageId: "m",
    taskId,
    role: "ROLE_USER" as const,
    parts: [{ text: "approve" }],
  };
  const limits = { respondBy: ctx.clock() + 28_000 };
  const background = { ...limits, events: undefined, waitUntil: () => undefined };
  return { world, ctx: { ...ctx, ...background }, request: { message } };
};

describe.each(ways)("a decision by %s", (_, decide) => {
  test("keeps a slot of its tenant while it waits for the end of the task", async () => {
    const { world, ctx, request } = await start();
    const slots: string[] = [];
    const takeSlot = async () => {
      slots.push("taken");
      return { release: async () => void slots.push("released") };
    };
    const decided = decide(world, { ctx: { ...ctx, takeSlot }, request, sent: [] });
    await expect.poll(() => world.timers.waiting(), { interval: 1 }).toBeGreaterThan(0);
    expect(slots).toEqual(["taken"]);
    await world.deliver();
    world.timers.pass(200);
    expect(JSON.stringify(await decided)).toContain("TASK_STATE_COMPLETED");
    expect(slots).toEqual(["taken", "released"]);
  });

  test("counts, and returns the task as it is, when all slots are taken", async () => {
    const { world, ctx, request } = await start();
    const sent: StreamResponse[] = [];
    const takeSlot = async () => undefined;
    const result = await decide(world, { ctx: { ...ctx, takeSlot }, request, sent });
    expect(JSON.stringify(result)).toMatch(/TASK_STATE_(WORKING|SUBMITTED)/);
    for (const event of sent) expect(event).toHaveProperty("task");
    await world.deliver();
    expect(await world.statuses("pay")).toEqual(["Succeeded"]);
  });
});
