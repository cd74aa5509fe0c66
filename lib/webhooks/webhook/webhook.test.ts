import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { testDelivery } from "../../../test/harness/deliveries.ts";
import { memorySealer } from "../../../test/harness/in-memory.ts";
import { packJson } from "../../../test/harness/pack-json.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { newUuid, uuidAt } from "../../platform/runtime/runtime.ts";
import { putResults } from "../delivery/result-store.ts";
import { claimDelivery } from "../delivery/store.ts";
import { createSubscription } from "./create-subscription.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import type { DeliveryItem } from "./items.ts";
import { CreateWebhookBody, UpdateWebhookBody } from "./schemas.ts";
import {
  changeWebhook,
  getWebhook,
  hasMostWebhooks,
  learnSecret,
  listSubscriptions,
  listWebhooks,
  maxWebhooks,
  openSecret,
  putWebhook,
} from "./store.ts";
import { updateWebhook } from "./update-webhook.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  tenant = testTenant(db);
});

const tenantId = () => tenant.ctx.tenant.id;
const create = (input: unknown) =>
  createWebhook(tenant.deps, {
    ctx: { ...tenant.ctx, baseUrl: "https://api.example.com/live" },
    body: CreateWebhookBody.parse(input),
  });
const update = (webhookId: string, body: unknown) =>
  updateWebhook(tenant.deps, { ctx: tenant.ctx, webhookId, body: UpdateWebhookBody.parse(body) });
const remove = (webhookId: string) =>
  deleteWebhook({ ...tenant.deps, clock: tenant.ctx.clock }, { tenantId: tenantId(), webhookId });
const purge = (webhookId: string, until = Number.MAX_SAFE_INTEGER) =>
  purgeDeleted(
    { type: "purge-webhook", tenantId: tenantId(), webhookId },
    { ...tenant.deps, clock: tenant.ctx.clock, until },
  );
const subscribe = (webhookId: string) =>
  createSubscription(tenant.deps, {
    ctx: tenant.ctx,
    webhookId,
    body: { subscriberType: "Agent", subscriberId: "hello" },
  });
const stored = async (webhookId: string) => {
  const item = await getWebhook(db, tenantId(), webhookId);
  if (!item) throw new Error("no webhook");
  return item;
};
/** Items of the tenant, but the tombstones of deleted webhooks, which expire. */
const itemsOfTenant = async () =>
  (await db.scan()).filter(
    ({ pk, sk, ttl }) => String(pk).includes(tenantId()) && !(sk === "SUB" && ttl !== undefined),
  );
const clearText = async () =>
  (await itemsOfTenant())
    .map((item) => JSON.stringify(item, (_, value) => (ArrayBuffer.isView(value) ? "" : value)))
    .join("\n");

