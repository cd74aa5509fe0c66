import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { jiraExpiry } from "../../../test/harness/listener-apis/jira-api.ts";
import {
  type ListenerServer,
  type StandInProvider,
  startListenerServer,
} from "../../../test/harness/listener-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createIntegrationConfig } from "../../integrations/config/create-integration-config.ts";
import { deleteIntegrationConfig } from "../../integrations/config/delete-integration-config.ts";
import { publishIntegrationConfig } from "../../integrations/config/publish-integration-config.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { canRegister } from "../webhook/can-register.ts";
import { createWebhook } from "../webhook/create-webhook.ts";
import { replaceWebhookByTombstone } from "../webhook/delete-webhook.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { UpdateWebhookBody } from "../webhook/schemas.ts";
import {
  changeWebhook,
  getWebhook,
  openSecret,
  putWebhook,
  sealWebhookSecret,
} from "../webhook/store.ts";
import { updateWebhook } from "../webhook/update-webhook.ts";
import type { RegistrationDeps } from "./reach-registrar.ts";
import { registerWebhook } from "./register-webhook.ts";
import { renewRegistrations } from "./renew-registrations.ts";
import { unregisterWebhook } from "./unregister-webhook.ts";

const day = 24 * 60 * 60 * 1_000;
const secret = "a_signing-secret";
const contexts: Record<StandInProvider, string | null> = {
  github: "acme/app",
  gitlab: "acme/tools/app",
  jira: "https://acme.atlassian.net",
  telegram: null,
  linear: null,
};
const providers = ["github", "gitlab", "jira", "telegram", "linear"] as const;

let db: TestDatabase;
const open: ListenerServer[] = [];

beforeAll(async () => {
  db = await testDatabase();
});
afterEach(async () => {
  db.clearFailures();
  for (const server of open.splice(0)) await server.close();
});

/** A tenant with a published config for a provider's stand-in, and a webhook that waits for its listener. */
const waiting = async (provider: StandInProvider, change: Partial<WebhookItem> = {}) => {
  const server = await startListenerServer(provider);
  open.push(server);
  const tenant = testTenant(db);
  const { ctx } = tenant;
  const tenantId = ctx.tenant.id;
  const config = await createIntegrationConfig(tenant.deps, {
    ctx,
    body: {
      integrationId: provider,
      parameters: { baseUrl: server.url },
      auth: { parameters: { ...server.auth } },
    },
  });
  const publish = { configId: config.id, revision: undefined };
  await publishIntegrationConfig(tenant.deps, { ctx, ...publish });
  const waits: number[] = [];
  const deps: RegistrationDeps = {
    ...tenant.deps,
    outgoing: { allowPrivateAddresses: true },
    clock: ctx.clock,
    randomBytes: ctx.randomBytes,
    sleep: async (ms) => {
      waits.push(ms);
      tenant.advance(ms);
    },
    timeoutMs: 20_000,
  };
  const webhookId = newUuid(ctx);
  const webhook: WebhookItem = {
    id: webhookId,
    provider,
    authMode: "HMAC",
    status: "PENDING",
    statusReason: null,
    externalContext: contexts[provider],
    filter: null,
    expiresAt: null,
    createdAt: ctx.clock(),
    modifiedAt: ctx.clock(),
    baseUrl: "https://api.example.com/live",
    secret: await sealWebhookSecret(tenant.deps.sealer, tenantId, webhookId, secret),
    isSecretToShow: false,
    isStandIn: false,
    remote: null,
    ...change,
  };
  await putWebhook(db, tenantId, webhook);
  const message = { type: "register-webhook", tenantId, webhookId } as const;
  const until = () => ctx.clock() + 90_000;
  return {
    server,
    tenant,
    tenantId,
    deps,
    webhookId,
    configId: config.id,
    waits,
    url: `https://api.example.com/live/v1/tenants/${tenantId}/webhooks/${provider}/${webhookId}`,
    register: (withDeps = deps) => registerWebhook(withDeps, { message, until: until() }),
    read: () => getWebhook(db, tenantId, webhookId),
    remove: async () => {
      const found = await getWebhook(db, tenantId, webhookId);
      if (found) await replaceWebhookByTombstone(db, tenantId, found, ctx.clock());
    },
    unregister: (remoteId: string, withDeps = deps) =>
      unregisterWebhook(withDeps, {
        message: {
          ...message,
          type: "unregister-webhook",
          provider,
          remote: { id: remoteId, configId: config.id },
          externalContext: webhook.externalContext,
        },
        until: until(),
      }),
    left: async () =>
      (await db.scan()).filter(
        ({ pk, sk }) =>
          (String(sk).startsWith("REGISTERING#") && pk === `TENANT#${tenantId}`) ||
          (String(pk).startsWith("EXPIRES#") && String(sk).endsWith(webhookId)),
      ),
  };
};

