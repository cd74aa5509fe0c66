import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testEventWaits } from "../../../test/harness/event-waits.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow } from "../../../test/harness/waiting.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { deleteWebhook } from "../webhook/delete-webhook.ts";
import { patchWebhook } from "../webhook/store.ts";

type World = Awaited<ReturnType<typeof testEventWaits>>;

describe("an execution that waits for an event", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: World;
  beforeEach(async () => {
    world = await testEventWaits(db);
  });

  const await_ = (event: object = {}, more: object = {}) => ({
    id: "paid",
    type: "Wait",
    event: { webhookId: world.webhook.id, ...event },
    ...more,
  });
  const awaiting = (event: object = {}, more: object = {}) =>
    buildFlow(
      [
        ask("before"),
        await_(event, more),
        { id: "out", type: "Output", value: "{% steps.paid.output %}" },
      ],
      ["before>paid", "paid>out"],
      { parametersMetadata: [{ name: "order", type: "Json" }] },
    );
  const output = async (executionId: string) => (await world.read("a", executionId)).output?.output;
  const registered = async () =>
    (await db.scan()).filter(
      ({ pk }) => String(pk) === `TENANT#${world.tenantId}#WEBHOOK#${world.webhook.id}#WAITS`,
    );
  const marks = async () =>
    (await db.scan()).filter(
      ({ pk, sk }) => String(pk).includes(world.webhook.id) && sk === "SUBWAITS",
    );

  test("continues with the event, and its registration is removed", async () => {
    await world.deploy("a", awaiting());
    const { execution } = await world.execute("a");
    expect(execution.status).toBe("Waiting");
    await world.after(2_000);
    expect(await registered()).toHaveLength(1);
    const receivedAt = world.tenant.ctx.clock();
    await world.receive({ eventType: "paid", payload: { n: [1] }, deliveryId: "d-1" });
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await output(execution.executionId)).toEqual({
      deliveryId: "d-1",
      eventType: "paid",
      payload: { n: [1] },
      receivedAt,
    });
    expect(await registered()).toEqual([]);
    await world.after(300_000_000);
    expect(world.asked).toEqual(["asked before"]);
  });
});
