import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { good } from "../../../test/harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../../../test/harness/chat-apis/chat-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import {
  conversations,
  type Presser,
  presses,
  withButtons,
} from "../../../test/samples/presses.ts";
import { loadDeployed } from "../../agents/revision/load-deployed.ts";
import { decideApproval } from "../../approvals/decide-approval.ts";
import { nameChatUser } from "../../approvals/person.ts";
import { type ApprovalItem, listApprovals } from "../../executions/approvals/approval-store.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import { startTriggered } from "../../executions/start/start-triggered.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { sample as discordSample } from "../../vendors/discord/sample.ts";
import { sample as slackSample } from "../../vendors/slack/sample.ts";
import { jsonRequest } from "../../vendors/webhook-sample.ts";
import { acceptMessage } from "../../webhooks/delivery/accept-message.ts";
import { deleteChatUser } from "../chat-user/delete-chat-user.ts";
import { deriveChatUserId } from "../chat-user/id.ts";
import { recordChatUser } from "../chat-user/user-store.ts";
import { createConnector } from "../connector/create-connector.ts";
import type { CreateConnectorBody } from "../connector/schemas.ts";
import { updateConnector } from "../connector/update-connector.ts";
import { PressApprovalMessage, ShowApprovalMessage } from "../messages.ts";
import { decideByPress } from "./decide-by-press.ts";
import { queueApprovalNotices } from "./queue-notices.ts";
import { showApproval } from "./show-approval.ts";

const ChatMessage = z.discriminatedUnion("type", [ShowApprovalMessage, PressApprovalMessage]);
type ChatMessage = z.output<typeof ChatMessage>;

let db: TestDatabase;
let server: ChatServer;
beforeAll(async () => {
  db = await testDatabase();
  server = await startChatServer();
});
beforeEach(() => {
  server.shown.length = 0;
  server.requests.length = 0;
});
afterAll(() => server.close());

type Provider = (typeof withButtons)[number];

/** The key pair of the Discord application. */
const seed = discordSample.newKey(randomBytes);
const publicKey = discordSample.toSigningSecret?.(seed) ?? "";

const buildConnector = (provider: Provider): CreateConnectorBody => {
  const apiUrl = `${server.url}/${provider}`;
  const credentials = {
    slack: { botToken: good.slack },
    telegram: { botToken: good.telegram },
    discord: { botToken: good.discord, publicKey },
    teams: { appId: "app", appPassword: good.teams },
  };
  return { provider, parameters: { apiUrl, ...credentials[provider] } };
};

/** Strings with the data of buttons in a body. */
const dataIn = (value: unknown): string[] => {
  if (typeof value === "string") return /^approval:\d:/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(dataIn) : [];
};

type Sent = ReturnType<typeof jsonRequest>;

/** Signs the requests of Discord, which are always signed. */
const signFor =
  (provider: string, now: number) =>
  (sent: Sent): Sent =>
    provider === "discord" ? discordSample.sign(sent, seed, now) : sent;