describe.each(providers)("the listener of a %s webhook", (provider) => {
  test("is registered with the webhook's URL and saved", async () => {
    const { server, register, read, url, configId } = await waiting(provider);
    await register();
    expect(server.listeners.map((listener) => listener.url)).toEqual([url]);
    expect(await read()).toMatchObject({
      status: "ACTIVE",
      statusReason: null,
      remote: { id: server.listeners[0]?.id, configId },
    });
    if (provider !== "jira") expect(JSON.stringify(server.listeners)).toContain(secret);
  });

  test("is registered once for repeated messages", async () => {
    const { server, register } = await waiting(provider);
    await register();
    await register();
    expect(server.listeners).toHaveLength(1);
  });

  test("is registered once by concurrent workers", async () => {
    const { server, register, read } = await waiting(provider);
    const outcomes = await Promise.allSettled([register(), register()]);
    expect(outcomes.map(({ status }) => status)).toContain("fulfilled");
    expect(server.listeners).toHaveLength(1);
    expect(await read()).toMatchObject({ status: "ACTIVE" });
  });

  test("is found again after a crash before it was saved", async () => {
    const { server, register, read } = await waiting(provider);
    db.failNext("TransactWriteItems");
    await expect(register()).rejects.toThrow("planned failure");
    expect(await read()).toMatchObject({ status: "PENDING", remote: null });
    await register();
    expect(server.listeners).toHaveLength(1);
    expect(await read()).toMatchObject({
      status: "ACTIVE",
      remote: { id: server.listeners[0]?.id },
    });
  });

  test("is found again when the provider's response was lost", async () => {
    const { server, register, read } = await waiting(provider);
    server.failChanges("lost");
    await register();
    expect(server.listeners).toHaveLength(1);
    expect(await read()).toMatchObject({ status: "ACTIVE" });
  });

  test("is removed when the webhook is deleted meanwhile", async () => {
    const { server, register, remove, left } = await waiting(provider);
    server.failChanges({ during: remove });
    await register();
    expect(server.listeners).toEqual([]);
    expect(await left()).toEqual([]);
  });

  test("is removed when the webhook was deleted after a crash", async () => {
    const { server, register, remove, left, tenant } = await waiting(provider);
    db.failNext("TransactWriteItems");
    db.failNext("UpdateItem", 1);
    await expect(register()).rejects.toThrow("planned failure");
    await remove();
    expect(server.listeners).toHaveLength(1);
    await expect(register()).rejects.toThrow("another worker");
    tenant.advance(200_000);
    await register();
    expect(server.listeners).toEqual([]);
    expect(await left()).toEqual([]);
  });

  test("waits for a provider that throttles", async () => {
    const { server, register, read, waits } = await waiting(provider);
    server.failNext({ status: 429, headers: { "Retry-After": "7" } });
    await register();
    expect(waits).toEqual([7_000]);
    expect(await read()).toMatchObject({ status: "ACTIVE" });
  });

  test("does not wait beyond its deadline", async () => {
    const { server, register, read } = await waiting(provider);
    const throttled = { status: 429, headers: { "Retry-After": "3600" } };
    server.failNext(throttled, throttled, throttled, throttled);
    await register();
    expect(await read()).toMatchObject({
      status: "FAILED",
      statusReason: expect.stringContaining("(429)"),
    });
  });

  test.each([401, 403, 404])("is not made when the provider responds with %i", async (status) => {
    const { server, register, read, left, waits } = await waiting(provider);
    server.failChanges({ status, body: { message: "the provider's own words" } });
    await register();
    const { status: now, statusReason, remote } = (await read()) ?? {};
    expect({ now, remote, waits }).toEqual({ now: "FAILED", remote: null, waits: [] });
    expect(statusReason).toContain(`(${status})`);
    expect(statusReason).not.toContain("own words");
    for (const credential of Object.values(server.auth)) {
      expect(statusReason).not.toContain(credential);
    }
    expect(await left()).toEqual([]);
  });

  test.each([
    ["fails", { status: 500 }, "(500)"],
    ["does not respond", "hang" as const, "did not respond in time"],
  ])(
    "is tried again when the provider %s, three times",
    { tags: "nightly" },
    async (_, fault, reason) => {
      const { server, register, read, waits, deps } = await waiting(provider);
      server.failChanges(fault, fault, fault);
      await register({ ...deps, timeoutMs: fault === "hang" ? 200 : deps.timeoutMs });
      expect(waits).toEqual([2_000, 4_000]);
      const found = await read();
      expect(found?.statusReason).toContain(reason);
      for (const credential of Object.values(server.auth)) {
        expect(found?.statusReason).not.toContain(credential);
      }
      expect(server.listeners).toEqual([]);
    },
  );

  test("is registered after a transient failure", { tags: "nightly" }, async () => {
    const { server, register, read, deps } = await waiting(provider);
    server.failChanges({ status: 500 }, "hang");
    await register({ ...deps, timeoutMs: 1_500 });
    expect(await read()).toMatchObject({ status: "ACTIVE" });
    expect(server.listeners).toHaveLength(1);
  });

  test("updates an existing listener with its URL", async () => {
    const { server, register, tenantId, webhookId } = await waiting(provider);
    await register();
    const filter = provider === "jira" ? "project = A" : provider === "gitlab" ? "push" : "Issue";
    const change = { status: "PENDING", filter, modifiedAt: 0 } as const;
    await changeWebhook(db, { tenantId, webhookId }, change);
    await register();
    expect(server.listeners).toHaveLength(1);
    if (provider !== "gitlab") {
      expect(JSON.stringify(server.listeners[0]?.settings)).toContain(filter);
    } else {
      expect(server.listeners[0]?.settings).toMatchObject({
        push_events: true,
        issues_events: false,
      });
    }
  });

  test("is removed with its webhook, idempotently", async () => {
    const { server, register, remove, unregister, read } = await waiting(provider);
    await register();
    const id = (await read())?.remote?.id ?? "";
    await unregister(id);
    expect(server.listeners).toHaveLength(1);
    await remove();
    await unregister(id);
    expect(server.listeners).toEqual([]);
    await unregister(id);
  });

  test("that the provider refuses to remove is left; a transient failure is retried", {
    tags: "nightly",
  }, async () => {
    const { server, register, remove, unregister, read, deps } = await waiting(provider);
    await register();
    const id = (await read())?.remote?.id ?? "";
    await remove();
    server.failChanges({ status: 403 });
    await unregister(id);
    server.failChanges({ status: 500 });
    await expect(unregister(id)).rejects.toThrow("(500)");
    server.failChanges("hang");
    await expect(unregister(id, { ...deps, timeoutMs: 200 })).rejects.toThrow("in time");
    await unregister(id);
    expect(server.listeners).toEqual([]);
  });
});

