import { beforeAll, expect, test } from "vitest";
import { testProcessor } from "../../test/harness/processor.ts";
import { chat } from "../../test/harness/session.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import { listApprovals } from "../executions/approvals/approval-store.ts";
import { toSessionPlace } from "../executions/session/keys.ts";
import { getSession } from "../executions/session/session-store.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import type { JsonObject } from "../values/json/json.ts";
import { offerAgent } from "./agent-offer.ts";
import type { Outcome, ReadTask } from "./offer.ts";
import { mcpServer } from "./server.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const options = () => ({ signal: new AbortController().signal, takesTasks: false });

const requireOutcome = (called: Outcome | ReadTask): Outcome => {
  if (!("ok" in called)) throw new Error("the call is a task");
  return called;
};

const noTasks = {
  read: async () => undefined,
  answer: async () => false,
  cancel: async () => false,
  watch: async () => undefined,
};

/** Calls an agent of a fresh tenant over MCP; returns the result and the tenant. */
const call = async (step: object) => {
  const world = testWaiting(db);
  await world.deploy("pay", buildFlow([step], []));
  const { ctx } = world.tenant;
  const caller = {
    ...ctx,
    respondBy: ctx.clock() + 28_000,
    taskAfterMs: 20_000,
    waitUntil: () => {},
    processor: testProcessor(1_000),
  };
  const offer = offerAgent(world.deps, { caller, agentId: "pay", refusal: undefined });
  const outcome = requireOutcome(await offer.call({}, options()));
  const [execution] = await world.list("pay");
  return { world, caller, outcome, execution };
};

test("an agent that waits for people returns the approval: title, approvers, address and execution", {
  tags: "nightly",
}, async () => {
  const users = ["ada@example.com"];
  const step = { id: "ask", type: "Approval", title: "Pay\n7?", approvers: { users } };
  const { world, outcome, execution } = await call(step);
  const [item] = await Array.fromAsync(listApprovals(db, world.tenantId));
  if (!item || outcome.ok) throw new Error("it does not wait");
  const url = `http://localhost/v1/tenants/${world.tenantId}/approvals/${item.id}`;
  expect(execution).toMatchObject({ status: "Waiting" });
  expect(outcome.value).toEqual({
    status: "Waiting",
    agentId: "pay",
    executionId: execution?.id,
    until: item.expiresAt,
    approvals: [
      {
        id: item.id,
        title: "Pay\n7?",
        approvers: "ada@example.com",
        actions: ["approve", "reject"],
        expiresAt: item.expiresAt,
        url,
      },
    ],
  });
  const lines = outcome.detail.split("\n");
  expect(lines[0]).toContain(`waits until people have decided. Its execution ${execution?.id}`);
  expect(lines).toContain(`Approval ${item.id}: "Pay\\n7?"`);
  expect(lines).toContain(`  ${url}`);
  expect(outcome.detail).toContain("may be decided by: ada@example.com; until ");
});

test("the repetition of a call that waits for people has the approvals, too, and starts nothing", async () => {
  const { world, caller, outcome, execution } = await call({
    id: "ask",
    type: "Approval",
    title: "Pay?",
  });
  const once = { token: newUuid(world.tenant.ctx), earlier: [execution?.id ?? ""] };
  const again = { caller: { ...caller, once }, agentId: "pay", refusal: undefined };
  const repeated = requireOutcome(await offerAgent(world.deps, again).call({}, options()));
  expect(repeated).toEqual(outcome);
  expect(await world.list("pay")).toHaveLength(1);
});

test("an agent that waits for a time returns the time", async () => {
  const { world, outcome, execution } = await call({ id: "pause", type: "Wait", seconds: 3_600 });
  if (outcome.ok) throw new Error("it does not wait");
  const until = world.tenant.ctx.clock() + 3_600_000;
  expect(outcome.value).toMatchObject({ executionId: execution?.id, until, approvals: [] });
  expect(outcome.detail).toContain(new Date(until).toISOString());
});

test("a tool result has what an agent waits for as text and as structured content", async () => {
  const sdk = await import("@modelcontextprotocol/server");
  const { outcome } = await call({ id: "ask", type: "Approval", title: "Pay?" });
  const server = mcpServer(sdk, {
    displayName: "Desk",
    findOffers: async () => ({
      offers: [{ name: "pay", describe: async () => undefined, call: async () => outcome }],
    }),
    tasks: noTasks,
    readFile: async () => undefined,
    signal: new AbortController().signal,
    onUnavailable: () => {},
  });
  const [near, far] = sdk.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const received = new Promise<unknown>((resolve) => {
    far.onmessage = resolve;
  });
  await far.start();
  await far.send({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "pay", arguments: {} },
  });
  if (outcome.ok) throw new Error("it does not wait");
  expect(await received).toMatchObject({
    result: {
      isError: true,
      content: [{ type: "text", text: outcome.detail }],
      structuredContent: outcome.value,
    },
  });
  await server.close();
});

test("an agent with sessions has the argument sessionId, and the result has the session", async () => {
  const world = testWaiting(db);
  await world.deploy("talk", chat());
  const { ctx } = world.tenant;
  const caller = {
    ...ctx,
    respondBy: ctx.clock() + 28_000,
    taskAfterMs: 20_000,
    waitUntil: () => {},
    processor: testProcessor(1_000),
  };
  const offer = offerAgent(world.deps, { caller, agentId: "talk", refusal: undefined });
  const { properties } = (await offer.describe())?.inputSchema ?? {};
  expect(Object.keys(Object(properties))).toEqual(["message", "sessionId"]);
  const send = async (input: JsonObject) => requireOutcome(await offer.call(input, options()));
  const first = await send({ message: "one" });
  if (!first.ok) throw new Error(first.detail);
  expect(first).toMatchObject({ value: "one", sessionId: expect.any(String) });
  const { sessionId = "" } = first;
  expect(await send({ message: "two", sessionId })).toMatchObject({ ok: true, sessionId });
  const place = toSessionPlace(world.tenantId, "talk", sessionId);
  expect(await getSession(db, place)).toMatchObject({ turnCount: 2 });
  expect(await send({ message: "three", sessionId: "" })).toMatchObject({ ok: false });
  expect(await world.list("talk")).toHaveLength(2);
});
