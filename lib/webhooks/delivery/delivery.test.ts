import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDelivery } from "../../../test/harness/deliveries.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { computeTtl } from "../../tenancy/tenant/retention.ts";
import { DispatchDeliveryMessage } from "../messages.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import { updateWebhook } from "../webhook/update-webhook.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { getDeliveryDetail } from "./get-delivery.ts";
import { listDeliveriesWithResults } from "./list-deliveries.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { listDeliveryRuns, putResults } from "./result-store.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { claimDelivery, getDelivery, type StoredDelivery } from "./store.ts";

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
  const created = await createWebhook(tenant.deps, { ctx, body: { provider: "github" } });
  webhookId = created.id;
  tenant.sent.length = 0;
});

const tenantId = () => tenant.ctx.tenant.id;
const newDelivery = (more: Parameters<typeof testDelivery>[2] = {}) => {
  tenant.advance(1);
  return testDelivery(tenant.ctx, webhookId, more);
};
const claim = (item: ReturnType<typeof newDelivery>) => claimDelivery(db, tenantId(), item);
const deliver = async (subscribers = 0, deliveryId: string | null = null) => {
  const targets = Array.from({ length: subscribers }, () => ({
    subscriptionId: newUuid(tenant.ctx),
    status: "Succeeded" as const,
  }));
  return (await claim(newDelivery({ deliveryId, targets }))).delivery.id;
};
const stored = async (id: string): Promise<StoredDelivery> => {
  const delivery = await getDelivery(db, tenantId(), webhookId, id);
  if (!delivery) throw new Error(`no delivery ${id}`);
  return delivery;
};
const read = (deliveryId: string) =>
  getDeliveryDetail(
    { ...tenant.deps, signUrl: async () => "" },
    { ctx: tenant.ctx, webhookId, deliveryId },
  );
const list = (size = 50, skip = 0) =>
  listDeliveriesWithResults(tenant.deps, { ctx: tenant.ctx, webhookId, page: { size, skip } });
const replay = (
  deliveryId: string,
  once?: { token: string; earlier: string[] },
  body: { subscriptionId?: string } = {},
) => replayDelivery(tenant.deps, { ctx: { ...tenant.ctx, once }, webhookId, deliveryId, body });

describe("a delivery", () => {
  test("is stored once, and a repeated message finds it unchanged", async () => {
    const item = newDelivery();
    expect(await claim(item)).toMatchObject({ outcome: "new", delivery: item });
    const repeated = await claim({ ...item, attempts: 2, parts: 3 });
    expect(repeated).toMatchObject({ outcome: "known", delivery: item });
    expect(await stored(item.id)).toMatchObject(item);
  });

  test("has one result per subscription and part, the last stored one", async () => {
    const { delivery } = await claim(newDelivery({ parts: 1 }));
    const subscriptionId = newUuid(tenant.ctx);
    for (const attempts of [1, 2]) {
      const name = { id: delivery.id, ttl: delivery.ttl, replayId: null, part: 1 };
      const targets = [{ subscriptionId, status: "Failed" as const }];
      await putResults(db, { tenantId: tenantId(), webhookId }, name, { attempts, targets });
    }
    expect(await listDeliveryRuns(db, tenantId(), delivery)).toMatchObject([
      { subscriptionId, attempts: 2, executionId: null },
    ]);
  });
});

