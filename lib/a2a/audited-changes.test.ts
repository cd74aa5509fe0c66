import { beforeAll, expect, test } from "vitest";
import { testProcessor } from "../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import { listApprovals } from "../executions/approvals/approval-store.ts";
import { agentTasks } from "../mcp/agent-tasks.ts";
import { listAuditRecordsNewestFirst } from "../tenancy/audit/store.ts";
import { handleRpc } from "./handle-rpc.ts";
import { sendMessage } from "./send-message.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

/** Starts a task that waits for a decision. */
const start = async () => {
  const world = testWaiting(db);
  const { ctx } = world.tenant;
  const approval = { id: "ask", type: "Approval", title: "Pay?", allowStarter: true };
  await world.deploy("pay", buildFlow([approval], []));
  const { executionId } = (await world.execute("pay")).execution;
  const [item] = await Array.fromAsync(listApprovals(db, world.tenantId));
  if (!item) throw new Error("nothing is asked");
  const limits = { respondBy: ctx.clock() + 28_000, taskAfterMs: 20_000 };
  const caller = { ...ctx, ...limits, events: undefined, waitUntil: () => undefined };
  const ask = { messageId: "m", taskId: executionId, role: "ROLE_USER" as const };
  return {
    world,
    executionId,
    approvalId: item.id,
    caller,
    /** The message that approves it. */
    message: {
      message: { ...ask, parts: [{ text: "approve" }] },
      configuration: { returnImmediately: true },
    },
    callRpc: (method: string, params: object) => {
      const body = { jsonrpc: "2.0" as const, id: 1, method, params: { ...params } };
      return handleRpc(world.deps, { ctx: caller, agentId: "pay", body });
    },
    tasks: agentTasks(world.deps, {
      caller: { ...caller, processor: testProcessor(1_000) },
      findAgentIds: async () => ["pay"],
    }),
  };
};

type Started = Awaited<ReturnType<typeof start>>;

/** A form of MCP has fields, too. */
const decided = ({ approvalId }: Started) => ({
  action: "decideApproval",
  resource: { type: "Approval", id: approvalId },
  changes: expect.arrayContaining(["action"]),
});
const cancelled =
  (action: string) =>
  ({ executionId }: Started) => ({
    action,
    resource: { type: "Execution", id: `pay/${executionId}` },
    changes: [],
  });

test.each<[string, (started: Started) => Promise<unknown>, (started: Started) => object]>([
  [
    "a decision by a message",
    ({ world, caller, message }) =>
      sendMessage(world.deps, { ctx: caller, agentId: "pay", request: message }),
    decided,
  ],
  [
    "a decision by SendMessage of JSON-RPC",
    ({ callRpc, message }) => callRpc("SendMessage", message),
    decided,
  ],
  [
    "CancelTask of JSON-RPC",
    ({ callRpc, executionId }) => callRpc("CancelTask", { id: executionId }),
    cancelled("cancelA2aTask"),
  ],
  [
    "a decision by tasks/update of MCP",
    ({ tasks, executionId, approvalId }) =>
      tasks.answer(executionId, { [approvalId]: { action: "accept", content: {} } }),
    decided,
  ],
  [
    "tasks/cancel of MCP",
    ({ tasks, executionId }) => tasks.cancel(executionId),
    cancelled("cancelExecution"),
  ],
])("%s leaves one audit record, however often it is sent", async (_, change, describeRecord) => {
  const started = await start();
  const { organizationId } = started.world.tenant.ctx.tenant;
  const now = started.world.tenant.ctx.clock() + 1_000;
  const list = async () => {
    const page = { size: 10, skip: 0 };
    const { items } = await listAuditRecordsNewestFirst(db, organizationId, { now }, page);
    return items.filter(({ action }) => /Approval|cancel/.test(action));
  };
  await change(started);
  const expected = {
    ...describeRecord(started),
    actor: { type: "User", id: "admin", email: "admin@example.com" },
    tenantId: started.world.tenantId,
  };
  expect(await list()).toMatchObject([expected]);
  await change(started).catch(() => undefined);
  expect(await list()).toHaveLength(1);
});
