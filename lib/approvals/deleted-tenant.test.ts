import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { testDatabase } from "../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../test/harness/waiting.ts";
import { listApprovals } from "../executions/approvals/approval-store.ts";
import { answerCallback } from "../executions/wait/end-wait.ts";
import { presets } from "../platform/auth/scopes.ts";
import { decideApproval } from "./decide-approval.ts";

const minute = 60_000;
const approval = { id: "decide", type: "Approval", title: "Pay?", timeoutSeconds: 600 };
const callback = { id: "hook", type: "Wait", callback: true, timeoutSeconds: 600 };
const pause = { id: "pause", type: "Wait", seconds: 600 };

test("of a deleted tenant, no decision, callback, wake-up or queued run writes anything or asks a model", {
  tags: "nightly",
}, async () => {
  const db = await testDatabase();
  const world = testWaiting(db);
  const steps = [approval, callback, pause, ask("after")];
  const edges = ["decide>after", "hook>after", "pause>after"];
  await world.deploy("a", buildFlow(steps, edges));
  const { executionId } = (await world.execute("a")).execution;
  const root = { agentId: "a", executionId };
  const { tenantId } = world;
  const [item] = await Array.fromAsync(listApprovals(db, tenantId));
  if (!item) throw new Error("there is no approval");
  world.tenant.sent.push({ type: "run-execution", tenantId, runs: [root] });
  for (const { pk, sk } of await db.scan()) {
    await db.client.send(new DeleteCommand({ TableName: db.table, Key: { pk, sk } }));
  }
  const { ctx } = world.tenant;
  const principal = { ...ctx.principal, id: "ada", userIds: ["ada"], scopes: presets.Admin };
  await expect(
    decideApproval(world.deps, {
      tenant: ctx.tenant,
      approvalId: item.id,
      decider: { type: "caller", principal },
      body: { action: "approve" },
    }),
  ).rejects.toMatchObject({ slug: "not-found" });
  const answer = { callback: { tenantId, root, executionId, path: "hook" }, answer: 1 };
  await expect(answerCallback(world.deps, answer)).rejects.toMatchObject({ slug: "conflict" });
  await world.deliver();
  await world.dueAfter(11 * minute);
  expect(await db.scan()).toEqual([]);
  expect(world.asked).toEqual([]);
});