describe("registering a webhook", () => {
  test("needs a published config of the provider's integration", async () => {
    const { tenantId, configId, tenant } = await waiting("github");
    const can = (provider: string) =>
      canRegister(db, tenantId, { provider, externalContext: "acme/app" });
    expect(await can("github")).toBe(true);
    expect(await can("gitlab")).toBe(false);
    expect(await can("stripe")).toBe(false);
    await deleteIntegrationConfig(tenant.deps, { ctx: tenant.ctx, configId });
    expect(await can("github")).toBe(false);
  });

  test("needs an externalContext: a webhook without one is active immediately, and registered when it gets one", async () => {
    const { tenant } = await waiting("github");
    const ctx = { ...tenant.ctx, baseUrl: "https://api.example.com" };
    const created = await createWebhook(tenant.deps, { ctx, body: { provider: "github" } });
    expect(created).toMatchObject({ status: "ACTIVE", statusReason: null });
    const patch = (body: object) =>
      updateWebhook(tenant.deps, {
        ctx: tenant.ctx,
        webhookId: created.id,
        body: UpdateWebhookBody.parse(body),
      });
    expect(await patch({ filter: "push" })).toMatchObject({ status: "ACTIVE" });
    expect(await patch({ externalContext: "acme/app" })).toMatchObject({ status: "PENDING" });
    expect(await patch({ externalContext: null })).toMatchObject({ status: "ACTIVE" });
  });

  test("costs one read, and none for a provider without registration", async () => {
    const { tenantId } = await waiting("github");
    db.calls.length = 0;
    const externalContext = "acme/app";
    await canRegister(db, tenantId, { provider: "stripe", externalContext });
    await canRegister(db, tenantId, { provider: "github", externalContext: null });
    expect(db.calls).toEqual([]);
    await canRegister(db, tenantId, { provider: "github", externalContext });
    expect(db.calls).toEqual(["Query"]);
  });

  test("without a config the webhook fails with a reason", async () => {
    const { tenant, configId, register, read } = await waiting("github");
    await deleteIntegrationConfig(tenant.deps, { ctx: tenant.ctx, configId });
    await register();
    expect(await read()).toMatchObject({
      status: "FAILED",
      statusReason: "The tenant has no published integration config for github.",
    });
  });

  test("a webhook that is not pending is unchanged", async () => {
    const { server, register, read } = await waiting("github", { status: "DISABLED" });
    await register();
    expect(await read()).toMatchObject({ status: "DISABLED" });
    expect(server.requests).toEqual([]);
  });

  test("a webhook that is disabled meanwhile keeps its status, and its listener is saved", async () => {
    const { server, register, read, tenantId, webhookId } = await waiting("github");
    const disable = () =>
      changeWebhook(db, { tenantId, webhookId }, { status: "DISABLED", modifiedAt: 0 });
    server.failChanges({ during: disable });
    await register();
    expect(await read()).toMatchObject({
      status: "DISABLED",
      remote: { id: server.listeners[0]?.id },
    });
  });

  test("a concurrent change of the filter takes effect", async () => {
    const { server, register, read, tenantId, webhookId } = await waiting("github");
    const change = () =>
      changeWebhook(db, { tenantId, webhookId }, { filter: "push", modifiedAt: 1 });
    server.failChanges({ during: change });
    await register();
    expect(server.listeners).toMatchObject([{ settings: { events: ["push"] } }]);
    expect(await read()).toMatchObject({ status: "ACTIVE", filter: "push" });
  });

  test("a webhook that moves meanwhile leaves no listener at the old place", async () => {
    const { server, register, read, tenantId, webhookId } = await waiting("github");
    const externalContext = "acme/elsewhere";
    const move = () =>
      changeWebhook(db, { tenantId, webhookId }, { externalContext, modifiedAt: 1 });
    server.failChanges({ during: move });
    await register();
    expect(server.listeners).toEqual([]);
    expect(await read()).toMatchObject({
      status: "FAILED",
      statusReason: expect.stringContaining("(404)"),
    });
  });

  test("a listener is not removed while its webhook is being registered, nor one of another team kept", async () => {
    const first = await waiting("linear");
    await first.register();
    const { server, tenantId, webhookId, unregister, register, read } = first;
    const id = (await read())?.remote?.id ?? "";
    const move = { externalContext: "team-1", status: "PENDING", remote: null } as const;
    await changeWebhook(db, { tenantId, webhookId }, { ...move, modifiedAt: 1 });
    await expect(unregister(id)).rejects.toThrow("is being registered");
    await register();
    await unregister(id);
    expect(server.listeners).toMatchObject([{ settings: { teamId: "team-1" } }]);
    expect((await read())?.remote?.id).toBe(server.listeners[0]?.id);
  });

  test("a listener that GitHub reports as existing is found and used", async () => {
    const { server, register, read } = await waiting("github");
    server.failChanges("lost");
    server.failNext({ status: 200, body: [] }, { status: 200, body: [] });
    await register();
    expect(server.listeners).toHaveLength(1);
    expect(await read()).toMatchObject({ status: "ACTIVE" });
  });

  test("settings that GitHub rejects are reported", async () => {
    const { server, register, read } = await waiting("github");
    server.failChanges({ status: 422, body: {} });
    await register();
    expect(await read()).toMatchObject({
      status: "FAILED",
      statusReason: "GitHub does not accept the request (422).",
    });
  });

  test.each([
    ["github", "acme", "owner/repo"],
    ["github", "../user", "owner/repo"],
    ["gitlab", "https://elsewhere.example.com/acme/app", "path or id"],
    ["gitlab", "..", "path or id"],
  ] as const)(
    "%s accepts no externalContext such as %s",
    async (provider, externalContext, hint) => {
      const { server, register, read } = await waiting(provider, { externalContext });
      await register();
      expect((await read())?.statusReason).toContain(hint);
      expect(server.requests).toEqual([]);
    },
  );

  test("a webhook without a secret is not registered", async () => {
    const { server, register, read } = await waiting("github", { secret: null });
    await register();
    expect(await read()).toMatchObject({ statusReason: "The webhook has no signing secret." });
    expect(server.listeners).toEqual([]);
  });

  test("a Linear webhook without a secret gets one from its registration", async () => {
    const { deps, server, register, read, tenantId } = await waiting("linear", { secret: null });
    await register();
    const webhook = await read();
    expect(webhook).toMatchObject({ status: "ACTIVE" });
    const known = webhook && (await openSecret(deps.sealer, tenantId, webhook));
    expect(known).toMatch(/^[0-9a-f]{64}$/);
    expect(server.listeners).toMatchObject([{ settings: { secret: known } }]);
  });

  test("a bot's webhook with another URL is kept", async () => {
    const { server, register, read } = await waiting("telegram");
    const theirs = { id: "x", url: "https://elsewhere.example.com", settings: {} };
    server.listeners.push(theirs);
    await register();
    expect((await read())?.statusReason).toContain("another URL");
    expect(server.listeners).toEqual([theirs]);
  });

  test("a query that Jira refuses with status 200 is reported", async () => {
    const { register, read } = await waiting("jira", { filter: "project is empty" });
    await register();
    expect((await read())?.statusReason).toContain("filter");
  });

  test("private addresses are not called unless the deployment allows it", async () => {
    const { server, deps, register, read } = await waiting("gitlab");
    await register({ ...deps, outgoing: { allowPrivateAddresses: false } });
    expect(await read()).toMatchObject({ status: "FAILED" });
    expect(server.requests).toEqual([]);
  });

  test("Jira credentials never go to an address that only the webhook names", async () => {
    const { tenant, configId, deps, register, read, server } = await waiting("jira", {
      externalContext: "https://jira.evil.example.com",
    });
    await deleteIntegrationConfig(tenant.deps, { ctx: tenant.ctx, configId });
    const { ctx } = tenant;
    const config = await createIntegrationConfig(tenant.deps, {
      ctx,
      body: { integrationId: "jira", auth: { parameters: { accessToken: "t" } } },
    });
    const input = { configId: config.id, revision: undefined };
    await publishIntegrationConfig(deps, { ctx, ...input });
    await register();
    expect((await read())?.statusReason).toContain("externalContext must be a site");
    expect(server.requests).toEqual([]);
  });
});

