import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { calls, textResult } from "../../test/harness/flow.ts";
import { type Death, mortalFunctions } from "../../test/harness/mortal.ts";
import { failureStep, isNightly } from "../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { ask, buildFlow, type RunFunction, testWaiting } from "../../test/harness/waiting.ts";
import { listApprovals } from "../executions/approvals/approval-store.ts";
import { isOpen } from "../executions/record/execution-record.ts";
import { cancelExecution } from "../executions/recover/cancel-execution.ts";
import { triggerTypes } from "../executions/schemas.ts";
import { createExecutions } from "../executions/start/create-executions.ts";
import { answerCallback, verifyCallback } from "../executions/wait/end-wait.ts";
import { toMonth } from "../platform/db/keys.ts";
import { listOutbox } from "../platform/outbox/outbox-store.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import { putBudget } from "../spending/budget/put-budget.ts";
import { getMonthSpend } from "../spending/budget/spend-store.ts";
import { putNewTenant } from "../tenancy/tenant/store.ts";
import type { Json, JsonObject } from "../values/json/json.ts";
import { decideApproval } from "./decide-approval.ts";

type World = ReturnType<typeof testWaiting>;

/** An execution that waits, what others do while it does, and how it ends. */
type Case = {
  /** Agent `a` is executed. */
  agents: Record<string, object>;
  /** A request of others, sent again until it got a response. */
  request: "decide" | "cancel" | "call" | "call early" | "none";
  /** Time until the wait is over, in milliseconds. */
  waitMs?: number;
  status?: "Succeeded" | "Cancelled";
  output?: Json;
  approvals?: readonly ("Decided" | "TimedOut" | "Cancelled")[];
  /** Prompts of the model, in order. */
  asked: readonly string[];
  made?: Json[];
};

const approval = { id: "decide", type: "Approval", title: "Pay?", approvers: { users: ["ada"] } };
const chosen = "{% steps.decide.output.action %}";
const deciding = (more: object = {}) =>
  buildFlow(
    [
      ask("before"),
      { ...approval, ...more },
      ask("after"),
      { id: "out", type: "Output", value: chosen },
    ],
    ["before>decide", "decide>after", "after>out"],
  );
const pausing = (seconds: number) =>
  buildFlow(
    [ask("before"), { id: "pause", type: "Wait", seconds }, ask("after")],
    ["before>pause", "pause>after"],
  );
const calling = (pause: object[]) =>
  buildFlow(
    [
      { id: "send", type: "Prompt", prompt: "{% callbacks.done %}" },
      ...pause,
      { id: "done", type: "Wait", callback: true },
    ],
    pause.length > 0 ? ["send>pause", "pause>done"] : ["send>done"],
  );
const around = ["asked before", "asked after"];
const tools = [{ toolId: "calculate", approval: true, approvers: { users: ["ada"] } }];
const forEach = {
  id: "each",
  type: "ForEach",
  items: [1, 2],
  step: { type: "SubAgent", agentId: "child" },
};

const cases: Record<string, Case> = {
  "an approval that is decided": {
    agents: { a: deciding() },
    request: "decide",
    output: "approve",
    approvals: ["Decided"],
    asked: around,
  },
  "an approval that times out": {
    agents: { a: deciding({ timeoutSeconds: 600, onTimeout: "approve" }) },
    request: "none",
    waitMs: 600_000,
    output: "approve",
    approvals: ["TimedOut"],
    asked: around,
  },
  "an approval with which it is cancelled": {
    agents: { a: deciding() },
    request: "cancel",
    status: "Cancelled",
    approvals: ["Cancelled"],
    asked: ["asked before"],
  },
  "a tool call that is approved with other arguments": {
    agents: { a: buildFlow([{ ...ask("go"), tools }], []) },
    request: "decide",
    output: "done",
    approvals: ["Decided"],
    asked: [],
    made: [{ expression: "2" }],
  },
  "a wait of minutes": {
    agents: { a: pausing(600) },
    request: "none",
    waitMs: 600_000,
    asked: around,
  },
  "a wait of a day": {
    agents: { a: pausing(86_400) },
    request: "none",
    waitMs: 86_400_000,
    asked: around,
  },
  "a callback": { agents: { a: calling([]) }, request: "call", output: "paid", asked: ["address"] },
  "a callback before its step": {
    agents: { a: calling([{ id: "pause", type: "Wait", seconds: 600 }]) },
    request: "call early",
    waitMs: 600_000,
    output: "paid",
    asked: ["address"],
  },
  "sub-agents with approvals": {
    agents: { a: buildFlow([forEach], []), child: deciding() },
    request: "decide",
    output: ["approve", "approve"],
    approvals: ["Decided", "Decided"],
    asked: [...around, ...around],
  },
};