describe("a webhook", () => {
  test("has an absolute URL, and a new secret that only create returns and that is stored encrypted", async () => {
    const created = await create({ provider: "github", externalContext: "acme/app" });
    expect(created).toMatchObject({
      provider: "github",
      authMode: "HMAC",
      status: "ACTIVE",
      externalContext: "acme/app",
      filter: null,
      webhookUrl: `https://api.example.com/live/v1/tenants/${tenantId()}/webhooks/github/${created.id}`,
    });
    const secret = created.signingSecret ?? "";
    expect(secret.length).toBeGreaterThan(15);
    const item = await stored(created.id);
    expect(await openSecret(tenant.deps.sealer, tenantId(), item)).toBe(secret);
    expect(await clearText()).not.toContain(secret);
    expect(await update(created.id, { filter: "new" })).toMatchObject({ signingSecret: null });
  });

  test("has a placeholder secret until the provider's own is set", async () => {
    const stripe = await create({ provider: "stripe" });
    expect(stripe.signingSecret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect((await stored(stripe.id)).isStandIn).toBe(true);
    await update(stripe.id, { filter: "new" });
    expect((await stored(stripe.id)).isStandIn).toBe(true);
    await update(stripe.id, { signingSecret: "whsec_theirs" });
    expect((await stored(stripe.id)).isStandIn).toBe(false);
    const given = await create({ provider: "stripe", signingSecret: "whsec_theirs" });
    expect((await stored(given.id)).isStandIn).toBe(false);
  });

  test("has no generated secret if only the provider can create it, or signing is optional", async () => {
    const slack = await create({ provider: "discord" });
    expect(slack).toMatchObject({ authMode: "HMAC", signingSecret: null });
    const generic = await create({ provider: "generic" });
    expect(generic).toMatchObject({ authMode: "API_KEY", signingSecret: null });
    expect([(await stored(slack.id)).secret, (await stored(generic.id)).secret]).toEqual([
      null,
      null,
    ]);
    const signing = await create({ provider: "generic", signingSecret: "our-own" });
    expect(signing).toMatchObject({ authMode: "API_KEY", signingSecret: null });
    expect((await stored(signing.id)).secret).not.toBeNull();
  });

  test("of an unknown provider is refused with the list of providers", async () => {
    await expect(create({ provider: "carrier-pigeon" })).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [{ pointer: "/provider", detail: expect.stringContaining("github") }] },
    });
  });

  test("accepts a secret only in the provider's format, on create and update", async () => {
    const places = { members: { errors: [{ pointer: "/signingSecret" }] } };
    const wrong = { signingSecret: "whsec_ not this" };
    await expect(create({ provider: "standard", ...wrong })).rejects.toMatchObject(places);
    const { id } = await create({ provider: "standard" });
    await expect(update(id, wrong)).rejects.toMatchObject(places);
  });

  test("updates only sent members, null clears, and a new secret is not returned", async () => {
    const { id } = await create({ provider: "slack", filter: "a", externalContext: "b" });
    tenant.advance(1_000);
    const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
    expect(await update(id, { signingSecret, status: "DISABLED" })).toMatchObject({
      filter: "a",
      externalContext: "b",
      status: "DISABLED",
      signingSecret: null,
      modifiedAt: tenant.ctx.clock(),
    });
    const opened = async () => openSecret(tenant.deps.sealer, tenantId(), await stored(id));
    expect(await opened()).toBe(signingSecret);
    expect(await clearText()).not.toContain(signingSecret);
    expect(await update(id, { filter: null, signingSecret: null })).toMatchObject({
      filter: null,
      externalContext: "b",
      status: "DISABLED",
    });
    expect(await opened()).toBeNull();
  });

  test("is not found by another tenant", async () => {
    const { id } = await create({ provider: "github" });
    tenant = testTenant(db);
    await expect(update(id, {})).rejects.toMatchObject({ slug: "not-found" });
    await expect(remove(id)).rejects.toMatchObject({ slug: "not-found" });
  });

  test("is listed newest first", async () => {
    const createdIds = [];
    for (const provider of ["github", "generic", "slack"]) {
      createdIds.push((await create({ provider })).id);
      tenant.advance(1);
    }
    const list = await listWebhooks(db, tenantId());
    expect(list.map(({ id }) => id)).toEqual(createdIds.reverse());
  });

  test("is refused at the tenant's limit", { tags: "nightly" }, async () => {
    const item = await stored((await create({ provider: "github" })).id);
    const ids = Array.from({ length: maxWebhooks - 1 }, (_, at) => {
      return uuidAt(at, tenant.ctx.randomBytes(10));
    });
    for (const id of ids.slice(1)) await putWebhook(db, tenantId(), { ...item, id });
    expect(await hasMostWebhooks(db, tenantId())).toBe(false);
    await create({ provider: "github" });
    await expect(create({ provider: "github" })).rejects.toMatchObject({ slug: "conflict" });
  });
});

describe("a secret that the provider sends", () => {
  const learn = (id: string, secret: string) =>
    learnSecret(db, tenant.deps.sealer, tenantId(), { before: { id, secret: null }, secret });

  test("is saved once, from the first request", async () => {
    const { id } = await create({ provider: "notion" });
    expect((await stored(id)).secret).toBeNull();
    const outcomes = await Promise.all([learn(id, "one"), learn(id, "two"), learn(id, "three")]);
    expect(outcomes.toSorted()).toEqual(["taken", "taken", "written"]);
    const winner = ["one", "two", "three"][outcomes.indexOf("written")];
    expect(await openSecret(memorySealer(), tenantId(), await stored(id))).toBe(winner);
    expect(await learn(id, "four")).toBe("taken");
  });

  test("does not recreate a deleted webhook", async () => {
    const { id } = await create({ provider: "notion" });
    await remove(id);
    expect(await learn(id, "late")).toBe("taken");
    expect(await getWebhook(db, tenantId(), id)).toBeUndefined();
  });

  test("can only be decrypted for its webhook", async () => {
    const { secret } = await stored((await create({ provider: "github" })).id);
    const { id } = await create({ provider: "github" });
    const open = openSecret(tenant.deps.sealer, tenantId(), { id, secret });
    await expect(open).rejects.toThrow("sealed for another context");
  });
});