const start = async ({
  provider = "slack",
  body = provider === "generic" ? undefined : buildConnector(provider),
  step = {},
}: {
  provider?: Provider | "generic";
  body?: CreateConnectorBody | undefined;
  step?: object;
} = {}) => {
  const world = testWaiting(db);
  const { ctx, deps: storage } = world.tenant;
  const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
  await putNewTenant(db, { ...ctx.tenant, slug: ctx.tenant.id, displayName: "T", ...times });
  await world.deploy("a", buildFlow([{ id: "say", type: "Output", value: "x" }], []));
  const generic = {
    provider: "generic",
    parameters: { replyUrl: `${server.url}/replies` },
  } as const;
  const create = (given: CreateConnectorBody) =>
    createConnector(storage, { ctx, agentId: "a", body: given });
  const connector = await create(body ?? generic);
  const conversationId = provider === "generic" ? "c-1" : conversations[provider];
  const approvers = { chat: { connectorId: connector.id, conversationId } };
  const asked = { id: "decide", type: "Approval", title: "Pay <b>5</b>?", approvers, ...step };
  const output = { id: "say", type: "Output", value: "{% steps.decide.output.decidedBy %}" };
  await world.deploy("a", buildFlow([asked, output], ["decide>say"]));
  const queued: ChatMessage[] = [];
  const mails: unknown[] = [];
  const send: typeof world.deps.send = async (queue, group, message) => {
    if (queue === "chats") queued.push(ChatMessage.parse(message));
    else await world.deps.send(queue, group, message);
  };
  const sendMany = async (_queue: string, _group: string, messages: readonly unknown[]) =>
    void mails.push(...messages);
  const deps = { ...world.deps, send, outgoing: { allowPrivateAddresses: true } };
  const publish = (event: OrganizationEvent) => queueApprovalNotices({ db, send, sendMany }, event);
  const handle = (message: ChatMessage) => {
    const deadline = ctx.clock() + 900_000;
    return message.type === "show-approval"
      ? showApproval(deps, { ...message, deadline })
      : decideByPress(deps, { press: message, deadline });
  };
  /** Delivers every event and message twice, as queues may. */
  const drain = async () => {
    await world.deliver();
    for (const event of world.events.splice(0)) {
      await publish(event);
      await publish(event);
    }
    for (let next = queued.shift(); next; next = queued.shift()) {
      await handle(next);
      await handle(next);
    }
    if (world.tenant.sent.length > 0) await drain();
  };
  const press = (payload: object, to = connector, sign = signFor(to.provider, ctx.clock())) => {
    const { headers, body: sent } = sign(jsonRequest(payload));
    return acceptMessage(
      {
        ...storage,
        send,
        prefixes: { prefix: "wharf", earlierPrefixes: [] },
        limits: { requests: 1_000, unauthenticatedRequests: 1_000, windowSeconds: 60 },
        verifyBotToken: async () => ({ serviceurl: `${server.url}/teams/` }),
      },
      {
        tenant: ctx.tenant,
        provider: to.provider,
        id: to.id,
        hasKey: true,
        request: {
          method: "POST",
          headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
          query: {},
          body: Buffer.from(sent),
        },
        countUnknown: async () => undefined,
        runtime: { ...ctx, randomBytes },
      },
    );
  };
  const item = async (): Promise<ApprovalItem> => {
    const [found] = await Array.fromAsync(listApprovals(db, world.tenantId));
    if (!found) throw new Error("there is no approval");
    return found;
  };
  const request = async () => {
    await world.execute("a");
    await drain();
    return item();
  };
  /** Data of the buttons of the latest message. */
  const buttons = () => dataIn(server.requests.at(-1)?.body);
  const pressSlack = async (data: string, presser: Presser = {}) => {
    await press(presses(server.url).slack(data, presser));
    await drain();
  };
  return {
    ...{ world, ctx, storage, connector, create, deps, queued, mails, handle, publish },
    ...{ drain, press, pressSlack, request, item, buttons },
  };
};

const texts = () => server.shown.map(({ text }) => text);
const posted = () => server.shown.filter(({ replaces }) => replaces === undefined);
const replaced = () => server.shown.filter(({ replaces }) => replaces !== undefined);

