import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import type { DeliveryItem } from "../webhook/items.ts";
import {
  deliveryTtl,
  getDelivery,
  listResults,
  markSeen,
  putDelivery,
  putResult,
  setDeliveryStatus,
} from "../webhook/store.ts";
import { updateWebhook } from "../webhook/update-webhook.ts";
import { listDeliveriesWithResults } from "./list-deliveries.ts";
import { replayDelivery } from "./replay-delivery.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;
let webhookId: string;

const dayMs = 86_400_000;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  tenant = testTenant(db);
  const ctx = { ...tenant.ctx, baseUrl: "https://api.example.com" };
  const made = await createWebhook({ ctx, input: { provider: "github" }, deps: tenant.deps });
  webhookId = made.id;
  tenant.sent.length = 0;
});

const tenantId = () => tenant.ctx.tenant.id;
const newDelivery = (): DeliveryItem => {
  tenant.advance(1);
  const receivedAt = tenant.ctx.clock();
  return {
    id: newUuid(tenant.ctx),
    webhookId,
    provider: "github",
    eventType: "push",
    deliveryId: "theirs",
    receivedAt,
    size: 2,
    status: "Accepted",
    headers: { "x-github-event": "push" },
    payload: { json: "{}" },
    ttl: deliveryTtl(receivedAt),
  };
};
const deliver = async (subscribers = 0) => {
  const item = newDelivery();
  await putDelivery(db, tenantId(), item);
  for (let at = 0; at < subscribers; at += 1) await report(item.id);
  return item.id;
};
const report = (id: string, subscriptionId = newUuid(tenant.ctx), attempts = 1) =>
  putResult(db, tenantId(), webhookId, id, {
    subscriptionId,
    status: "Succeeded",
    attempts,
    executionId: null,
    agentId: null,
    error: null,
  });
const list = (size = 50, skip = 0) =>
  listDeliveriesWithResults({
    ctx: tenant.ctx,
    input: { webhookId, page: { size, skip } },
    deps: tenant.deps,
  });
const replay = (
  deliveryId: string,
  once?: { token: string; earlier: string[] },
  body: { subscriptionId?: string } = {},
) =>
  replayDelivery({
    ctx: { ...tenant.ctx, once },
    input: { webhookId, deliveryId, body },
    deps: tenant.deps,
  });

describe("a delivery", () => {
  test("keeps what became of it when it is written again", async () => {
    const item = newDelivery();
    expect(await putDelivery(db, tenantId(), item)).toBe("written");
    await setDeliveryStatus(db, tenantId(), webhookId, item.id, "Dispatched");
    expect(await putDelivery(db, tenantId(), item)).toBe("known");
    expect(await getDelivery(db, tenantId(), webhookId, item.id)).toEqual({
      ...item,
      status: "Dispatched",
    });
  });

  test("that is gone is not made again by what becomes of it", async () => {
    const id = newUuid(tenant.ctx);
    expect(await setDeliveryStatus(db, tenantId(), webhookId, id, "Failed")).toBe("gone");
    expect(await getDelivery(db, tenantId(), webhookId, id)).toBeUndefined();
  });

  test("has one result for each subscription, the last that was said", async () => {
    const id = await deliver();
    const subscription = newUuid(tenant.ctx);
    await report(id, subscription, 1);
    await report(id, subscription, 2);
    expect(await listResults(db, tenantId(), webhookId, id)).toMatchObject([
      { subscriptionId: subscription, attempts: 2 },
    ]);
  });
});

describe("the provider's own delivery id", () => {
  const mark = (deliveryId: string, id: string) =>
    markSeen(db, tenantId(), webhookId, deliveryId, { id, now: tenant.ctx.clock() });

  test("is new once, the same to whoever marked it, and seen to all others, for 24 hours", async () => {
    expect(await mark("a", "one")).toBe("new");
    expect(await mark("a", "one")).toBe("same");
    expect(await mark("a", "two")).toBe("seen");
    expect(await mark("b", "two")).toBe("new");
    tenant.advance(dayMs - 1);
    expect(await mark("a", "three")).toBe("seen");
    tenant.advance(1);
    expect(await mark("a", "three")).toBe("new");
    expect(await mark("a", "one")).toBe("seen");
  });

  test("is new to one of many who come at once", async () => {
    const outcomes = await Promise.all(["1", "2", "3", "4"].map((id) => mark("a", id)));
    expect(outcomes.toSorted()).toEqual(["new", "seen", "seen", "seen"]);
  });

  test("may be as long as it likes", async () => {
    const long = "x".repeat(5_000);
    expect(await mark(long, "one")).toBe("new");
    expect(await mark(`${long}y`, "two")).toBe("new");
    expect(await mark(long, "three")).toBe("seen");
    expect(await mark("", "four")).toBe("new");
  });
});

