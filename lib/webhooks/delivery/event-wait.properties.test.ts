import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { testEventWaits } from "../../../test/harness/event-waits.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { buildFlow } from "../../../test/harness/waiting.ts";
import {
  getEventWait,
  listEventWaits,
  putEventWait,
} from "../../executions/checkpoints/event-wait-store.ts";
import { RunExecutionMessage } from "../../executions/messages.ts";
import { executionKey } from "../../executions/record/keys.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { transact } from "../../platform/db/transact.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { DispatchDeliveryMessage } from "../messages.ts";
import { maxWaitsPerMessage } from "./match-waits.ts";

type World = Awaited<ReturnType<typeof testEventWaits>>;

const minute = 60_000;
const awaiting = (webhookId: string, event: object = {}) =>
  buildFlow(
    [
      { id: "paid", type: "Wait", event: { webhookId, ...event }, timeoutSeconds: 3_600 },
      { id: "out", type: "Output", value: "{% steps.paid.output.deliveryId %}" },
    ],
    ["paid>out"],
  );

describe("waits for events", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });

  const countRegistered = async ({ tenantId, webhook }: World) =>
    (await listEventWaits(db, tenantId, webhook.id, { from: undefined, limit: 10 })).waits.length;
  const readOnly = async (world: World) => {
    const [item] = await world.list("a");
    if (!item) throw new Error("there is no execution");
    const { output } = await world.read("a", item.id);
    return { id: item.id, status: item.status, output: output?.output ?? null };
  };

  test("have exactly one end, and lose no event, in any order of registration, deliveries, timeout and cancel", {
    tags: "nightly",
  }, async () => {
    const action = fc.constantFrom(
      "accept",
      "dispatch",
      "dispatch again",
      "duplicate",
      "handle",
      "handle twice",
      "second",
      "time",
      "cancel",
    );
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 4 }),
        fc.array(action, { maxLength: 10 }),
        async (before, after) => {
          const world = await testEventWaits(db);
          await world.deploy("a", awaiting(world.webhook.id));
          const accepted: DispatchDeliveryMessage[] = [];
          const dispatched: DispatchDeliveryMessage[] = [];
          let isBegun = false;
          let isOver = false;
          let end: string | undefined;
          const dispatch = async (message: DispatchDeliveryMessage | undefined) => {
            if (!message) return;
            await world.dispatch(message);
            if (!dispatched.includes(message)) dispatched.push(message);
          };
          const act = async (name: string) => {
            if (name === "accept") {
              accepted.push(world.accept({ deliveryId: `d-${accepted.length}` }));
            }
            if (name === "dispatch") await dispatch(accepted[dispatched.length]);
            if (name === "dispatch again") await dispatch(dispatched.at(-1));
            if (name === "duplicate" && dispatched.length > 0) {
              await world.dispatch(world.accept({ deliveryId: "d-0" }));
            }
            if (name === "second") world.tenant.advance(1_000);
            if (name.startsWith("handle")) {
              const at = world.queued.findIndex((one) => one.at <= world.tenant.ctx.clock());
              const [next] = at < 0 ? [] : world.queued.splice(at, 1);
              if (next) await world.handle(next.message);
              if (next && name === "handle twice") await world.handle(next.message);
            }
            if (name === "time" && isBegun) {
              isOver = true;
              world.tenant.advance(3_601_000);
              await world.deliver();
            }
            if (name === "cancel" && isBegun) {
              const { id } = await readOnly(world);
              const key = { tenantId: world.tenantId, agentId: "a", executionId: id };
              await cancelExecution(world.deps, key).then(
                () => {
                  isOver = true;
                },
                () => undefined,
              );
            }
            if (!isBegun) return;
            await world.deliver();
            const { status, output } = await readOnly(world);
            if (status === "Waiting") expect(end).toBeUndefined();
            else {
              end ??= `${status} ${output}`;
              expect(`${status} ${output}`).toBe(end);
            }
          };
          for (const name of before) await act(name);
          await world.execute("a");
          isBegun = true;
          for (const name of after) await act(name);
          // All deliveries are dispatched, and all messages handled, while there is time.
          for (const message of accepted.slice(dispatched.length)) await dispatch(message);
          await world.after(2_000);
          await world.after(2 * minute);
          const { status, output } = await readOnly(world);
          expect(end ?? `${status} ${output}`).toBe(`${status} ${output}`);
          const ids = accepted.map((_, at) => `d-${at}`);
          if (status === "Succeeded") expect(ids).toContain(output);
          // Without another end, an event that was received is not lost.
          if (!isOver) expect(status).toBe(accepted.length > 0 ? "Succeeded" : "Waiting");
          ends.add(status);
          await world.after(61 * minute);
          expect((await readOnly(world)).status).not.toBe("Waiting");
          expect(await countRegistered(world)).toBe(0);
        },
      ),
      { numRuns: propertyRuns(300, 20) },
    );
    expect(ends.size).toBeGreaterThan(2);
  });

  test.each([
    ["TransactWriteItems", 6],
    ["PutItem", 6],
    ["DeleteItem", 3],
    ["UpdateItem", 3],
  ])(
    "of which one %s fails continue with their event",
    { tags: "nightly" },
    async (command, count) => {
      for (let passing = 0; passing < count; passing += 1) {
        const world = await testEventWaits(db);
        await world.deploy("a", awaiting(world.webhook.id));
        db.failNext(command, passing);
        await world.execute("a").catch(() => world.execute("a"));
        /** Queues deliver again what failed, and a worker continues a run that has crashed when its lease ends. */
        const heal = async () => {
          for (let again = 0; again < 3; again += 1) {
            await world.after(2 * minute).catch(() => undefined);
            await world.recover().catch(() => undefined);
            await world.settle().catch(() => undefined);
          }
        };
        await heal();
        const message = world.accept({ deliveryId: "d" });
        await world.dispatch(message).catch(() => world.dispatch(message, 2));
        await heal();
        db.clearFailures();
        const { status, output } = await readOnly(world);
        expect([passing, status, output]).toEqual([passing, "Succeeded", "d"]);
      }
    },
  );

  test("of 1,050 executions are ended by one delivery, with a bounded number of calls in each message", {
    tags: "nightly",
  }, async () => {
    const world = await testEventWaits(db);
    const { tenantId, webhook, tenant } = world;
    await world.deploy("a", awaiting(webhook.id, { match: "payload.n = 1" }));
    await world.execute("a");
    await world.after(2 * minute);
    const { id } = await readOnly(world);
    const key = { tenantId, agentId: "a", executionId: id };
    const record = (await db.scan()).find(({ sk }) => sk === executionKey(key).sk);
    const wait = await getEventWait(db, tenantId, { ...key, webhookId: webhook.id, path: "paid" });
    if (!record || !wait) throw new Error("nothing waits");
    const ids = [id];
    for (let part = 0; part < 21; part += 1) {
      const more = Array.from({ length: part === 20 ? 49 : 50 }, () => newUuid(tenant.ctx));
      ids.push(...more);
      const writes = more.flatMap((executionId) => [
        { Put: { Item: { ...record, ...executionKey({ ...key, executionId }), id: executionId } } },
        putEventWait(tenantId, { ...wait, executionId, root: { agentId: "a", executionId } }),
      ]);
      await transact(db, writes);
    }
    expect(ids).toHaveLength(1_050);
    await world.dispatch(world.accept({ payload: { n: 1 } }));
    world.queued.splice(0, world.queued.length - 1);
    tenant.sent.splice(0);
    let messages = 0;
    for (let next = world.queued.shift(); next; next = world.queued.shift()) {
      db.calls.length = 0;
      await world.handle(next.message);
      messages += 1;
      // The webhook, the delivery and the waits are read together; each wait is one transaction.
      expect(db.calls.length).toBeLessThanOrEqual(3 + maxWaitsPerMessage);
    }
    expect(messages).toBe(Math.ceil(ids.length / maxWaitsPerMessage));
    const woken = tenant.sent.flatMap((sent) => {
      const { data } = RunExecutionMessage.safeParse(sent);
      return data?.runs.map(({ executionId }) => executionId) ?? [];
    });
    expect(woken.toSorted()).toEqual(ids.toSorted());
  });
});