describe("deleting a webhook", () => {
  const remote = { id: "hook-7", configId: "config-1" };
  const register = async (id: string) =>
    changeWebhook(
      db,
      { tenantId: tenantId(), webhookId: id },
      { remote, modifiedAt: tenant.ctx.clock() },
      await stored(id),
    );
  /** Stores a delivery with a replay's results, and a duplicate of it. */
  const deliver = async (webhookId: string, payload: DeliveryItem["payload"]) => {
    const deliveryId = newUuid(tenant.ctx);
    const item = testDelivery(tenant.ctx, webhookId, { payload, deliveryId });
    await claimDelivery(db, tenantId(), item);
    tenant.advance(1);
    await claimDelivery(db, tenantId(), testDelivery(tenant.ctx, webhookId, { deliveryId }));
    const name = { id: item.id, ttl: item.ttl, replayId: newUuid(tenant.ctx), part: 1 };
    const targets = [{ subscriptionId: webhookId, status: "Skipped" as const }];
    const place = { tenantId: tenantId(), webhookId };
    await putResults(db, place, name, { attempts: 1, targets });
  };

  beforeEach(() => tenant.createAgent("hello"));

  test("hides it immediately, queues the purge, and returns 404 when repeated", async () => {
    const { id } = await create({ provider: "github" });
    tenant.sent.length = 0;
    await remove(id);
    expect(await getWebhook(db, tenantId(), id)).toBeUndefined();
    expect(await listWebhooks(db, tenantId())).toEqual([]);
    const asked = { type: "purge-webhook", tenantId: tenantId(), webhookId: id };
    expect(tenant.sent).toEqual([asked]);
    await expect(remove(id)).rejects.toMatchObject({ slug: "not-found" });
    expect(tenant.sent).toEqual([asked, asked]);
    await purge(id);
    await expect(remove(id)).rejects.toMatchObject({ slug: "not-found" });
    expect(tenant.sent).toHaveLength(2);
  });

  test("leaves nothing in the table or the bucket but a mark that expires", {
    tags: "nightly",
  }, async () => {
    const before = (await itemsOfTenant()).length;
    const { id } = await create({ provider: "github" });
    await subscribe(id);
    await subscribe(id);
    await tenant.deps.objects.put("large", new Uint8Array(1));
    await deliver(id, { object: "large" });
    await remove(id);
    await purge(id);
    expect((await itemsOfTenant()).length).toBe(before);
    expect(tenant.deps.objects.all.size).toBe(0);
  });

  test("queues the removal of its listener once", async () => {
    const { id } = await create({ provider: "github", externalContext: "acme/app" });
    await register(id);
    await remove(id);
    tenant.sent.length = 0;
    await purge(id, 0);
    await purge(id);
    expect(tenant.sent).toEqual([
      {
        type: "unregister-webhook",
        tenantId: tenantId(),
        webhookId: id,
        provider: "github",
        remote,
        externalContext: "acme/app",
      },
    ]);
  });

  test("removes a listener that was saved concurrently", { tags: "nightly" }, async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await create({ provider: "github" });
      const before = await stored(id);
      const change = { remote, modifiedAt: tenant.ctx.clock() };
      const [noted] = await Promise.all([
        changeWebhook(db, { tenantId: tenantId(), webhookId: id }, change, before),
        remove(id),
      ]);
      tenant.sent.length = 0;
      await purge(id);
      expect(tenant.sent).toHaveLength(noted ? 1 : 0);
    }
  });

  test("succeeds for one of two concurrent requests", async () => {
    const { id } = await create({ provider: "github" });
    const outcomes = await Promise.allSettled([remove(id), remove(id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await purge(id);
    expect((await itemsOfTenant()).some(({ sk }) => String(sk).includes(id))).toBe(false);
  });

  test("leaves no subscription behind when one is created concurrently", {
    tags: "nightly",
  }, async () => {
    const before = (await itemsOfTenant()).length;
    for (let round = 0; round < 10; round += 1) {
      const { id } = await create({ provider: "github" });
      const [, ...subscribed] = await Promise.allSettled([
        remove(id),
        subscribe(id),
        subscribe(id),
      ]);
      for (const outcome of subscribed) {
        if (outcome.status === "fulfilled") continue;
        expect(outcome.reason).toMatchObject({ slug: "not-found" });
      }
      await purge(id);
      expect(await listSubscriptions(db, tenantId(), id)).toEqual([]);
    }
    expect((await itemsOfTenant()).length).toBe(before);
  });

  test("a purge of an existing webhook, or a repeated one, changes nothing", {
    tags: "nightly",
  }, async () => {
    const { id } = await create({ provider: "github" });
    await subscribe(id);
    const before = await itemsOfTenant();
    await purge(id);
    expect(await itemsOfTenant()).toEqual(before);
    await remove(id);
    await purge(id);
    await purge(id);
    expect((await itemsOfTenant()).some(({ pk }) => String(pk).includes(id))).toBe(false);
  });

  test("a purge that runs out of time queues another, and a crashed one is completed by the next", {
    tags: "nightly",
  }, async () => {
    const before = (await itemsOfTenant()).length;
    const { id } = await create({ provider: "github" });
    await subscribe(id);
    for (let at = 0; at < 60; at += 1) await deliver(id, packJson({}));
    await remove(id);
    tenant.sent.length = 0;
    await purge(id, 0);
    expect(tenant.sent).toHaveLength(1);
    for (const passing of [0, 1, 2, 3, 4]) {
      db.failNext("BatchWriteItem", passing);
      await purge(id).catch(() => undefined);
      db.clearFailures();
    }
    await purge(id);
    expect((await itemsOfTenant()).length).toBe(before);
  });
});