describe("the renewal of listeners", () => {
  const registered = async () => {
    const all = await waiting("jira");
    await all.register();
    const renew = () => renewRegistrations(all.deps, all.tenant.ctx.clock() + 60_000);
    const refreshes = () =>
      all.server.requests.filter(({ path }) => path.endsWith("/refresh")).length;
    return { ...all, renew, refreshes, expiresAt: (await all.read())?.expiresAt ?? 0 };
  };

  test("skips listeners that expire in more than three days", async () => {
    const { tenant, renew, refreshes, expiresAt } = await registered();
    expect(expiresAt - tenant.ctx.clock()).toBe(30 * day);
    tenant.advance(26 * day);
    await renew();
    expect(refreshes()).toBe(0);
  });

  test("renews one in its last three days, once", { tags: "nightly" }, async () => {
    const { tenant, renew, refreshes, read, left } = await registered();
    tenant.advance(27 * day);
    await renew();
    await renew();
    expect(refreshes()).toBe(1);
    expect(await read()).toMatchObject({ status: "ACTIVE", expiresAt: jiraExpiry.renewed });
    expect(await left()).toMatchObject([{ expiresAt: jiraExpiry.renewed }]);
  });

  test("is safe to run concurrently", { tags: "nightly" }, async () => {
    const { tenant, renew, read, left } = await registered();
    tenant.advance(28 * day);
    await Promise.all([renew(), renew()]);
    expect(await read()).toMatchObject({ status: "ACTIVE", expiresAt: jiraExpiry.renewed });
    expect(await left()).toHaveLength(1);
  });

  test("deletes the expiry of a deleted webhook's listener", { tags: "nightly" }, async () => {
    const { tenant, renew, refreshes, remove, left } = await registered();
    await remove();
    tenant.advance(29 * day);
    await renew();
    expect(refreshes()).toBe(0);
    expect(await left()).toEqual([]);
  });

  test("retries after a failure, and reports it once the listener has expired", {
    tags: "nightly",
  }, async () => {
    const { tenant, server, renew, read, left } = await registered();
    tenant.advance(28 * day);
    server.failChanges({ status: 500 });
    await renew();
    expect(await read()).toMatchObject({ status: "ACTIVE" });
    tenant.advance(3 * day);
    server.failChanges({ status: 403 });
    await renew();
    expect(await read()).toMatchObject({
      status: "FAILED",
      statusReason: "The listener at the provider has expired and could not be renewed.",
    });
    expect(await left()).toEqual([]);
  });

  test("one failure does not prevent other renewals", { tags: "nightly" }, async () => {
    const bad = await registered();
    const good = await registered();
    bad.tenant.advance(28 * day);
    await bad.server.close();
    open.splice(open.indexOf(bad.server), 1);
    await bad.renew();
    expect(await good.read()).toMatchObject({ expiresAt: jiraExpiry.renewed });
  });
});