describe("the list of deliveries", () => {
  test("is paged, newest first, each with its own results in the order of the subscriptions", async () => {
    const ids = [];
    for (const subscribers of [2, 0, 3]) ids.unshift(await deliver(subscribers));
    const page = await list(2);
    expect(page.items.map(({ id, results }) => [id, results.length])).toEqual([
      [ids[0], 3],
      [ids[1], 0],
    ]);
    const order = page.items[0]?.results.map(({ subscriptionId }) => subscriptionId) ?? [];
    expect(order).toEqual(order.toSorted());
    expect(page.nextPageToken).toBe("2");
    const last = await list(2, 2);
    expect(last.items.map(({ id, results }) => [id, results.length])).toEqual([[ids[2], 2]]);
    expect(last.nextPageToken).toBeNull();
  });

  test("reads the results of a page together", async () => {
    for (let count = 0; count < 10; count += 1) await deliver(1);
    db.calls.length = 0;
    expect((await list()).items).toHaveLength(10);
    expect(db.calls).toEqual(["GetItem", "Query", "Query"]);
  });

  test("ends a page early that would hold too many results, and goes on there", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.unshift(await deliver(4));
    const listed = (most: number, skip = 0) =>
      listDeliveriesWithResults({
        ctx: tenant.ctx,
        input: { webhookId, page: { size: 50, skip } },
        deps: tenant.deps,
        maxResults: most,
      });
    const first = await listed(10);
    expect(first.items.map(({ id, results }) => [id, results.length])).toEqual([
      [ids[0], 4],
      [ids[1], 4],
    ]);
    expect(first.nextPageToken).toBe("2");
    expect(await listed(10, 2)).toMatchObject({ items: [{ id: ids[2] }], nextPageToken: null });
    expect((await listed(3)).items).toHaveLength(1);
  });

  test("leaves out what is older than 30 days, whether the table has removed it or not", async () => {
    const old = await deliver(1);
    tenant.advance(30 * dayMs - 1_000);
    const recent = await deliver(1);
    expect((await list()).items.map(({ id }) => id)).toEqual([recent, old]);
    tenant.advance(2_000);
    expect(await list(1)).toMatchObject({ items: [{ id: recent }] });
    expect(await list(2)).toMatchObject({ items: [{ id: recent }], nextPageToken: null });
    expect(await list(1, 1)).toEqual({ items: [], nextPageToken: null });
    await expect(replay(old)).rejects.toMatchObject({ slug: "not-found" });
  });

  test("of an unknown webhook is not found", async () => {
    webhookId = newUuid(tenant.ctx);
    await expect(list()).rejects.toMatchObject({ slug: "not-found" });
  });
});

describe("replaying a delivery", () => {
  test("has it dispatched once more, as a repetition of its own", async () => {
    const id = await deliver(1);
    expect(await replay(id)).toEqual({ runs: [] });
    await replay(id);
    const message = { type: "dispatch-delivery", tenantId: tenantId(), webhookId, id };
    expect(tenant.sent).toMatchObject([message, message]);
    expect(new Set(tenant.sent.map((each) => JSON.stringify(each))).size).toBe(2);
  });

  test("is the same repetition when its request is made again after it died", async () => {
    const id = await deliver();
    const token = newUuid(tenant.ctx);
    await replay(id, { token, earlier: [] });
    await replay(id, { token: newUuid(tenant.ctx), earlier: [token] });
    expect(tenant.sent).toMatchObject([{ replayId: token }, { replayId: token }]);
  });

  test("is refused for an unknown delivery, and while the webhook is disabled", async () => {
    const id = await deliver();
    await expect(replay(newUuid(tenant.ctx))).rejects.toMatchObject({ slug: "not-found" });
    const input = { webhookId, body: { status: "DISABLED" } as const };
    await updateWebhook({ ctx: tenant.ctx, input, deps: tenant.deps });
    await expect(replay(id)).rejects.toMatchObject({ slug: "conflict" });
    expect(tenant.sent).toEqual([]);
  });
});
