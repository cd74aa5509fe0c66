import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { endApproval, listApprovals } from "../approvals/approval-store.ts";
import { endWait } from "./end-wait.ts";

test("a retried ForEach of sub-agents continues those that wait, and asks for their approvals once", async () => {
  const db = await testDatabase();
  let failures = 1;
  const world = testWaiting(db, (prompt) => {
    if (!prompt.includes("bad") || failures === 0) return prompt;
    failures -= 1;
    throw new UpstreamError("no", { upstream: "m", upstreamStatus: 503, responseExcerpt: "" });
  });
  const approval = { id: "decide", type: "Approval", title: "May it?" };
  const which = {
    id: "which",
    type: "Condition",
    cases: [{ when: "input.name = 'good'", target: "decide" }],
    otherwise: "bad",
  };
  await world.deploy(
    "child",
    buildFlow([which, approval, ask("bad")], [], {
      parametersMetadata: [{ name: "name", type: "String" }],
    }),
  );
  const forEach = {
    id: "each",
    type: "ForEach",
    items: ["good", "bad"],
    step: { type: "SubAgent", agentId: "child", input: { name: "{% item %}" } },
    retry: { maxAttempts: 2, backoffSeconds: 0, on: ["execution-failed", "upstream-failed"] },
  };
  await world.deploy("a", buildFlow([forEach], []));
  const sent = await world.stream("a");
  const list = () => Array.fromAsync(listApprovals(db, world.tenantId));
  const asked = await list();
  expect(asked.map(({ status }) => status)).toEqual(["Pending"]);
  const [item] = asked;
  if (!item) throw new Error("there is no approval");
  expect(sent.at(-1)).toMatchObject({
    event: "execution.waiting",
    data: { approvals: [item.id] },
  });
  const decidedAt = world.tenant.ctx.clock();
  await endWait(world.deps, {
    tenantId: world.tenantId,
    root: item.root,
    executionId: item.executionId,
    path: item.path,
    answer: { action: "approve", fields: {}, comment: null, decidedBy: "ada", decidedAt },
    writes: [endApproval(world.tenantId, item, { status: "Decided", decidedAt })],
  });
  await world.deliver();
  expect(await world.statuses("a")).toEqual(["Succeeded"]);
  const ended = await list();
  expect(ended.map(({ status }) => status)).toEqual(["Decided"]);
  expect((await world.list("child")).map(({ status }) => status).toSorted()).toEqual([
    "Failed",
    "Succeeded",
    "Succeeded",
  ]);
});
