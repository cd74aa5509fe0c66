import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { testExecutions } from "../../test/harness/execution.ts";
import { testProcessor } from "../../test/harness/processor.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { createGuardrail } from "../agents/guardrail/create-guardrail.ts";
import { CreateGuardrailBody } from "../agents/guardrail/schemas.ts";
import { offerAgent } from "../mcp/agent-offer.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import { handleRpc } from "./handle-rpc.ts";
import { sendMessage } from "./send-message.ts";
import { streamMessage } from "./stream-message.ts";

let db: TestDatabase;
let world: ReturnType<typeof testExecutions>;

beforeAll(async () => {
  db = await testDatabase();
});

const sent = (text: string) => ({
  message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text }] },
});

/** A revision with one step that fails where its input is `fail`. */
const content = {
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: {
    steps: [{ id: "answer", type: "Output", value: "{% $number(input.message) %}" }],
    edges: [],
  },
};

beforeEach(async () => {
  world = testExecutions(db);
  await world.deploy("a", content);
});

/** Returns the context of a request with an Idempotency-Key, and what releases the key. */
const withKey = () => {
  const { ctx } = world.tenant;
  const release = vi.fn();
  const once = { token: newUuid(ctx), earlier: [], release };
  const limits = { respondBy: ctx.clock() + 28_000 };
  const background = { ...limits, events: undefined, waitUntil: () => undefined };
  return { release, ctx: { ...ctx, ...background, once } };
};

/** Lets a guardrail refuse every input of the agent. */
const block = async () => {
  const { ctx, deps } = world.tenant;
  const check = { id: "all", type: "Pattern", pattern: ".", on: ["input"], action: "block" };
  const body = CreateGuardrailBody.parse({ id: "no", displayName: "No", checks: [check] });
  await createGuardrail(deps, { ctx, body });
  await world.deploy("a", { ...content, guardrails: ["no"] });
};

const callRpc = (ctx: ReturnType<typeof withKey>["ctx"], method: string, params: object) => {
  const body = { jsonrpc: "2.0" as const, id: 1, method, params: { ...params } };
  return handleRpc(world.deps, { ctx, agentId: "a", body });
};

const callMcp = (ctx: ReturnType<typeof withKey>["ctx"], message: string) => {
  const limits = { respondBy: ctx.clock() + 28_000, taskAfterMs: 20_000 };
  const caller = { ...ctx, ...limits, processor: testProcessor(1_000) };
  const offer = offerAgent(world.deps, { caller, agentId: "a", refusal: undefined });
  return offer.call({ message }, { signal: AbortSignal.timeout(60_000), takesTasks: false });
};

const sink = { send: () => undefined, hasLeft: () => false };

describe("the Idempotency-Key of a request that a response refuses", () => {
  test("is released where the agent rejects a task, by any way to send a message", async () => {
    await block();
    const request = sent("1");
    for (const send of [
      (ctx: ReturnType<typeof withKey>["ctx"]) =>
        sendMessage(world.deps, { ctx, agentId: "a", request }),
      (ctx: ReturnType<typeof withKey>["ctx"]) =>
        streamMessage(world.deps, { ctx, agentId: "a", request, sink }),
    ]) {
      const { ctx, release } = withKey();
      const { task } = await send(ctx);
      expect(task.status.state).toBe("TASK_STATE_REJECTED");
      expect(release).toHaveBeenCalledOnce();
    }
  });

  test("is released after an error of JSON-RPC", async () => {
    for (const [method, params] of [
      ["Unknown", {}],
      ["SendMessage", {}],
      ["GetTask", { id: "x" }],
    ] as const) {
      const { ctx, release } = withKey();
      expect(await callRpc(ctx, method, params)).toHaveProperty("error");
      expect(release).toHaveBeenCalledOnce();
    }
  });

  test("is released after a result of MCP with a problem", async () => {
    await block();
    const { ctx, release } = withKey();
    expect(await callMcp(ctx, "1")).toMatchObject({ ok: false });
    expect(release).toHaveBeenCalledOnce();
  });
});

test("the Idempotency-Key of a request that started an execution is kept, also if it failed", async () => {
  for (const text of ["1", "none"]) {
    const request = sent(text);
    for (const send of [
      (ctx: ReturnType<typeof withKey>["ctx"]) => callRpc(ctx, "SendMessage", request),
      (ctx: ReturnType<typeof withKey>["ctx"]) =>
        streamMessage(world.deps, { ctx, agentId: "a", request, sink }),
      (ctx: ReturnType<typeof withKey>["ctx"]) => callMcp(ctx, text),
    ]) {
      const { ctx, release } = withKey();
      await send(ctx);
      expect(release).not.toHaveBeenCalled();
    }
  }
  expect(await world.list("a")).toHaveLength(6);
});