describe("an approval that is asked in a chat", () => {
  test.each(withButtons)(
    "of %s is posted once with a button for each action, decided by a press, and replaced",
    { tags: "nightly" },
    async (provider) => {
      const { request, press, drain, item, buttons, world } = await start({ provider });
      const asked = await request();
      expect(posted()).toHaveLength(1);
      expect(texts()[0]).toContain("5");
      expect(texts()[0]).toContain("Decide by ");
      const [approve = "", reject = "", ...more] = buttons();
      expect([approve, reject, ...more]).toEqual([
        `approval:0:${asked.id}`,
        `approval:1:${asked.id}`,
      ]);
      expect(Buffer.byteLength(approve)).toBeLessThanOrEqual(64);
      const payload = {
        ...presses(server.url)[provider](approve),
        ...(provider === "teams" && { channelId: "msteams" }),
      };
      expect((await press(payload)).response.status).toBeLessThan(300);
      expect(await item()).toMatchObject({ status: "Pending" });
      await drain();
      expect(await item()).toMatchObject({
        status: "Decided",
        decisions: [{ action: "approve", decidedBy: expect.stringMatching(/^Ada \(/) }],
      });
      // A repeated press replaces the message with the same text.
      expect(new Set(replaced().map(({ text }) => text)).size).toBe(1);
      expect(replaced()[0]?.text).toContain("Approve by Ada");
      expect(buttons()).toEqual([]);
      expect(posted()).toHaveLength(1);
      expect(await world.statuses("a")).toEqual(["Succeeded"]);
    },
  );

  test("has a link in a chat without buttons, where a second message says what was decided", async () => {
    const { request, drain, world, item } = await start({ provider: "generic" });
    await request();
    expect(texts()).toEqual([
      expect.stringContaining(`http://localhost/v1/tenants/${world.tenantId}/approval-links/`),
    ]);
    await world.dueAfter(259_201_000);
    await drain();
    expect(await item()).toMatchObject({ status: "TimedOut" });
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain("Not decided in time");
  });

  test("needs a link for required fields, and keeps the button that needs none", {
    tags: "nightly",
  }, async () => {
    const fields = [{ name: "amount", type: "Integer", required: true }];
    const { request, buttons, pressSlack, item } = await start({ step: { fields } });
    const { id } = await request();
    expect(buttons()).toEqual([`approval:1:${id}`]);
    expect(texts()[0]).toContain("/approval-links/");
    await pressSlack(`approval:0:${id}`);
    expect(await item()).toMatchObject({ status: "Pending", decisions: [] });
    expect(texts().at(-1)).toContain("needs values");
    await pressSlack(`approval:1:${id}`);
    expect(await item()).toMatchObject({ status: "Decided" });
  });

  test.each([
    ["is decided by another way", "Decided", "Approve by ada@example.com"],
    ["is not decided in time", "TimedOut", "Not decided in time"],
    ["is cancelled with its execution", "Cancelled", "its execution has ended"],
  ])("is replaced when it %s", async (_, status, text) => {
    const users = ["ada@example.com"];
    const { request, drain, ctx, deps, world, item, connector } = await start();
    await world.deploy(
      "a",
      buildFlow(
        [
          {
            ...{ id: "decide", type: "Approval", title: "Pay?", timeoutSeconds: 60 },
            approvers: { users, chat: { connectorId: connector.id, conversationId: "C1" } },
          },
        ],
        [],
      ),
    );
    const { id: approvalId, executionId } = await request();
    if (status === "Decided") {
      const principal = { ...ctx.principal, id: "ada", userIds: ["ada", ...users] };
      const decider = { type: "caller", principal } as const;
      const body = { action: "approve" };
      await decideApproval(deps, { tenant: ctx.tenant, approvalId, decider, body });
    }
    if (status === "TimedOut") await world.dueAfter(61_000);
    if (status === "Cancelled") {
      await cancelExecution(deps, { tenantId: world.tenantId, agentId: "a", executionId });
    }
    await drain();
    expect(await item()).toMatchObject({ status });
    expect(replaced()).toHaveLength(1);
    expect(replaced()[0]?.text).toContain(text);
  });

  test("is not posted after it has ended", async () => {
    const { world, publish, drain } = await start();
    await world.execute("a");
    await world.deliver();
    const requested = world.events.splice(0);
    await world.dueAfter(259_201_000);
    await drain();
    for (const event of requested) await publish(event);
    await drain();
    expect(server.shown).toEqual([]);
  });

  test("is replaced though its end is handled while its post is on its way", async () => {
    const { world, publish, drain, queued, handle, deps, item } = await start();
    await world.execute("a");
    await world.deliver();
    for (const event of world.events.splice(0)) await publish(event);
    const { executionId } = await item();
    db.beforeNext("PutItem", async () => {
      await cancelExecution(deps, { tenantId: world.tenantId, agentId: "a", executionId });
      await world.deliver();
      for (const event of world.events.splice(0)) await publish(event);
      const end = queued.pop();
      if (end) await handle(end);
      expect(posted()).toHaveLength(1);
      expect(replaced()).toEqual([]);
    });
    await drain();
    expect(posted()).toHaveLength(1);
    expect(replaced()).toHaveLength(1);
  });

  test("is posted again where a function crashed before it stored the message, and either one decides", {
    tags: "nightly",
  }, async () => {
    const { world, publish, drain, queued, handle, buttons, pressSlack, item } = await start();
    await world.execute("a");
    await world.deliver();
    for (const event of world.events.splice(0)) await publish(event);
    const [show] = queued;
    if (!show) throw new Error("nothing was queued");
    db.failNext("PutItem");
    await expect(handle(show)).rejects.toThrow("planned failure");
    const [, reject = ""] = buttons();
    await pressSlack(reject);
    await drain();
    expect(await item()).toMatchObject({ status: "Decided", decisions: [{ action: "reject" }] });
    await pressSlack(reject, { user: 2, name: "Bob" });
    expect(replaced().at(-1)?.text).toContain("Reject by Ada");
  });

  test("of Discord is shown once where a function crashed before it stored the message", {
    tags: "nightly",
  }, async () => {
    const { world, publish, drain, queued, handle, buttons, press, item } = await start({
      provider: "discord",
    });
    await world.execute("a");
    await world.deliver();
    for (const event of world.events.splice(0)) await publish(event);
    const [show] = queued;
    if (!show) throw new Error("nothing was queued");
    db.failNext("PutItem");
    await expect(handle(show)).rejects.toThrow("planned failure");
    await drain();
    expect(posted()).toHaveLength(1);
    const [approve = ""] = buttons();
    await press(presses(server.url).discord(approve));
    await drain();
    expect(await item()).toMatchObject({ status: "Decided" });
  });

  test("is posted after a failure of the provider, and left after a refusal", {
    tags: "nightly",
  }, async () => {
    const failing = await start();
    await failing.world.execute("a");
    await failing.world.deliver();
    for (const event of failing.world.events.splice(0)) await failing.publish(event);
    const [show] = failing.queued;
    if (!show) throw new Error("nothing was queued");
    server.failNext({ status: 500, body: {} });
    await expect(failing.handle(show)).rejects.toThrow("Slack failed");
    await failing.drain();
    expect(posted()).toHaveLength(1);
    server.shown.length = 0;
    const parameters = { apiUrl: `${server.url}/slack`, botToken: "xoxb-bad" };
    const refusing = await start({ body: { provider: "slack", parameters } });
    await refusing.request();
    expect(server.shown).toEqual([]);
    expect(await refusing.item()).toMatchObject({ status: "Pending" });
  });
});

describe("a press", () => {
  test("of another conversation, or through another connector, decides nothing", async () => {
    const { request, buttons, press, pressSlack, item, create, drain } = await start();
    await request();
    const [approve = ""] = buttons();
    await pressSlack(approve, { conversation: "C2" });
    const other = await create(buildConnector("slack"));
    await press(presses(server.url).slack(approve), other);
    await drain();
    expect(await item()).toMatchObject({ status: "Pending", decisions: [] });
    expect(server.shown).toHaveLength(1);
  });

  test("of a user whom the connector does not admit gets one notice, and decides nothing", async () => {
    const { request, buttons, pressSlack, item } = await start({
      body: { ...buildConnector("slack"), policy: "RequireApproval" },
    });
    await request();
    const [approve = ""] = buttons();
    await pressSlack(approve, { name: "Eve" });
    await pressSlack(approve, { name: "Eve" });
    expect(await item()).toMatchObject({ status: "Pending", decisions: [] });
    expect(texts().slice(1)).toEqual(["Eve: you have no access to this agent."]);
  });

  test("with DenyAll, or of a connector that is not active, decides nothing, also one on its way", {
    tags: "nightly",
  }, async () => {
    for (const body of [{ policy: "DenyAll" }, { active: false }] as const) {
      const { request, buttons, press, item, storage, ctx, connector, drain } = await start();
      await request();
      const [approve = ""] = buttons();
      const payload = presses(server.url).slack(approve);
      await press(payload);
      const ids = { ctx, agentId: "a", connectorId: connector.id };
      await updateConnector(storage, { ...ids, body });
      await drain();
      const later = press(payload).then(
        () => "accepted",
        ({ slug }) => slug,
      );
      expect(await later).toBe("active" in body ? "not-found" : "accepted");
      await drain();
      expect(await item()).toMatchObject({ status: "Pending", decisions: [] });
    }
  });

  test("signed with the secret of another connector, or not signed, decides nothing", async () => {
    const { provider, parameters } = buildConnector("slack");
    const [own, others] = ["1".repeat(32), "2".repeat(32)];
    const withSecret = (signingSecret: string): CreateConnectorBody => ({
      provider,
      parameters: { ...parameters, signingSecret },
    });
    const { request, buttons, press, item, create, connector, ctx, drain } = await start({
      body: withSecret(own),
    });
    await create(withSecret(others));
    await request();
    const [approve = ""] = buttons();
    const pressSigned = (secret: string | undefined) =>
      press(presses(server.url).slack(approve), connector, (sent) =>
        secret === undefined ? sent : slackSample.sign(sent, secret, ctx.clock()),
      );
    await expect(pressSigned(others)).rejects.toMatchObject({ slug: "unauthenticated" });
    await expect(pressSigned(undefined)).rejects.toMatchObject({ slug: "unauthenticated" });
    await drain();
    expect(await item()).toMatchObject({ status: "Pending", decisions: [] });
    await pressSigned(own);
    await drain();
    expect(await item()).toMatchObject({ status: "Decided" });
  });

  test("of a chat user who is deleted while it is on its way decides nothing under RequireApproval", {
    tags: "nightly",
  }, async () => {
    const { request, buttons, press, pressSlack, item, drain, world, connector } = await start({
      body: { ...buildConnector("slack"), policy: "RequireApproval" },
    });
    await request();
    const [approve = ""] = buttons();
    const { tenantId } = world;
    const ids = { tenantId, agentId: "a", connectorId: connector.id };
    const admit = async (user: string): Promise<string> => {
      const id = deriveChatUserId(connector.id, user);
      const now = world.tenant.ctx.clock();
      await recordChatUser(db, {
        ...{ ...ids, id, identifier: user, userName: user, provider: "slack", status: "Active" },
        ...{ createdAt: now, modifiedAt: now },
      });
      return id;
    };
    const chatUserId = await admit("U1");
    await press(presses(server.url).slack(approve));
    await deleteChatUser(world.deps, { ...ids, chatUserId });
    await drain();
    expect(await item()).toMatchObject({ status: "Pending", decisions: [] });
    expect(texts().at(-1)).toContain("you have no access");
    await admit("U2");
    await pressSlack(approve, { user: 2, name: "Bob" });
    expect(await item()).toMatchObject({ status: "Decided" });
  });

  test("of several people counts every one of them once, and shows who has decided", {
    tags: "nightly",
  }, async () => {
    const { request, buttons, pressSlack, item } = await start({ step: { minApprovals: 2 } });
    await request();
    const [approve = "", reject = ""] = buttons();
    await pressSlack(approve);
    await pressSlack(approve);
    expect(await item()).toMatchObject({ status: "Pending", decisions: [{ action: "approve" }] });
    expect(replaced().at(-1)?.text).toContain("Approve: Ada");
    expect(buttons()).toEqual([approve, reject]);
    await pressSlack(reject);
    expect(texts().at(-1)).toContain("cannot be changed");
    await pressSlack(approve, { user: 2, name: "Bob" });
    expect(await item()).toMatchObject({ status: "Decided" });
    expect(replaced().at(-1)?.text).toMatch(/Approve by Ada .*\nApprove by Bob/);
  });

  test("of the user who started the execution in a chat decides nothing, unless the step allows it", {
    tags: "nightly",
  }, async () => {
    for (const allowStarter of [false, true]) {
      const { world, drain, buttons, pressSlack, item, ctx, connector } = await start({
        step: { allowStarter },
      });
      const deployed = await loadDeployed(world.deps, { tenantId: world.tenantId, agentId: "a" });
      if ("missing" in deployed) throw new Error("nothing is deployed");
      const request = {
        tenantId: world.tenantId,
        executionId: newUuid(ctx),
        trigger: { type: triggerTypes.connector, id: connector.id, provider: "slack" },
        input: {},
        chatUser: nameChatUser(deriveChatUserId(connector.id, "U1")),
      };
      await startTriggered(world.deps, { deployed, request });
      await drain();
      const [approve = ""] = buttons();
      await pressSlack(approve);
      expect(await item()).toMatchObject({ status: allowStarter ? "Decided" : "Pending" });
      if (allowStarter) continue;
      expect(texts().at(-1)).toContain("Who started the execution may not decide");
      await pressSlack(approve, { user: 2, name: "Bob" });
      expect(await item()).toMatchObject({ status: "Decided" });
    }
  });

  test("of an approval that has ended changes its message only", { tags: "nightly" }, async () => {
    const { request, buttons, pressSlack, item, world } = await start();
    await request();
    const [approve = "", reject = ""] = buttons();
    await pressSlack(approve);
    const decided = await item();
    await pressSlack(reject, { user: 2, name: "Bob" });
    expect(await item()).toEqual(decided);
    expect(posted()).toHaveLength(1);
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
  });
});
