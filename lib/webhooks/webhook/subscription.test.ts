import { beforeEach, describe, expect, test } from "vitest";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { createConnector } from "../../chat/connector/create-connector.ts";
import { deleteConnector } from "../../chat/connector/delete-connector.ts";
import { PurgeConnectorMessage } from "../../chat/messages.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { ChatProviderId } from "../../vendors/registry/ids.ts";
import { createSubscription } from "./create-subscription.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteSubscription } from "./delete-subscription.ts";
import { CreateSubscriptionBody } from "./schemas.ts";
import { getSubscription, listSubscriptions } from "./store.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;
let webhookId: string;

beforeEach(async () => {
  db = await testDatabase();
  tenant = testTenant(db);
  await tenant.createAgent("hello");
  webhookId = await newWebhook();
});

const tenantId = () => tenant.ctx.tenant.id;
const newWebhook = async () => {
  const ctx = { ...tenant.ctx, baseUrl: "https://api.example.com" };
  return (await createWebhook(tenant.deps, { ctx, body: { provider: "github" } })).id;
};
const subscribe = (body: object = {}, webhook = webhookId) =>
  createSubscription(tenant.deps, {
    ctx: tenant.ctx,
    webhookId: webhook,
    body: CreateSubscriptionBody.parse({
      subscriberType: "Agent",
      subscriberId: "hello",
      ...body,
    }),
  });
/** A connector of `hello`. */
const connect = async (provider: ChatProviderId = "generic", parameters = {}) => {
  const replyUrl = "https://chat.example.com/replies";
  const body = { provider, parameters: provider === "generic" ? { replyUrl } : parameters };
  const ctx = { ...tenant.ctx, baseUrl: "https://api.example.com" };
  const outgoing = { allowPrivateAddresses: false };
  const deps = { ...tenant.deps, outgoing };
  return (await createConnector(deps, { ctx, agentId: "hello", body })).id;
};
const subscribeConnector = (subscriberId: string, body: object = {}) =>
  subscribe({ subscriberType: "Connector", subscriberId, ...body });
const remove = (subscriptionId: string, webhook = webhookId) =>
  deleteSubscription(tenant.deps, { tenantId: tenantId(), webhookId: webhook, subscriptionId });
const list = () => listSubscriptions(db, tenantId(), webhookId);
const places = async (work: Promise<unknown>) =>
  expect(work)
    .rejects.toMatchObject({ slug: "validation-failed" })
    .then(() =>
      work.catch((error: { members: { errors: { pointer: string }[] } }) =>
        error.members.errors.map(({ pointer }) => pointer),
      ),
    );
const itemsOfTenant = async () =>
  (await db.scan()).filter((item) => String(item.pk).includes(tenantId()));
const readCounters = async (id: string) => {
  const item = (await itemsOfTenant()).find(({ sk }) => sk === `WEBHOOK#${id}`);
  return [item?.subscriptions ?? 0, item?.subscriptionBytes ?? 0];
};

describe("a subscription", () => {
  test("is stored as sent, for any JSON input, and listed in order of creation", async () => {
    const input = {
      whole: "{% payload %}",
      text: "{% eventType %} of {% provider %}",
      numbers: [1e300, 2 ** 60, -0.1],
      nothing: null,
      deep: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]],
    };
    const first = await subscribe({ input, eventTypes: ["push"], filter: "payload.ref = 'x'" });
    tenant.advance(1);
    const second = await subscribe();
    expect(second).toMatchObject({ input: null, eventTypes: null, filter: null });
    expect(first.input).toEqual(input);
    expect(await list()).toEqual([first, second]);
    expect(await getSubscription(db, tenantId(), webhookId, first.id)).toEqual(first);
  });

  test("is refused with the pointers of an invalid filter and input", {
    tags: "nightly",
  }, async () => {
    expect(await places(subscribe({ filter: "payload.(" }))).toEqual(["/filter"]);
    expect(await places(subscribe({ input: { a: [{ "b/c": "{% 1 + %}" }] } }))).toEqual([
      "/input/a/0/b~1c",
    ]);
    expect(await places(subscribe({ filter: "$eval('1')", input: "{% ( %}" }))).toEqual([
      "/filter",
      "/input",
    ]);
    expect(await places(subscribe({ input: "x".repeat(70_000) }))).toEqual(["/input"]);
  });

  test("is refused for agents and assets that do not exist and unknown webhooks", async () => {
    expect(await places(subscribe({ subscriberType: "Asset" }))).toEqual(["/subscriberId"]);
    expect(await places(subscribe({ subscriberId: "nobody" }))).toEqual(["/subscriberId"]);
    const nowhere = subscribe({}, "0193f0a0-7c4b-7000-8000-00000000dead");
    await expect(nowhere).rejects.toMatchObject({ slug: "not-found" });
    expect(await list()).toEqual([]);
  });

  test("is refused when the subscriptions of its webhook would be too large to list", {
    tags: "nightly",
  }, async () => {
    const input = "x".repeat(65_000);
    for (let count = 0; count < 61; count += 1) await subscribe({ input });
    await expect(subscribe({ input })).rejects.toMatchObject({ slug: "conflict" });
    const [oldest] = await list();
    await remove(oldest?.id ?? "");
    await subscribe({ input });
  });

  test("that is deleted leaves no items and is unknown", { tags: "nightly" }, async () => {
    const before = await itemsOfTenant();
    const { id } = await subscribe({ input: { a: 1 } });
    await remove(id);
    expect(await list()).toEqual([]);
    expect(await readCounters(webhookId)).toEqual([0, 0]);
    expect((await itemsOfTenant()).length).toBe(before.length);
    await expect(remove(id)).rejects.toMatchObject({ slug: "not-found" });
    await expect(remove(id, await newWebhook())).rejects.toMatchObject({ slug: "not-found" });
  });

  test("is deleted by one of two concurrent requests", { tags: "nightly" }, async () => {
    const { id } = await subscribe();
    const outcomes = await Promise.allSettled([remove(id), remove(id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await readCounters(webhookId)).toEqual([0, 0]);
  });

  test("counts all concurrent creations", async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => subscribe()));
    expect(await readCounters(webhookId)).toMatchObject([8, expect.any(Number)]);
    await Promise.all(created.map(({ id }) => remove(id)));
    expect(await readCounters(webhookId)).toEqual([0, 0]);
  });
});

