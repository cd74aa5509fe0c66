import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testExecutions } from "../../test/harness/execution.ts";
import { testDatabase } from "../../test/harness/table.ts";
import { putNewTenant } from "../tenancy/tenant/store.ts";
import { formatMessageId } from "./ids.ts";
import { replaceReferences } from "./replace-references.ts";

test("a reference to a message of a long run reads its record and its text, not its trace", async () => {
  const db = await testDatabase();
  const world = testExecutions(db);
  const { ctx } = world.tenant;
  const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
  // The trace expires before the text, and is stored apart for that.
  const retention = { executionDays: 30, traceDays: 1, deliveryDays: 1 };
  await putNewTenant(db, { ...ctx.tenant, slug: "t", displayName: "T", ...times, retention });
  await world.tenant.createAgent("a");
  await world.deploy("a", {
    parametersMetadata: [{ name: "text", type: "String" }],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input.text %}" }], edges: [] },
  });
  const text = randomBytes(20_000).toString("base64");
  const { executionId } = await world.executeToEnd("a", { input: { text } });
  const id = formatMessageId({ agentId: "a", executionId }, 0);
  const read: string[] = [];
  const storage = {
    db,
    objects: {
      ...world.deps.objects,
      get: (key: string) => {
        read.push(key);
        return world.deps.objects.get(key);
      },
    },
  };
  const items = [{ type: "item_reference", id }];
  const replaced = await replaceReferences(storage, { ctx, items });
  expect(replaced).toEqual([{ role: "assistant", content: text }]);
  expect(read).toEqual([expect.stringContaining("/END#")]);
});
