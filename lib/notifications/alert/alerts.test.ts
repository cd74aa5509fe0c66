import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { Logger } from "@aws-lambda-powertools/logger";
import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { testExecutions } from "../../../test/harness/execution.ts";
import { failureStep } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import {
  type OrganizationEvent,
  organizationEventTypes,
} from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { sweepOutbox } from "../../platform/outbox/sweep-outbox.ts";
import { logMessages } from "../../platform/runtime/telemetry.ts";
import { putBudget } from "../../spending/budget/put-budget.ts";
import { announceExpiringKeys } from "../../tenancy/api-key/announce-expiring-keys.ts";
import { generateApiKey } from "../../tenancy/api-key/generate-api-key.ts";
import { revokeApiKey } from "../../tenancy/api-key/revoke-api-key.ts";
import { rotateApiKey } from "../../tenancy/api-key/rotate-api-key.ts";
import { updateApiKey } from "../../tenancy/api-key/update-api-key.ts";
import { claimInvitation } from "../../tenancy/collaborator/claim-invitation.ts";
import { putCollaborator } from "../../tenancy/collaborator/put-collaborator.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { createEventDestination } from "../destination/create-event-destination.ts";
import { getEventDestination } from "../destination/store.ts";
import { updateEventDestination } from "../destination/update-event-destination.ts";
import { eventDestinationKey } from "../keys.ts";
import {
  NotifyCollaboratorMessage,
  NotifyDestinationMessage,
  PublishEventMessage,
} from "../messages.ts";
import { notifyCollaborator } from "./notify-collaborator.ts";
import { notifyDestination } from "./notify-destination.ts";
import { publishEvent } from "./publish-event.ts";
import type { Mail } from "./send-mail.ts";

const done = { flow: { steps: [{ id: "out", type: "Output", value: 1 }], edges: [] } };
const failing = {
  flow: {
    steps: [{ id: "boom", type: "Output", value: "{% $error('the secret plan') %}" }],
    edges: [],
  },
};
const prompting = {
  llmConfigs: [{ providerId: "test", parameters: { model: "m" } }],
  flow: { steps: [{ id: "ask", type: "Prompt", prompt: "Hi" }], edges: [] },
};