describe("the provider's delivery id", () => {
  const claimById = async (deliveryId: string | null) =>
    (await claim(newDelivery({ deliveryId }))).outcome;

  test("makes a delivery a duplicate for 24 hours", async () => {
    expect(await claimById("a")).toBe("new");
    expect(await claimById("a")).toBe("duplicate");
    expect(await claimById("b")).toBe("new");
    tenant.advance(dayMs - 4);
    expect(await claimById("a")).toBe("duplicate");
    tenant.advance(1);
    expect(await claimById("a")).toBe("new");
    expect(await claimById("a")).toBe("duplicate");
  });

  test("that arrives again after 24 hours leaves the earlier delivery and its results unchanged", async () => {
    const targets = [{ subscriptionId: newUuid(tenant.ctx), status: "Skipped" as const }];
    const first = newDelivery({ targets });
    await claim(first);
    const duplicate = newDelivery();
    await claim(duplicate);
    tenant.advance(dayMs);
    const second = newDelivery();
    expect((await claim(second)).outcome).toBe("new");
    expect(
      (await list()).items.map(({ id, status, results }) => [id, status, results.length]),
    ).toEqual([
      [second.id, "Dispatched", 0],
      [duplicate.id, "Duplicate", 0],
      [first.id, "Dispatched", 1],
    ]);
    expect((await claim(first)).outcome).toBe("known");
    expect((await claim(duplicate)).outcome).toBe("duplicate");
    for (const { id } of [first, duplicate, second]) expect((await read(id)).id).toBe(id);
  });

  test("says whether a subscription matched it, as far as that is known", async () => {
    const subscriptionId = newUuid(tenant.ctx);
    const skipped = { subscriptionId, status: "Skipped" as const };
    const failed = { subscriptionId, status: "Failed" as const, error: "The filter failed." };
    const cases = [
      { parts: 0, targets: [], matched: false },
      { parts: 0, targets: [skipped], matched: false },
      { parts: 0, targets: [failed], matched: true },
      {
        parts: 0,
        targets: [skipped, { ...failed, subscriptionId: newUuid(tenant.ctx) }],
        matched: true,
      },
      { parts: 1, targets: [], matched: null },
      { parts: 1, targets: [failed], matched: true },
    ];
    for (const { targets, parts, matched } of cases) {
      tenant.advance(1);
      await claim(newDelivery({ deliveryId: null, targets: [...targets], parts }));
      expect((await list(1)).items).toMatchObject([{ matched }]);
    }
    const first = newDelivery({ deliveryId: "twice" });
    await claim(first);
    await claim(newDelivery({ deliveryId: "twice" }));
    expect((await list()).items[0]).toMatchObject({ status: "Duplicate", matched: null });
  });

  test("is new to one of many that arrive at the same time", async () => {
    const outcomes = await Promise.all(["1", "2", "3", "4"].map(() => claimById("a")));
    expect(outcomes.toSorted()).toEqual(["duplicate", "duplicate", "duplicate", "new"]);
    expect((await list()).items).toHaveLength(4);
  });

  test("may have any length, and none deduplicates nothing", async () => {
    const long = "x".repeat(5_000);
    expect(await claimById(long)).toBe("new");
    expect(await claimById(`${long}y`)).toBe("new");
    expect(await claimById(long)).toBe("duplicate");
    expect(await claimById("")).toBe("new");
    expect(await claimById(null)).toBe("new");
    expect(await claimById(null)).toBe("new");
  });

  test("with the same digest as another one is not a duplicate of it", async () => {
    const first = newDelivery({ deliveryId: "a" });
    await claim(first);
    const second = newDelivery({ deliveryId: "b" });
    const id = second.id.slice(0, 19) + first.id.slice(19);
    expect((await claim({ ...second, id })).outcome).toBe("new");
    expect((await read(id)).deliveryId).toBe("b");
    expect((await read(first.id)).deliveryId).toBe("a");
  });
});

describe("a delivery by its signed body", () => {
  const body = "digest";
  const claimSigned = async (item: ReturnType<typeof newDelivery>, signedBody = body) => {
    const [claimed] = await claimDeliveries(db, tenantId(), [{ item, signedBody }]);
    if (!claimed || "failure" in claimed) throw claimed?.failure;
    return claimed;
  };
  const claimBySignedBody = async (...claimed: Parameters<typeof claimSigned>) =>
    (await claimSigned(...claimed)).outcome;

  test("is stored with one call, and recognized by a repeated message", async () => {
    const item = newDelivery();
    db.calls.length = 0;
    expect(await claimBySignedBody(item)).toBe("new");
    expect(db.calls).toEqual(["BatchExecuteStatement"]);
    expect(await claimBySignedBody(item)).toBe("known");
    expect((await list()).items).toMatchObject([{ id: item.id, status: "Dispatched" }]);
  });

  test("is a duplicate within 24 hours of the same body under another id, or of another body under the same id", async () => {
    const first = newDelivery({ deliveryId: "one" });
    await claimSigned(first);
    const again = newDelivery({ deliveryId: "two" });
    expect(await claimBySignedBody(again)).toBe("duplicate");
    expect(await claimBySignedBody(again)).toBe("duplicate");
    expect(await claimBySignedBody(newDelivery({ deliveryId: "one" }), "other")).toBe("duplicate");
    expect((await list()).items.map(({ status }) => status)).toEqual([
      "Duplicate",
      "Duplicate",
      "Dispatched",
    ]);
    tenant.advance(dayMs);
    expect(await claimBySignedBody(newDelivery({ deliveryId: "three" }))).toBe("new");
  });

  test("that is a duplicate claims neither its id nor its body from deliveries that are none", async () => {
    await claimSigned(newDelivery({ deliveryId: "one" }));
    expect(await claimBySignedBody(newDelivery({ deliveryId: "two" }))).toBe("duplicate");
    expect(await claimBySignedBody(newDelivery({ deliveryId: "two" }), "other")).toBe("new");
    expect(await claimBySignedBody(newDelivery({ deliveryId: "one" }), "third")).toBe("duplicate");
    expect(await claimBySignedBody(newDelivery({ deliveryId: "three" }), "third")).toBe("new");
  });

  test("is dispatched by one of several concurrent arrivals", async () => {
    const items = Array.from({ length: 6 }, (_, at) => newDelivery({ deliveryId: `id-${at}` }));
    const outcomes = await Promise.all(items.map((item) => claimBySignedBody(item)));
    expect(outcomes.filter((outcome) => outcome === "new")).toHaveLength(1);
  });
});