describe("a connector", () => {
  const message = { user: { id: "u" }, conversation: { id: "c" }, text: "{% payload.text %}" };

  test("subscribes by its id in any case, with an input or without", async () => {
    const id = await connect();
    const plain = await subscribeConnector(id.toUpperCase());
    expect(plain).toMatchObject({ subscriberType: "Connector", subscriberId: id, input: null });
    const mapped = await subscribeConnector(id, { input: message });
    expect(await list()).toEqual([plain, mapped]);
    await remove(plain.id);
    expect(await list()).toEqual([mapped]);
  });

  test("is refused for an id that is not a connector of the tenant, such as an agent's", async () => {
    const elsewhere = testTenant(db);
    await elsewhere.createAgent("hello");
    const own = tenant;
    tenant = elsewhere;
    const foreign = await connect();
    tenant = own;
    for (const id of [foreign, "hello", newUuid(tenant.ctx)]) {
      expect(await places(subscribeConnector(id))).toEqual(["/subscriberId"]);
    }
    const id = await connect();
    expect(await places(subscribe({ subscriberId: id }))).toEqual(["/subscriberId"]);
    expect(await list()).toEqual([]);
  });

  test("of Teams is refused with an input", async () => {
    const id = await connect("teams", { appId: "app", appPassword: "password" });
    expect(await places(subscribeConnector(id, { input: message }))).toEqual(["/input"]);
    await subscribeConnector(id);
    await subscribeConnector(id, { input: null });
  });

  test("that is deleted loses its subscriptions at every webhook, and no others", {
    tags: "nightly",
  }, async () => {
    const [id, other] = [await connect(), await connect()];
    const second = await newWebhook();
    const others = [await subscribeConnector(other), await subscribe()];
    for (let count = 0; count < 2; count += 1) await subscribeConnector(id);
    await subscribe({ subscriberType: "Connector", subscriberId: id }, second);
    await deleteConnector(tenant.deps, { tenantId: tenantId(), agentId: "hello", connectorId: id });
    expect(await places(subscribeConnector(id))).toEqual(["/subscriberId"]);
    const { clock } = tenant.ctx;
    for (let left = tenant.sent.pop(); left !== undefined; left = tenant.sent.pop()) {
      const { data } = PurgeConnectorMessage.safeParse(left);
      if (data) await purgeDeleted(data, { ...tenant.deps, clock, until: 0 });
    }
    expect(await list()).toEqual(others);
    expect(await readCounters(second)).toEqual([0, 0]);
    const left = (await itemsOfTenant()).map(({ pk }) => String(pk));
    expect(left.filter((pk) => pk.includes(`SUBSCRIBER#Connector#${id}`))).toEqual([]);
  });
});

describe("deleting an agent", () => {
  const removeAgent = () => deleteAgent(tenant.deps, { tenantId: tenantId(), agentId: "hello" });
  const purge = (until = Number.MAX_SAFE_INTEGER) =>
    purgeDeleted(
      { type: "purge-agent", tenantId: tenantId(), agentId: "hello" },
      { ...tenant.deps, clock: tenant.ctx.clock, until },
    );

  test("deletes its subscriptions at every webhook, and no others", {
    tags: "nightly",
  }, async () => {
    await tenant.createAgent("other");
    const second = await newWebhook();
    await subscribe();
    await subscribe({}, second);
    const others = await subscribe({ subscriberId: "other" });
    await removeAgent();
    await purge();
    expect(await list()).toEqual([others]);
    expect(await readCounters(second)).toEqual([0, 0]);
    const left = (await itemsOfTenant()).map(({ pk }) => String(pk));
    expect(left.filter((pk) => pk.includes("SUBSCRIBER#Agent#hello"))).toEqual([]);
  });

  test("deletes the subscriptions of its connectors", { tags: "nightly" }, async () => {
    await subscribeConnector(await connect());
    await removeAgent();
    await purge();
    expect(await list()).toEqual([]);
    const left = (await itemsOfTenant()).map(({ pk }) => String(pk));
    expect(left.filter((pk) => pk.includes("SUBSCRIBER#"))).toEqual([]);
  });

  test("frees the agent's id only after its subscriptions are deleted, however often it is interrupted", {
    tags: "nightly",
  }, async () => {
    for (let count = 0; count < 3; count += 1) await subscribe();
    await removeAgent();
    for (let left = 2; left >= 0; left -= 1) {
      await purge(0);
      expect(await list()).toHaveLength(left);
      await expect(tenant.createAgent("hello")).rejects.toMatchObject({ slug: "conflict" });
    }
    await purge();
    await tenant.createAgent("hello");
    expect(await list()).toEqual([]);
  });

  test("leaves no subscription behind when one is created concurrently", {
    tags: "nightly",
  }, async () => {
    for (let round = 0; round < 6; round += 1) {
      await Promise.allSettled([removeAgent(), subscribe(), subscribe()]);
      await purge();
      expect(await list()).toEqual([]);
      await tenant.createAgent("hello");
    }
  });
});