const Alert = z.discriminatedUnion("type", [NotifyDestinationMessage, NotifyCollaboratorMessage]);
const Message = z.strictObject({
  id: z.string(),
  type: z.string(),
  timestamp: z.iso.datetime(),
  organizationId: z.string(),
  tenantId: z.string().nullable(),
  agentId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
const day = 24 * 3_600_000;

type Received = { headers: IncomingHttpHeaders; body: string };

/** An endpoint that responds with the given statuses, then 204. */
const startReceiver = async () => {
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const status = statuses.shift() ?? 204;
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}/events?token=of-the-url`,
    received,
    statuses,
    messages: () => received.map(({ body }) => Message.parse(JSON.parse(body))),
    close: () => server.close(),
  };
};

const opened: { close: () => unknown }[] = [];

describe("an organization event", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });

  afterEach(() => {
    for (const server of opened.splice(0)) server.close();
  });

  const start = async () => {
    const world = testExecutions(db, () => "ok");
    const { ctx, deps: storage } = world.tenant;
    const now = ctx.clock();
    await putNewTenant(db, {
      ...ctx.tenant,
      slug: ctx.tenant.id,
      displayName: "Test",
      createdAt: now,
      modifiedAt: now,
    });
    const events: unknown[] = [];
    const alerts: unknown[] = [];
    const mails: Mail[] = [];
    const trouble = { isQueueDown: false };
    const send = async (queue: string, _group: string, message: unknown) => {
      if (trouble.isQueueDown) throw new Error("the queue is down");
      (queue === "events" ? events : world.tenant.sent).push(message);
    };
    const sendMany = async (_queue: string, _group: string, messages: readonly unknown[]) => {
      alerts.push(...messages);
    };
    const deps = { ...world.deps, send };
    const outgoing = { allowPrivateAddresses: true };
    const alertDeps = {
      db,
      sealer: storage.sealer,
      outgoing,
      clock: ctx.clock,
      randomBytes: ctx.randomBytes,
      buildTrace: async ({ data }: OrganizationEvent): Promise<string | undefined> =>
        JSON.stringify({ traceOf: data.executionId }),
      sendMail: async (mail: Mail) => {
        mails.push(mail);
      },
    };
    const listen = async (
      types: readonly (typeof organizationEventTypes)[number][] = organizationEventTypes,
    ) => {
      const receiver = await startReceiver();
      opened.push(receiver);
      const destination = await createEventDestination(
        { ...storage, outgoing },
        { ctx, body: { type: "webhook", url: receiver.url, eventTypes: [...types], active: true } },
      );
      return { ...receiver, destination, secret: destination.signingSecret ?? "" };
    };
    /** A destination of traces at an address that accepts anything. */
    const listenTraces = async () => {
      const receiver = await startReceiver();
      opened.push(receiver);
      const headers = { Authorization: "Bearer s3cret" };
      const body = { type: "otlp", endpoint: receiver.url, headers, content: "none" } as const;
      await createEventDestination(
        { ...storage, outgoing },
        { ctx, body: { ...body, active: true } },
      );
      return receiver;
    };
    /** Deploys an agent; its creator receives no alerts. */
    const deploy = async (agentId: string, content: unknown) => {
      await world.deploy(agentId, content);
      const body = { role: "Owner" as const, alertPreferences: null };
      await putCollaborator({ db }, { ctx, agentId, userId: "admin", body });
    };
    const collaborate = (userId: string, email: string | null, preferences: object = {}) =>
      putCollaborator(
        { db },
        {
          ctx,
          agentId: "a",
          userId,
          body: {
            role: "Viewer",
            email,
            alertPreferences: {
              errorAlerts: true,
              accessRequestAlerts: true,
              budgetAlerts: true,
              ...preferences,
            },
          },
        },
      );
    const notifyOne = (message: unknown) => {
      const alert = Alert.parse(message);
      return alert.type === "notify-destination"
        ? notifyDestination(alertDeps, { event: alert.event, destinationId: alert.destinationId })
        : notifyCollaborator(alertDeps, { event: alert.event, userId: alert.userId });
    };
    /** Handles queued messages; a failed message stays, and is delivered a further time. */
    const drain = async (): Promise<void> => {
      for (let left = 40; left > 0; left -= 1) {
        const event = events.shift();
        const alert = alerts.shift();
        if (event === undefined && alert === undefined) return;
        if (event !== undefined) {
          const message = PublishEventMessage.parse(event);
          await publishEvent(
            { db, sendMany, queueOther: async () => undefined },
            message.event,
          ).catch(() => events.push(event, event));
        }
        if (alert !== undefined) {
          await notifyOne(alert).catch(() => alerts.push(alert, alert));
        }
      }
    };
    /** As the minutes go by: what was lost is found, what waits for a lease is tried again. */
    const settle = async (): Promise<void> => {
      for (let minutes = 0; minutes < 4; minutes += 1) {
        await world.recover().catch(() => undefined);
        await world.work(deps).catch(() => undefined);
        await drain();
        world.tenant.advance(120_000);
        await sweepOutbox({ db, send, clock: ctx.clock }).catch(() => undefined);
        await drain();
      }
    };
    const outbox = async () =>
      (await db.scan()).filter(
        ({ pk, organizationId }) =>
          String(pk).startsWith("OUTBOX#") && organizationId === ctx.tenant.organizationId,
      );
    const happen = (event: OrganizationEvent) =>
      transact(db, [putInOutbox(event)]).then(() => enqueueEvent(send, event));
    const accessRequested = (): OrganizationEvent => ({
      id: "chat.access_requested:1",
      type: "chat.access_requested",
      organizationId: ctx.tenant.organizationId,
      tenantId: ctx.tenant.id,
      agentId: "a",
      occurredAt: ctx.clock(),
      data: { accessRequestId: "1", provider: "slack", userName: "Eve\r\nBcc: all@example.com" },
    });
    const keys = { ctx: { ...ctx, respondBy: 0, baseUrl: "" }, deps: { ...storage, send } };
    return {
      world,
      ctx,
      deps,
      keys,
      alertDeps,
      events,
      alerts,
      mails,
      send,
      trouble,
      listen,
      listenTraces,
      deploy,
      collaborate,
      drain,
      settle,
      outbox,
      happen,
      accessRequested,
      execute: (agentId: string) => world.executeToEnd(agentId, {}, deps).catch(() => undefined),
    };
  };

  test.each(["GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "TransactWriteItems"])(
    "reaches every subscribed recipient once although any one %s fails",
    { tags: "nightly" },
    async (command) => {
      for (let passing = 0; passing < 6; passing += failureStep) {
        const { deploy, world, listen, collaborate, execute, settle, mails, outbox } =
          await start();
        const { messages } = await listen(["agent.execution.failed"]);
        await deploy("a", failing);
        await collaborate("ada", "ada@example.com");
        db.failNext(command, passing);
        await execute("a");
        await settle();
        const isUnfailed = db.clearFailures();
        await settle();
        const [record] = await world.list("a");
        if (!record) continue;
        expect(messages().map(({ data }) => data.executionId)).toEqual([record.id]);
        expect(mails.map(({ to }) => to)).toEqual(["ada@example.com"]);
        expect(await outbox()).toEqual([]);
        if (isUnfailed) return;
      }
    },
  );

  test("is mailed to an invited address that became its user's after the event", async () => {
    const { deploy, ctx, collaborate, alertDeps, accessRequested, mails } = await start();
    const address = "ada@example.com";
    await deploy("a", done);
    await collaborate(address, address);
    const place = { tenantId: ctx.tenant.id, agentId: "a" };
    await claimInvitation({ db }, { ...place, address, userId: "sub-ada" });
    const event = { ...accessRequested(), id: `chat.access_requested:${crypto.randomUUID()}` };
    await notifyCollaborator(alertDeps, { event, userId: address });
    expect(mails.map(({ to }) => to)).toEqual([address]);
  });

  test("is sent as Standard Webhooks, signed, with ids and no contents", {
    tags: "nightly",
  }, async () => {
    const { deploy, ctx, listen, execute, drain } = await start();
    const { received, messages, secret } = await listen();
    await deploy("a", failing);
    await deploy("b", done);
    await execute("a");
    await execute("b");
    await drain();
    expect(messages().map(({ type }) => type)).toEqual([
      "agent.execution.failed",
      "agent.execution.completed",
    ]);
    for (const { headers, body } of received) {
      const signed = {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": "",
      };
      expect(() => new Webhook(secret).verify(body, signed)).toThrow();
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      const signature = new Webhook(secret).sign(signed["webhook-id"], at, body);
      expect(headers["webhook-signature"]).toBe(signature);
      expect(headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
      expect(body).not.toMatch(/secret plan|whsec_/);
    }
    const [failed] = messages();
    expect(failed).toMatchObject({
      organizationId: ctx.tenant.organizationId,
      tenantId: ctx.tenant.id,
      agentId: "a",
      data: {
        agentRevision: 1,
        status: "Failed",
        error: { type: "/problems/execution-failed", step: "boom" },
      },
    });
  });

  test("is retried under the same id until it is accepted, and not afterwards", {
    tags: "nightly",
  }, async () => {
    const { deploy, listen, execute, drain, alertDeps, ctx } = await start();
    const { received, statuses, destination } = await listen(["agent.execution.completed"]);
    await deploy("a", done);
    statuses.push(500, 302, 429);
    await execute("a");
    await drain();
    await drain();
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const organization = ctx.tenant.organizationId;
    const stored = await getEventDestination(alertDeps.db, organization, destination.id);
    expect(stored?.lastDelivery?.status).toBe(204);
  });

  test("with a trace is sent again after 5xx, the same each time, until it is accepted", {
    tags: "nightly",
  }, async () => {
    const { deploy, listenTraces, execute, drain } = await start();
    const { received, statuses } = await listenTraces();
    await deploy("a", done);
    statuses.push(500, 503);
    await execute("a");
    await drain();
    await drain();
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const { headers } of received) {
      expect(headers.authorization).toBe("Bearer s3cret");
      expect(headers).not.toHaveProperty("webhook-signature");
    }
  });

  test("of a cancelled execution is its trace alone", { tags: "nightly" }, async () => {
    const { deploy, deps, listen, listenTraces, world, drain } = await start();
    const traces = await listenTraces();
    const { received } = await listen();
    await deploy("a", done);
    const { executionId } = await world.accept("a", 0, deps);
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await world.work(deps);
    await drain();
    expect(traces.received.map(({ body }) => JSON.parse(body))).toEqual([{ traceOf: executionId }]);
    expect(received).toEqual([]);
  });

  test("deactivates a destination that responds with 410", { tags: "nightly" }, async () => {
    const { deploy, listen, execute, drain, ctx } = await start();
    const { received, statuses, destination } = await listen(["agent.execution.completed"]);
    await deploy("a", done);
    statuses.push(410);
    await execute("a");
    await execute("a");
    await drain();
    await execute("a");
    await drain();
    expect(received).toHaveLength(1);
    const stored = await getEventDestination(db, ctx.tenant.organizationId, destination.id);
    expect(stored).toMatchObject({ active: false, lastDelivery: { status: 410 } });
  });

  test("is signed with the new secret and, for a day, the previous one", async () => {
    const { deploy, world, listen, execute, drain, ctx, alertDeps } = await start();
    const { received, destination, secret } = await listen(["agent.execution.completed"]);
    await deploy("a", done);
    const rotated = await updateEventDestination(alertDeps, {
      ctx,
      destinationId: destination.id,
      body: { rotateSecret: true },
    });
    const next = rotated.signingSecret ?? "";
    await execute("a");
    await drain();
    world.tenant.advance(day + 1);
    await execute("a");
    await drain();
    const computeSignatures = ({ headers, body }: Received, secrets: readonly string[]) =>
      secrets
        .map((secret) =>
          new Webhook(secret).sign(
            String(headers["webhook-id"]),
            new Date(Number(headers["webhook-timestamp"]) * 1_000),
            body,
          ),
        )
        .join(" ");
    const [first, second] = received;
    if (!first || !second) throw new Error("two were expected");
    expect(first.headers["webhook-signature"]).toBe(computeSignatures(first, [next, secret]));
    expect(second.headers["webhook-signature"]).toBe(computeSignatures(second, [next]));
  });

  test("is mailed to collaborators by their preferences, to valid addresses, one mail per address", {
    tags: "nightly",
  }, async () => {
    const { deploy, world, collaborate, execute, drain, happen, accessRequested, mails } =
      await start();
    await deploy("a", failing);
    await collaborate("ada", "ada@example.com", { accessRequestAlerts: false });
    await collaborate("bob", "bob@example.com", { errorAlerts: false });
    await collaborate("team-1", "team@example.com");
    await collaborate("team-2", "Team@example.com");
    await collaborate("bad", "x@example.com\r\nBcc: all@example.com");
    await collaborate("worse", "not an address");
    await collaborate("none", null);
    await execute("a");
    await drain();
    expect(mails.map(({ to }) => to.toLowerCase()).toSorted()).toEqual([
      "ada@example.com",
      "team@example.com",
    ]);
    expect(mails[0]?.subject).toBe("[Wharf] An execution of a failed");
    expect(mails[0]?.text).toContain((await world.list("a"))[0]?.id);
    expect(JSON.stringify(mails)).not.toContain("secret plan");
    mails.length = 0;
    await happen(accessRequested());
    await drain();
    expect(mails.map(({ to }) => to.toLowerCase()).toSorted()).toEqual([
      "bob@example.com",
      "team@example.com",
    ]);
    expect(mails[0]?.text).toContain('"Eve Bcc: all@example.com" requests access');
    expect(mails[0]?.subject).toMatch(/^[ -~]+$/);
  });

  test("costs nothing for some seconds after no subscriber was found", {
    tags: "nightly",
  }, async () => {
    const { deploy, execute, events, outbox, collaborate } = await start();
    await deploy("a", failing);
    await deploy("b", done);
    await collaborate("ada", "ada@example.com", { errorAlerts: false });
    await execute("a");
    await execute("b");
    db.calls.length = 0;
    await execute("b");
    expect(db.calls).toEqual(["GetItem", "PutItem", "TransactWriteItems"]);
    expect(events).toEqual([]);
    expect(await outbox()).toEqual([]);
  });

  test("is not published for the execution of a sub-agent", { tags: "nightly" }, async () => {
    const { deploy, listen, execute, drain } = await start();
    const { messages } = await listen(["agent.execution.completed"]);
    await deploy("inner", done);
    await deploy("outer", {
      flow: { steps: [{ id: "call", type: "SubAgent", agentId: "inner", input: {} }], edges: [] },
    });
    await execute("outer");
    await drain();
    expect(messages().map(({ agentId }) => agentId)).toEqual(["outer"]);
  });

  test("is published once a month per budget threshold, though many executions end concurrently", {
    tags: "nightly",
  }, async () => {
    const { deploy, ctx, deps, listen, collaborate, execute, settle, mails } = await start();
    const { messages } = await listen(["agent.budget.threshold"]);
    await deploy("a", prompting);
    await collaborate("ada", "ada@example.com");
    const body = {
      amount: 0.1,
      thresholdRules: [{ percent: 50 }, { percent: 100 }],
      enforceLimit: false,
      allowUnpriced: false,
    };
    await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body });
    await Promise.all(Array.from({ length: 12 }, () => execute("a")));
    await settle();
    const percents = messages().map(({ data }) => Number(data.percent));
    expect(percents.toSorted((one, other) => one - other)).toEqual([50, 100]);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "[Wharf] a has reached 100 % of its budget",
      "[Wharf] a has reached 50 % of its budget",
    ]);
  });

  test("is published once per change of an API key, without its secret, and not for a new name", async () => {
    const { keys, listen, drain } = await start();
    const { messages, received } = await listen();
    const { item, key } = await generateApiKey(keys.deps, {
      ctx: keys.ctx,
      body: { name: "k", scopes: ["agents:read"] },
    });
    const keyId = item.id;
    await updateApiKey(keys.deps, { ctx: keys.ctx, keyId, body: { name: "other" } });
    await updateApiKey(keys.deps, { ctx: keys.ctx, keyId, body: { scopes: ["agents:write"] } });
    const rotated = await rotateApiKey(keys.deps, {
      ctx: keys.ctx,
      keyId,
      body: { graceSeconds: 0, scopes: ["skills:read"] },
    });
    await revokeApiKey(keys.deps, { ctx: keys.ctx, keyId });
    await revokeApiKey(keys.deps, { ctx: keys.ctx, keyId });
    await drain();
    expect(messages().map(({ type }) => type)).toEqual([
      "api_key.issued",
      "api_key.scopes_changed",
      "api_key.rotated",
      "api_key.scopes_changed",
      "api_key.revoked",
    ]);
    expect(messages()[1]?.data).toEqual({
      apiKeyId: keyId,
      name: "other",
      actor: { type: "User", id: "admin", email: "admin@example.com" },
      scopes: ["agents:write"],
      previousScopes: ["agents:read"],
      expiresAt: null,
    });
    const sent = JSON.stringify(received);
    for (const secret of [key, rotated.key, item.sha256, rotated.item.sha256]) {
      expect(sent).not.toContain(secret);
    }
  });

  test("is published once a week before an API key expires", { tags: "nightly" }, async () => {
    const { keys, listen, drain, ctx, world, send } = await start();
    const { messages } = await listen(["api_key.expiring"]);
    const look = async () => {
      await announceExpiringKeys({ db, send, clock: ctx.clock });
      await announceExpiringKeys({ db, send, clock: ctx.clock });
      await drain();
      return messages().length;
    };
    const inDays = (days: number) => new Date(ctx.clock() + days * day).toISOString();
    const mint = (expiresAt: string | null) =>
      generateApiKey(keys.deps, {
        ctx: keys.ctx,
        body: { name: "k", scopes: ["agents:read"], expiresAt },
      });
    const { item } = await mint(inDays(10));
    await mint(null);
    await mint(inDays(2));
    const revoked = await mint(inDays(10));
    await revokeApiKey(keys.deps, { ctx: keys.ctx, keyId: revoked.item.id });
    expect(await look()).toBe(0);
    world.tenant.advance(3 * day + 3_600_000);
    expect(await look()).toBe(1);
    await updateApiKey(keys.deps, { ctx: keys.ctx, keyId: item.id, body: { name: "other" } });
    expect(await look()).toBe(1);
    const change = { expiresAt: inDays(20) };
    await updateApiKey(keys.deps, { ctx: keys.ctx, keyId: item.id, body: change });
    expect(await look()).toBe(1);
    world.tenant.advance(14 * day);
    expect(await look()).toBe(2);
    expect(messages()[1]?.data).toMatchObject({
      apiKeyId: item.id,
      name: "other",
      expiresAt: change.expiresAt,
    });
  });

  test("is mailed at most twenty times an hour per agent and type; the last mail announces that, and what is dropped is logged", {
    tags: "nightly",
  }, async () => {
    const warn = vi.spyOn(Logger.prototype, "warn");
    const { ctx, deploy, collaborate, happen, accessRequested, drain, mails, world } =
      await start();
    await deploy("a", done);
    await collaborate("ada", "ada@example.com");
    const ask = async (at: number) => {
      await happen({ ...accessRequested(), id: `chat.access_requested:${at}` });
      await drain();
    };
    for (let at = 0; at < 22; at += 1) await ask(at);
    expect(mails).toHaveLength(20);
    const announced = mails.map(({ text }) => text.includes("This is mail 20 of this type"));
    expect(announced.indexOf(true)).toBe(19);
    const dropped = warn.mock.calls.filter(([text]) => text === logMessages["mail-dropped"].text);
    warn.mockRestore();
    expect(dropped.map(([, attributes]) => attributes)).toEqual([
      expect.objectContaining({ event: "chat.access_requested:20" }),
      expect.objectContaining({ event: "chat.access_requested:21" }),
    ]);
    world.tenant.advance(3_600_000 - (ctx.clock() % 3_600_000));
    await ask(22);
    expect(mails).toHaveLength(21);
  });

  test("is published once although the queue was unavailable when it occurred", {
    tags: "nightly",
  }, async () => {
    const { deploy, ctx, deps, keys, listen, execute, settle, outbox, trouble, world } =
      await start();
    const { messages } = await listen();
    await deploy("a", prompting);
    await deploy("b", failing);
    const body = {
      amount: 0.01,
      thresholdRules: [{ percent: 100 }],
      enforceLimit: false,
      allowUnpriced: false,
    };
    await putBudget({ ...deps, getAgent }, { ctx, agentId: "a", body });
    const expiresAt = new Date(ctx.clock() + 8 * day).toISOString();
    trouble.isQueueDown = true;
    await execute("a");
    await execute("b");
    const { item } = await generateApiKey(keys.deps, {
      ctx: keys.ctx,
      body: { name: "k", scopes: ["agents:read"], expiresAt },
    });
    await rotateApiKey(keys.deps, { ctx: keys.ctx, keyId: item.id, body: { graceSeconds: 0 } });
    world.tenant.advance(2 * day);
    await announceExpiringKeys({ db, send: keys.deps.send, clock: ctx.clock });
    await revokeApiKey(keys.deps, { ctx: keys.ctx, keyId: item.id });
    expect(await outbox()).toHaveLength(7);
    trouble.isQueueDown = false;
    await settle();
    expect(
      messages()
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual([
      "agent.budget.threshold",
      "agent.execution.completed",
      "agent.execution.failed",
      "api_key.expiring",
      "api_key.issued",
      "api_key.revoked",
      "api_key.rotated",
    ]);
    expect(await outbox()).toEqual([]);
  });

  test("is published although the outbox also has an item of a newer release", {
    tags: "nightly",
  }, async () => {
    const { ctx, listen, happen, accessRequested, drain, world, events, send, outbox } =
      await start();
    const { destination, messages } = await listen(["chat.access_requested"]);
    const { organizationId } = ctx.tenant;
    const newer = "agent.renamed";
    await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: eventDestinationKey(organizationId, destination.id),
        UpdateExpression: "SET eventTypes = :types",
        ExpressionAttributeValues: { ":types": [newer, "chat.access_requested"] },
      }),
    );
    await happen(accessRequested());
    const [storedEvent] = await outbox();
    const odd = { ...storedEvent, pk: storedEvent?.pk, sk: "EVENT#odd", id: "odd", type: newer };
    await db.client.send(new PutCommand({ TableName: db.table, Item: odd }));
    events.length = 0;
    world.tenant.advance(120_000);
    await sweepOutbox({ db, send, clock: ctx.clock });
    await drain();
    expect(messages().map(({ type }) => type)).toEqual(["chat.access_requested"]);
    expect(await outbox()).toEqual([odd]);
    const Key = { pk: odd.pk, sk: odd.sk };
    await db.client.send(new DeleteCommand({ TableName: db.table, Key }));
  });

  test("is resent from the outbox with growing delays until it is published", {
    tags: "nightly",
  }, async () => {
    const { ctx, world, events, happen, accessRequested, outbox, send, drain } = await start();
    const sweep = () => sweepOutbox({ db, send, clock: ctx.clock });
    await happen(accessRequested());
    events.length = 0;
    expect(await sweep()).toBe(0);
    const found: number[] = [];
    for (let minute = 1; minute <= 16; minute += 1) {
      world.tenant.advance(60_000);
      if ((await sweep()) > 0) found.push(minute);
    }
    expect(found).toEqual([1, 3, 7, 15]);
    await drain();
    expect(await outbox()).toEqual([]);
  });
});