describe("the list of deliveries", () => {
  test("is paged, newest first, with the results in the order of the subscriptions", async () => {
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
    for (let count = 0; count < 10; count += 1)
      await claim(newDelivery({ parts: 1, deliveryId: null }));
    db.calls.length = 0;
    expect((await list()).items).toHaveLength(10);
    expect(db.calls).toEqual(["GetItem", "Query", "BatchGetItem", "BatchGetItem"]);
  });

  test("ends a page early before it contains too many results, and continues there", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.unshift(await deliver(4));
    const listed = (most: number, skip = 0) =>
      listDeliveriesWithResults(tenant.deps, {
        ctx: tenant.ctx,
        webhookId,
        page: { size: 50, skip },
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

  test("leaves out deliveries older than 30 days, whether the table has removed them or not", async () => {
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

  test("leaves out newer deliveries that expire earlier than older ones", async () => {
    const old = await deliver(1);
    tenant.advance(dayMs);
    const ttl = computeTtl(tenant.ctx.clock(), 1);
    await claim(newDelivery({ ttl, deliveryId: newUuid(tenant.ctx) }));
    tenant.advance(2 * dayMs);
    const first = await list(1);
    expect(first).toMatchObject({ items: [], nextPageToken: "1" });
    expect(await list(1, 1)).toMatchObject({ items: [{ id: old }], nextPageToken: null });
  });

  test("of an unknown webhook is not found", async () => {
    webhookId = newUuid(tenant.ctx);
    await expect(list()).rejects.toMatchObject({ slug: "not-found" });
  });
});

describe("a test event", () => {
  const send = (body: { eventType?: string } = {}) =>
    sendTestEvent(tenant.deps, { ctx: tenant.ctx, webhookId, body });

  test("is queued as a delivery of the provider's most common event, with a mark and without a signature", async () => {
    const { deliveryId, eventType } = await send();
    expect(eventType).toBe("push");
    expect(tenant.sent).toHaveLength(1);
    const message = DispatchDeliveryMessage.parse(tenant.sent[0]);
    expect(message).toMatchObject({ webhookId, id: deliveryId });
    expect(message.content).toMatchObject({
      provider: "github",
      eventType: "push",
      headers: { "wharf-test": "true" },
    });
    expect(message.content?.signedBody).toBeUndefined();
  });

  test("of a type without a sample is refused with the types that have one; a disabled webhook gets none", async () => {
    expect(await send({ eventType: "issues" })).toMatchObject({ eventType: "issues" });
    await expect(send({ eventType: "party" })).rejects.toMatchObject({
      members: {
        errors: [{ pointer: "/eventType", detail: expect.stringContaining("push, issues") }],
      },
    });
    const ctx = { ...tenant.ctx, baseUrl: "https://api.example.com" };
    await updateWebhook(tenant.deps, { ctx, webhookId, body: { status: "DISABLED" } });
    await expect(send()).rejects.toMatchObject({ slug: "conflict" });
  });
});

describe("replaying a delivery", () => {
  test("dispatches it again, as a separate repetition", async () => {
    const id = await deliver(1);
    expect(await replay(id)).toEqual({ runs: [] });
    await replay(id);
    const message = { type: "dispatch-delivery", tenantId: tenantId(), webhookId, id };
    expect(tenant.sent).toMatchObject([message, message]);
    expect(new Set(tenant.sent.map((message) => JSON.stringify(message))).size).toBe(2);
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
    await updateWebhook(tenant.deps, { ctx: tenant.ctx, ...input });
    await expect(replay(id)).rejects.toMatchObject({ slug: "conflict" });
    expect(tenant.sent).toEqual([]);
  });
});