const minute = 60_000;
const Stored = z.looseObject({ type: z.string(), data: z.looseObject({ approvalId: z.string() }) });
const eventTypes = {
  Pending: [],
  Decided: ["approval.decided"],
  TimedOut: ["approval.timed_out"],
  Cancelled: [],
};

describe("an execution with functions that die", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const prepare = async ({ agents, asked }: Case) => {
    const world = testWaiting(db);
    const { ctx, deps: tenantDeps } = world.tenant;
    const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
    await putNewTenant(db, { ...ctx.tenant, slug: ctx.tenant.id, displayName: "T", ...times });
    const made: Json[] = [];
    const { deps } = world;
    const registry = deps.toolsFor(world.tenantId);
    deps.toolsFor = () => ({
      ...registry,
      resolve: (integrationId, id) => {
        const tool = registry.resolve(integrationId, id);
        const run = async (parameters: JsonObject) => {
          made.push(parameters);
          return "made";
        };
        return tool && { ...tool, run };
      },
    });
    if (asked.length === 0) {
      const models = deps.modelsFor(world.tenantId);
      deps.modelsFor = () => ({
        resolve: async (id) => {
          const provider = await models.resolve(id);
          return (
            provider && {
              ...provider,
              generate: async ({ messages }) =>
                messages.at(-1)?.role === "tool"
                  ? textResult("done")
                  : calls(["calculate", { expression: "1" }]),
            }
          );
        },
      });
    }
    for (const [id, content] of Object.entries(agents).toReversed())
      await world.deploy(id, content);
    const budget = { amount: 9, thresholdRules: [], enforceLimit: true, allowUnpriced: false };
    await putBudget(tenantDeps, { ctx, agentId: "a", body: budget });
    const [started] = await createExecutions(deps, [
      {
        id: newUuid(ctx),
        tenantId: world.tenantId,
        agentId: "a",
        agentRevision: 1,
        parametersMetadata: [],
        trigger: { type: triggerTypes.webhook, id: "w", provider: "github" },
        input: {},
        metadata: {},
        isSample: false,
        runner: { type: "worker" },
      },
    ]);
    if (!started || "error" in started) throw new Error("not started");
    return { world, made, executionId: started.item.id };
  };

  const listAll = (world: World) => Array.fromAsync(listApprovals(db, world.tenantId));

  /** Reports approvals without the stored events of their status. */
  const wrongEvents = async (world: World): Promise<string[]> => {
    const stored = (await listOutbox(db)).flatMap((event) => Stored.safeParse(event).data ?? []);
    return (await listAll(world)).flatMap(({ id, status }) => {
      const own = stored.filter(({ data }) => data.approvalId === id).map(({ type }) => type);
      const expected = ["approval.requested", ...eventTypes[status]];
      return own.toSorted().join() === expected.toSorted().join()
        ? []
        : [`${id} is ${status}: ${own}`];
    });
  };

  const live = async (of: Case, death: Death) => {
    const { world, made, executionId } = await prepare(of);
    const { tenant, tenantId, deps } = world;
    const functions = mortalFunctions(death);
    const run: RunFunction = (work) => functions.run({ ...deps, schedules: world.service }, work);
    const key = { tenantId, agentId: "a", executionId };
    const ada = { ...tenant.ctx.principal, id: "ada", userIds: ["ada"] };
    const read = async () => (await world.read("a", executionId)).item;
    const answered = new Set<string>();
    /** Sends a request again until it was answered. */
    const ask = async (name: string, request: Parameters<RunFunction>[0]) => {
      if (answered.has(name)) return;
      if (await run((own) => request(own).then(() => undefined))) answered.add(name);
    };
    const act = async () => {
      const { request, waitMs = 0 } = of;
      const { status } = await read();
      const address = world.asked.find((prompt) => prompt.includes("/callbacks/"));
      if (request === "decide") {
        for (const { id, kind } of await listAll(world)) {
          const body = {
            action: "approve",
            ...(kind === "Tool" && { arguments: { expression: "2" } }),
          };
          const decision = { tenant: tenant.ctx.tenant, approvalId: id, body };
          await ask(id, (own) =>
            decideApproval(
              { ...own, runtime: tenant.ctx },
              { ...decision, decider: { type: "caller", principal: ada } },
            ),
          );
        }
      }
      if (request === "cancel" && status === "Waiting") {
        await ask("cancel", (own) => cancelExecution(own, key));
      }
      if (address && (request === "call early" || (request === "call" && status === "Waiting"))) {
        const [, token = ""] = address.split("/callbacks/");
        await ask("call", async (own) => {
          const callback = await verifyCallback(own, { tenantId, token });
          // A callback that was answered by a function that died is refused.
          await answerCallback(own, { callback, answer: "paid" }).catch((error: unknown) => {
            expect(error).toMatchObject({ slug: "conflict" });
          });
        });
      }
      if (status === "Waiting" && answered.size === 0) tenant.advance(waitMs);
      if (request === "call early") tenant.advance(waitMs);
    };
    const broken: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      tenant.advance(2 * minute);
      await world.recover();
      await world.deliver(run);
      broken.push(...(await wrongEvents(world)));
      await act();
      broken.push(...(await wrongEvents(world)));
    }
    const { item, output } = await world.read("a", executionId);
    const { committed, spent } = await getMonthSpend(
      db,
      tenantId,
      "a",
      toMonth(tenant.ctx.clock()),
    );
    const asked = world.asked.map((prompt) =>
      prompt.includes("/callbacks/") ? "address" : prompt,
    );
    const counted = await world.counted("a");
    const own = (await world.open()).filter((open) => open.tenantId === tenantId);
    const repeats = asked.length - of.asked.length;
    const { status = "Succeeded", output: expected, approvals = [], made: calls = [] } = of;
    expect({ death, broken }).toEqual({ death, broken: [] });
    expect({ death, status: item.status, isOpen: isOpen(item), open: own }).toEqual({
      death,
      status,
      isOpen: false,
      open: [],
    });
    if (expected !== undefined) expect(output?.output).toEqual(expected);
    expect((await listAll(world)).map((one) => one.status)).toEqual(approvals);
    expect(counted.executions).toBe(1);
    expect(committed).toBeCloseTo(spent, 9);
    expect(spent).toBeCloseTo(item.totalCost, 9);
    // A step that a function had just ended when it died runs again.
    expect(new Set(asked)).toEqual(new Set(of.asked));
    expect([0, 1]).toContain(repeats);
    expect(made.length === calls.length || made.length === calls.length + 1).toBe(true);
    expect(
      made.every((call) => calls.some((one) => JSON.stringify(one) === JSON.stringify(call))),
    ).toBe(true);
    return functions.hasDied();
  };

  test.each(Object.entries(cases))(
    "at any call of %s end once, with the right output",
    { tags: "nightly" },
    async (_, of) => {
      for (let at = 1, hasDied = true; hasDied; at += failureStep) {
        hasDied = await live(of, { at, isDone: at % 2 === 0 });
        if (isNightly && hasDied) await live(of, { at, isDone: at % 2 === 1 });
      }
    },
  );
});
