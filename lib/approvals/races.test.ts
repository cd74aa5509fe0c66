import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { propertyRuns } from "../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import {
  type ApprovalItem,
  getApproval,
  listApprovals,
} from "../executions/approvals/approval-store.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { cancelExecution } from "../executions/recover/cancel-execution.ts";
import { continueExecutions } from "../executions/recover/continue-executions.ts";
import { answerCallback } from "../executions/wait/end-wait.ts";
import { wakeExecution } from "../executions/wait/wake-execution.ts";
import { presets } from "../platform/auth/scopes.ts";
import type { Database } from "../platform/db/database.ts";
import { decideApproval } from "./decide-approval.ts";

const minute = 60_000;
const approval = { id: "decide", type: "Approval", title: "Pay?", timeoutSeconds: 3_600 };
const callback = { id: "hook", type: "Wait", callback: true, timeoutSeconds: 86_400 };
const flow = buildFlow([approval, callback, ask("after")], ["decide>after", "hook>after"]);

const actions = ["approve", "reject", "timeout", "cancel", "callback", "run"] as const;
type Action = (typeof actions)[number];

let db: TestDatabase;
let world: ReturnType<typeof testWaiting>;
beforeAll(async () => {
  db = await testDatabase();
  world = testWaiting(db);
  await world.deploy("a", flow);
});

/** Returns the table with calls that are sent in the order of a scheduler. */
const orderCalls = (scheduler: fc.Scheduler): Database => ({
  ...db,
  client: new Proxy(db.client, {
    get: (client, name) => {
      if (name !== "send") return Reflect.get(client, name);
      return async (...call: Parameters<typeof client.send>) => {
        await scheduler.schedule(Promise.resolve());
        return client.send(...call);
      };
    },
  }),
});

/** Begins an execution that waits for a decision and for a callback; returns what can happen to it. */
const begin = async () => {
  world.tenant.advance(1_000);
  const { executionId } = (await world.execute("a")).execution;
  const { tenantId } = world;
  const root = { agentId: "a", executionId };
  let found: ApprovalItem | undefined;
  for await (const item of listApprovals(db, tenantId)) {
    found = item;
    break;
  }
  if (found?.executionId !== executionId) throw new Error("there is no approval");
  const item = found;
  const decide = (deps: ExecutionDeps, action: string) =>
    decideApproval(deps, {
      tenant: world.tenant.ctx.tenant,
      approvalId: item.id,
      decider: {
        type: "caller",
        principal: {
          type: "User",
          id: action,
          organizationId: world.tenant.ctx.tenant.organizationId,
          scopes: presets.Admin,
          userIds: [action],
          email: null,
          apiKey: null,
        },
      },
      body: { action },
    });
  const act: Record<Action, (deps: ExecutionDeps) => Promise<unknown>> = {
    approve: (deps) => decide(deps, "approve"),
    reject: (deps) => decide(deps, "reject"),
    timeout: (deps) => {
      // The clock of another function.
      const runtime = { ...deps.runtime, clock: () => item.expiresAt };
      const schedules = { put: async () => {}, remove: async () => {} };
      const { path, id: approvalId, expiresAt: at } = item;
      const wait = { waitingId: executionId, path, kind: "Approval" as const, approvalId, at };
      const message = { type: "wake-execution" as const, tenantId, ...root, ...wait };
      return wakeExecution({ ...deps, runtime, schedules }, message);
    },
    cancel: (deps) => cancelExecution(deps, { tenantId, ...root }),
    callback: (deps) =>
      answerCallback(deps, {
        callback: { tenantId, root, executionId, path: "hook" },
        answer: "called",
      }),
    run: (deps) =>
      continueExecutions(deps, {
        message: { tenantId, runs: [root] },
        deadline: world.tenant.ctx.clock() + 15 * minute,
      }),
  };
  return { executionId, item, act };
};

test("a decision, its end in time, a cancel and a callback at the same moment have one outcome, and the execution ends once", {
  tags: "nightly",
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(...actions), { minLength: 2, maxLength: 6 }),
      async (scheduler, chosen) => {
        const { executionId, item, act } = await begin();
        const before = (await world.counted("a")).executions;
        world.asked.length = 0;
        const deps = { ...world.deps, db: orderCalls(scheduler) };
        const work = chosen.map((action) => act[action](deps));
        const outcomes = await scheduler.waitFor(Promise.allSettled(work));
        const succeeded = chosen.filter((_, at) => outcomes[at]?.status === "fulfilled");
        for (const outcome of outcomes) {
          if (outcome.status === "rejected") expect(outcome.reason.slug).toBe("conflict");
        }
        await world.deliver();
        const kept = await getApproval(db, world.tenantId, item.id);
        const decisions = succeeded.filter((action) => action === "approve" || action === "reject");
        // The same person may choose the same again.
        expect(new Set(decisions).size).toBeLessThanOrEqual(1);
        const [decision] = decisions;
        const isCancelled = succeeded.includes("cancel");
        if (decision)
          expect(kept).toMatchObject({ status: "Decided", decisions: [{ action: decision }] });
        else expect(kept?.status).toBe(expectEnd(kept?.status, { isCancelled, chosen }));
        expect(succeeded.filter((action) => action === "callback").length).toBeLessThanOrEqual(1);
        if (!decision && kept?.status === "Pending") await act.approve(world.deps);
        await world.deliver();
        const isFailed = decision === "reject" || kept?.status === "TimedOut";
        if (!succeeded.includes("callback") && !isCancelled && !isFailed) {
          await act.callback(world.deps);
        }
        await world.deliver();
        const status = (await world.read("a", executionId)).item.status;
        expect(status).toBe(isCancelled ? "Cancelled" : isFailed ? "Failed" : "Succeeded");
        expect((await world.counted("a")).executions - before).toBe(1);
        expect(world.asked.length).toBe(status === "Succeeded" ? 1 : 0);
      },
    ),
    { numRuns: propertyRuns(1_000, 20) },
  );
});

/** Returns the status of an approval without a decision. */
const expectEnd = (
  found: string | undefined,
  { isCancelled, chosen }: { isCancelled: boolean; chosen: readonly Action[] },
): string => {
  if (found === "TimedOut" && chosen.includes("timeout")) return "TimedOut";
  if (isCancelled) return "Cancelled";
  return chosen.includes("timeout") ? "TimedOut" : "Pending";
};
