import { randomBytes } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { purge as purgeDeleted } from "../../../functions/workers/purge-deleted.ts";
import { good } from "../../../test/harness/chat-apis/chat-api.ts";
import { type ChatServer, startChatServer } from "../../../test/harness/chat-apis/chat-server.ts";
import { type Respond, testExecutions } from "../../../test/harness/execution.ts";
import { knowledgeWith } from "../../../test/harness/flow.ts";
import { failureStep } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { samples } from "../../../test/samples/chat.ts";
import { decideApproval } from "../../approvals/decide-approval.ts";
import type { Knowledge } from "../../engine/flow/knowledge.ts";
import { listScores } from "../../evaluation/score/list-scores.ts";
import { listApprovals } from "../../executions/approvals/approval-store.ts";
import {
  RunExecutionMessage,
  SendChatReplyMessage,
  WakeExecutionMessage,
} from "../../executions/messages.ts";
import { toSessionPlace } from "../../executions/session/keys.ts";
import { maxQueued } from "../../executions/session/occupy-session.ts";
import type { Waiter } from "../../executions/session/session-item.ts";
import { changeSession, getSession } from "../../executions/session/session-store.ts";
import { wakeExecution } from "../../executions/wait/wake-execution.ts";
import { createAsset } from "../../knowledge/asset/create-asset.ts";
import { transact } from "../../platform/db/transact.ts";
import { putNewTenant } from "../../tenancy/tenant/store.ts";
import { sample as discordSample } from "../../vendors/discord/sample.ts";
import { jsonRequest, type SampleRequest } from "../../vendors/webhook-sample.ts";
import { acceptMessage } from "../../webhooks/delivery/accept-message.ts";
import { decideAccessRequest } from "../chat-user/decide-access-request.ts";
import { deleteChatUser } from "../chat-user/delete-chat-user.ts";
import { listAccessRequests } from "../chat-user/request-store.ts";
import { createConnector } from "../connector/create-connector.ts";
import { deleteConnector } from "../connector/delete-connector.ts";
import type { CreateConnectorBody, UpdateConnectorBody } from "../connector/schemas.ts";
import { updateConnector } from "../connector/update-connector.ts";
import { PurgeConnectorMessage, ReplyToChatMessage } from "../messages.ts";
import { apology, replyToMessage } from "./reply-to-message.ts";
import { sendDueReply } from "./send-due-reply.ts";

const echo = {
  parametersMetadata: [{ name: "message", type: "String", required: true }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.message %}!" }], edges: [] },
};
/** Returns the number of earlier messages of the conversation. */
const sessionAgent = {
  parametersMetadata: [{ name: "history", type: "Json" }],
  flow: { steps: [{ id: "say", type: "Output", value: "{% $count(input.history) %}" }], edges: [] },
  useSession: true,
};
const prefixes = { prefix: "wharf", earlierPrefixes: [] };
const limits = { requests: 1_000, unauthenticatedRequests: 1_000, windowSeconds: 60 };

const Markup = z.looseObject({
  reply_markup: z.object({
    inline_keyboard: z.array(z.array(z.object({ callback_data: z.string().max(64) }))),
  }),
});

describe("a chat message", () => {
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

  const start = async ({
    agent = echo,
    more = {},
    respond,
    knowledge,
  }: {
    agent?: object;
    more?: Partial<CreateConnectorBody>;
    respond?: Respond;
    knowledge?: Knowledge;
  } = {}) => {
    const world = testExecutions(db, respond);
    const { ctx, deps: storage } = world.tenant;
    const now = ctx.clock();
    const { tenant } = ctx;
    await putNewTenant(db, {
      ...tenant,
      slug: tenant.id,
      displayName: "Test",
      createdAt: now,
      modifiedAt: now,
    });
    if (knowledge) {
      const body = { id: "docs", displayName: "Docs", type: "upload" };
      await createAsset({ ...storage, outgoing: {}, sources: [] }, { ctx, body });
    }
    await world.deploy("a", agent);
    const outgoing = { allowPrivateAddresses: true };
    const connector = await createConnector(
      { ...storage, outgoing },
      {
        ctx: { ...ctx, baseUrl: "http://localhost" },
        agentId: "a",
        body: { provider: "generic", parameters: { replyUrl: `${server.url}/replies` }, ...more },
      },
    );
    const queued: { group: string; message: unknown }[] = [];
    const send = async (queue: string, group: string, message: unknown) => {
      if (queue === "chats") queued.push({ group, message });
    };
    const accept = (message: object, sign = (request: SampleRequest) => request) => {
      const { headers, body } = sign(jsonRequest(message));
      return acceptMessage(
        { ...storage, send, prefixes, limits, verifyBotToken: async () => ({}) },
        {
          tenant: ctx.tenant,
          provider: connector.provider,
          id: connector.id,
          hasKey: true,
          request: {
            method: "POST",
            headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
            query: {},
            body: Buffer.from(body),
          },
          countUnknown: async () => undefined,
          runtime: { ...ctx, randomBytes },
        },
      );
    };
    const deps = {
      ...world.deps,
      ...(knowledge && { knowledgeFor: () => knowledge }),
      outgoing,
      sleep: async (ms: number, signal: AbortSignal) => {
        if (ms > 2_000) return world.timers.sleep(ms, signal);
        world.tenant.advance(ms);
      },
    };
    const reply = (message: unknown) => {
      const deadline = ctx.clock() + 900_000;
      const due = SendChatReplyMessage.safeParse(message);
      return due.success
        ? sendDueReply(deps, { message: due.data, deadline })
        : replyToMessage(deps, { message: ReplyToChatMessage.parse(message), deadline });
    };
    /**
     * Handles queued messages in order. A failed message is delivered again, and a further time
     * after that.
     */
    const drain = async (): Promise<void> => {
      for (let left = 12; left > 0; left -= 1) {
        const next = queued[0];
        if (!next) return;
        const failed = await reply(next.message).then(
          () => false,
          () => true,
        );
        if (failed) {
          world.tenant.advance(60_000);
          queued.unshift(next);
          continue;
        }
        queued.shift();
        await reply(next.message).catch(() => undefined);
      }
    };
    const change = (body: UpdateConnectorBody) =>
      updateConnector(
        { ...storage, outgoing },
        { ctx, agentId: "a", connectorId: connector.id, body },
      );
    /** Approves the one request that is pending; its message is queued. */
    const approve = async () => {
      const page = { size: 2, skip: 0 };
      const pending = { agentId: "a", status: "Pending" } as const;
      const { items } = await listAccessRequests(db, tenant.id, pending, page);
      const accessRequestId = items[0]?.id ?? "";
      const input = { agentId: "a", accessRequestId, decision: "Approved", note: null } as const;
      return decideAccessRequest({ db, send }, { ctx, ...input });
    };
    return { world, connector, queued, accept, reply, drain, storage, change, approve };
  };

  const hello = (more: object = {}) => ({
    id: "m-1",
    user: { id: "u-1", name: "Ada" },
    conversation: { id: "c-1", name: "General" },
    text: "Hello",
    ...more,
  });

  const telegram = (): Partial<CreateConnectorBody> => ({
    provider: "telegram",
    parameters: { botToken: good.telegram, apiUrl: `${server.url}/telegram` },
  });
  const update = {
    update_id: 1,
    message: { message_id: 7, from: { id: 5, is_bot: false }, chat: { id: 5 }, text: "tell me" },
  };

  /** Partitions with items of a connector's conversations. */
  const listPartitions = async (connectorId: string): Promise<string[]> => [
    ...new Set(
      (await db.scan())
        .map(({ pk }) => String(pk))
        .filter((pk) => pk.includes(`CONNECTOR#${connectorId}`)),
    ),
  ];

  const purge = async (
    { tenant, tenantId }: ReturnType<typeof testExecutions>,
    connectorId: string,
  ): Promise<void> => {
    const { deps, ctx, sent } = tenant;
    await deleteConnector(deps, { tenantId, agentId: "a", connectorId });
    const until = ctx.clock() + 1_000;
    await purgeDeleted(PurgeConnectorMessage.parse(sent.at(-1)), {
      ...deps,
      clock: ctx.clock,
      until,
    });
  };

  test("reads every item once, and writes only its start, end and reply", {
    tags: "nightly",
  }, async () => {
    const { accept, queued, reply } = await start();
    const listCalls = async (id: string) => {
      await accept(hello({ id }));
      db.calls.length = 0;
      await reply(queued.shift()?.message);
      return [...db.calls];
    };
    await listCalls("m-1");
    const calls = await listCalls("m-2");
    expect(calls.filter((call) => call === "GetItem")).toHaveLength(3);
    expect(calls.filter((call) => call === "BatchGetItem")).toEqual([]);
    expect(calls.filter((call) => call === "PutItem")).toHaveLength(2);
    expect(calls.filter((call) => call === "TransactWriteItems")).toHaveLength(1);
    expect(calls.filter((call) => call === "UpdateItem")).toHaveLength(1);
  });

  test("gets the agent's reply at the reply address", async () => {
    const { world, connector, accept, drain } = await start();
    expect(await accept(hello())).toEqual({ response: { status: 204 } });
    await drain();
    expect(server.requests.map(({ body }) => body)).toEqual([
      { connectorId: connector.id, conversationId: "c-1", inReplyTo: "m-1", text: "Hello!" },
    ]);
    const [record, ...others] = await world.list("a");
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      status: "Succeeded",
      trigger: { type: 3, id: connector.id, provider: "generic" },
    });
  });

  describe("with an execution that waits", () => {
    const waiting = {
      flow: {
        steps: [
          { id: "pause", type: "Wait", seconds: 3_600 },
          { id: "say", type: "Output", value: "Done." },
        ],
        edges: [{ source: "pause", target: "say" }],
      },
    };
    const schedules = { put: async () => undefined, remove: async () => undefined };
    /** Continues the execution, and returns the request for its reply. */
    const wakeUp = async ({ tenant, deps, work }: ReturnType<typeof testExecutions>) => {
      const wakes = tenant.sent.splice(0).flatMap((sent) => {
        const wake = WakeExecutionMessage.safeParse(sent);
        return wake.success ? [wake.data] : [];
      });
      tenant.advance(3_601_000);
      for (const wake of wakes) await wakeExecution({ ...deps, schedules }, wake);
      const replies: unknown[] = [];
      const later: (typeof tenant.sent)[number][] = [];
      const send: typeof deps.send = async (queue, ...message) => {
        if (queue === "chats") replies.push(message[1]);
        else if (WakeExecutionMessage.safeParse(message[1]).success) later.push(message[1]);
        else await deps.send(queue, ...message);
      };
      await work({ ...deps, send });
      tenant.sent.push(...later);
      return replies;
    };

    test("gets its reply after the wait, once", { tags: "nightly" }, async () => {
      const { world, accept, drain, reply } = await start({ agent: waiting });
      await accept(hello());
      await drain();
      expect(server.requests).toEqual([]);
      expect(await world.list("a")).toMatchObject([{ status: "Waiting" }]);
      const replies = await wakeUp(world);
      expect(replies).toMatchObject([{ type: "send-chat-reply" }]);
      for (const due of [...replies, ...replies]) await reply(due);
      expect(server.requests.map(({ body }) => body)).toMatchObject([{ text: "Done." }]);
    });

    test("of a session gets its reply after those before it; beyond 100 that wait it is refused", {
      tags: "nightly",
    }, async () => {
      const agent = { ...waiting, useSession: true };
      const { world, connector, accept, drain, reply } = await start({ agent });
      for (const id of ["m-1", "m-2"]) {
        await accept(hello({ id }));
        await drain();
      }
      const place = toSessionPlace(world.tenantId, "a", `${connector.id}:c-1`);
      const fill = async (queue: readonly Waiter[]) => {
        const session = await getSession(db, place);
        if (session) await transact(db, [changeSession(place, session, { queue })]);
        return session?.queue ?? [];
      };
      const full = Array.from({ length: maxQueued }, (_, at) => ({
        id: `e-${at}`,
        until: 0,
        persons: [],
      }));
      const queue = await fill(full);
      expect(queue).toHaveLength(1);
      await accept(hello({ id: "m-3" }));
      await drain();
      expect(server.shown.map(({ text }) => text)).toEqual([apology]);
      const records = await world.list("a");
      expect(records.map(({ status }) => status).sort()).toEqual(["Failed", "Queued", "Waiting"]);
      await fill(queue);
      for (let count = 1; count <= 2; count += 1) {
        const replies = await wakeUp(world);
        expect(replies).toHaveLength(1);
        for (const due of replies) await reply(due);
      }
      expect(server.shown.map(({ text }) => text)).toEqual([apology, "Done.", "Done."]);
    });

    test("gets its reply after an approval that was asked in another conversation, once", {
      tags: "nightly",
    }, async () => {
      const { world, connector, accept, drain, reply } = await start();
      const chat = { connectorId: connector.id, conversationId: "c-2" };
      const approvers = { users: ["admin"], chat };
      const steps = [
        { id: "ask", type: "Approval", title: "Pay?", approvers },
        waiting.flow.steps[1],
      ];
      await world.deploy("a", { flow: { steps, edges: [{ source: "ask", target: "say" }] } });
      await accept(hello());
      await drain();
      const { tenant, deps, work } = world;
      const [item] = await Array.fromAsync(listApprovals(db, tenant.ctx.tenant.id));
      tenant.sent.length = 0;
      tenant.advance(48 * 3_600_000);
      await decideApproval(
        { ...deps, runtime: tenant.ctx },
        {
          tenant: tenant.ctx.tenant,
          approvalId: item?.id ?? "",
          decider: { type: "caller", principal: tenant.ctx.principal },
          body: { action: "approve" },
        },
      );
      const runs = tenant.sent
        .splice(0)
        .filter((sent) => RunExecutionMessage.safeParse(sent).success);
      tenant.sent.push(...runs);
      const replies: unknown[] = [];
      const send: typeof deps.send = async (queue, ...message) =>
        queue === "chats" ? void replies.push(message[1]) : undefined;
      await work({ ...deps, send });
      for (const due of [...replies, ...replies]) await reply(due);
      expect(server.requests.map(({ body }) => body)).toMatchObject([
        { conversationId: "c-1", text: "Done." },
      ]);
    });

    test("gets its reply from its first worker where the execution continues before the message is stored", async () => {
      const { world, accept, queued, reply } = await start({ agent: waiting });
      await accept(hello());
      await reply(queued[0]?.message);
      const replies = await wakeUp(world);
      await reply(queued[0]?.message);
      for (const due of replies) await reply(due);
      expect(server.requests.map(({ body }) => body)).toMatchObject([{ text: "Done." }]);
    });
  });

  test("continues the trace of the request that brought it", async () => {
    const { world, accept, drain } = await start();
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    await accept(hello(), ({ headers, body }) => ({
      headers: { ...headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      body,
    }));
    await accept(hello({ id: "m-2" }));
    await drain();
    const traced = (await world.list("a")).filter((record) => record.traceId === traceId);
    expect(traced).toMatchObject([{ traceContext: { traceparent: expect.any(String) } }]);
  });

  test("receives a reply with the sources that were found, unless the connector lists none", {
    tags: "nightly",
  }, async () => {
    const passage = {
      ...{ assetId: "docs", documentId: "d", documentName: "Plan", text: "A passage.", score: 1 },
      link: "https://example.com/plan",
    };
    const agent = {
      assets: [{ id: "docs" }],
      flow: {
        steps: [
          { id: "find", type: "Retrieve", query: "x" },
          { id: "say", type: "Output", value: "By the Plan." },
        ],
        edges: [{ source: "find", target: "say" }],
      },
    };
    const knowledge = knowledgeWith(async () => ({ passages: [passage], embeddings: [] }));
    const replyUrl = `${server.url}/replies`;
    for (const sources of ["true", "false"]) {
      const more = { parameters: { replyUrl, sources } };
      const { accept, drain } = await start({ agent, more, knowledge });
      await accept(hello());
      await drain();
    }
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { text: "By the Plan.", sources: [{ title: "Plan", link: "https://example.com/plan" }] },
      { text: "By the Plan." },
    ]);
    expect(server.requests[1]?.body).not.toHaveProperty("sources");
  });

  test.each(["GetItem", "PutItem", "UpdateItem", "Query", "TransactWriteItems", "DeleteItem"])(
    "runs the agent once and gets one reply if any one %s after its acceptance fails",
    { tags: "nightly", timeout: 120_000 },
    async (command) => {
      for (let passing = 0; passing < 14; passing += failureStep) {
        server.shown.length = 0;
        const { world, accept, drain } = await start({ agent: { ...echo, useSession: true } });
        await accept(hello());
        db.failNext(command, passing);
        await drain();
        const isUnfailed = db.clearFailures();
        await drain();
        const records = await world.list("a");
        expect(records.map(({ status }) => status)).toEqual(["Succeeded"]);
        const texts = server.shown.map(({ text }) => text);
        // Sending is recorded after the reply was sent, so a crash in between sends it twice.
        expect(texts.slice(0, 1)).toEqual(["Hello!"]);
        expect(texts.length).toBeLessThanOrEqual(2);
        if (command !== "UpdateItem") expect(texts).toHaveLength(1);
        if (isUnfailed) return;
      }
    },
  );

  test("that the provider repeats within a day gets one reply; a day later it is a new message", async () => {
    const { world, accept, drain } = await start();
    await accept(hello());
    await accept(hello());
    await drain();
    await accept(hello());
    await drain();
    expect(server.shown).toHaveLength(1);
    world.tenant.advance(86_400_001);
    await accept(hello());
    await drain();
    expect(server.shown).toHaveLength(2);
  });

  test("that failed and is repeated two weeks later neither runs the agent again nor sends a part again", async () => {
    const { world, queued, accept, reply, drain } = await start();
    await accept(hello());
    const dead = queued[0]?.message;
    server.failNext({ status: 503 });
    await expect(reply(dead)).rejects.toThrow("failed (503)");
    world.tenant.advance(14 * 86_400_000);
    await drain();
    world.tenant.advance(86_400_001);
    await reply(dead);
    expect(server.shown).toHaveLength(1);
    expect(await world.list("a")).toHaveLength(1);
  });

  test("shares its message group with those of its conversation only", async () => {
    const { queued, accept } = await start();
    await accept(hello());
    await accept(hello({ id: "m-2" }));
    await accept(hello({ id: "m-3", conversation: { id: "c-2" } }));
    const [first, second, third] = queued.map(({ group }) => group);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test("has an id that preserves its order among the messages of one request", async () => {
    const { queued, accept } = await start({
      more: { provider: "meta", parameters: { accessToken: good.meta } },
    });
    const messaging = Array.from({ length: 200 }, (_, at) => ({
      sender: { id: "1" },
      recipient: { id: "2" },
      message: { mid: `m-${at}`, text: "Hello" },
    }));
    await accept({ object: "page", entry: [{ messaging }] });
    const ids = queued.map(({ message }) => ReplyToChatMessage.parse(message).id);
    expect(ids).toHaveLength(200);
    expect(ids).toEqual(ids.toSorted());
  });

  test("gets a neutral reply when the agent fails or cannot be run; both are recorded once", async () => {
    const failing = {
      ...echo,
      flow: {
        steps: [{ id: "say", type: "Output", value: "{% $error('secret detail') %}" }],
        edges: [],
      },
    };
    const picky = {
      ...echo,
      parametersMetadata: [
        ...echo.parametersMetadata,
        { name: "other", type: "String", required: true },
      ],
    };
    for (const agent of [failing, picky]) {
      server.shown.length = 0;
      const { accept, reply, drain, queued, world } = await start({ agent });
      await accept(hello());
      const [first] = queued;
      server.failNext({ status: 503 });
      await expect(reply(ReplyToChatMessage.parse(first?.message))).rejects.toThrow();
      await drain();
      expect(server.shown).toEqual([{ to: "c-1", text: apology }]);
      expect(await world.list("a")).toMatchObject([{ status: "Failed", trigger: { type: 3 } }]);
    }
  });

  test("gets no reply when the agent returns none", async () => {
    const agent = {
      ...echo,
      flow: { steps: [{ id: "say", type: "Output", value: null }], edges: [] },
    };
    const { world, accept, drain } = await start({ agent });
    await accept(hello());
    await drain();
    expect(server.requests).toEqual([]);
    expect(await world.list("a")).toHaveLength(1);
  });

  test("is retried when the reply receiver fails, and dropped when it refuses", {
    tags: "nightly",
  }, async () => {
    const { world, queued, accept, reply, drain } = await start();
    await accept(hello());
    server.failNext({ status: 503 });
    await expect(reply(queued[0]?.message)).rejects.toThrow("failed (503)");
    await drain();
    expect(server.shown).toHaveLength(1);
    await accept(hello({ id: "m-2" }));
    server.failNext({ status: 403, body: { secret: "detail" } });
    await drain();
    expect(server.shown).toHaveLength(1);
    expect(await world.list("a")).toHaveLength(2);
  });

  test("gets one reply per delivery although the reply receiver fails", {
    tags: "nightly",
  }, async () => {
    const { world, queued, accept, reply, drain } = await start({ agent: sessionAgent });
    for (const id of ["m-1", "m-2", "m-3"]) {
      await accept(hello({ id }));
      server.failNext({ status: 503 });
      await expect(reply(queued[0]?.message)).rejects.toThrow("failed (503)");
      await drain();
    }
    expect(server.shown.map(({ text }) => text)).toEqual(["0", "2", "4"]);
    expect(await world.list("a")).toHaveLength(3);
  });

  test("is delayed as long as a throttling provider requests", async () => {
    const { accept, drain, world } = await start();
    await accept(hello());
    server.failNext({ status: 429, headers: { "retry-after": "2" } });
    const before = world.tenant.ctx.clock();
    await drain();
    expect(server.shown).toHaveLength(1);
    expect(world.tenant.ctx.clock() - before).toBeGreaterThanOrEqual(2_000);
  });

  test("to an inactive or deleted connector is refused, and a queued one gets no reply", async () => {
    const { accept, drain } = await start({ more: { active: false } });
    await expect(accept(hello())).rejects.toMatchObject({ slug: "not-found" });
    const open = await start();
    await open.accept(hello());
    const place = { agentId: "a", connectorId: open.connector.id };
    await deleteConnector(open.storage, { tenantId: open.world.tenantId, ...place });
    await expect(open.accept(hello())).rejects.toMatchObject({ slug: "not-found" });
    await open.drain();
    await drain();
    expect(server.requests).toEqual([]);
    expect(await open.world.list("a")).toEqual([]);
  });

  test("gets no reply with DenyAll, not even for an approved user", async () => {
    const { queued, accept, drain, world, change, approve } = await start({
      more: { policy: "RequireApproval" },
    });
    await accept(hello());
    await drain();
    await approve();
    expect(queued).toHaveLength(1);
    await change({ policy: "DenyAll" });
    await accept(hello({ id: "m-2" }));
    await drain();
    expect(server.requests).toEqual([]);
    expect(await world.list("a")).toEqual([]);
  });

  test("that was approved gets a reply, unless its user was deleted in the meantime", {
    tags: "nightly",
  }, async () => {
    for (const isDeleted of [false, true]) {
      server.shown.length = 0;
      const { accept, drain, world, approve } = await start({
        more: { policy: "RequireApproval" },
      });
      await accept(hello());
      await drain();
      const { chatUserId } = await approve();
      const { tenantId } = world;
      if (isDeleted) await deleteChatUser(world.deps, { tenantId, agentId: "a", chatUserId });
      await drain();
      expect(server.shown).toEqual(isDeleted ? [] : [{ to: "c-1", text: "Hello!" }]);
      expect(await world.list("a")).toHaveLength(isDeleted ? 0 : 1);
    }
  });

  test("of an unknown user gets the parts of the onboarding message once, and a reply after approval", {
    tags: "nightly",
  }, async () => {
    const privateKey = discordSample.newKey(randomBytes);
    const parameters = {
      publicKey: discordSample.toSigningSecret?.(privateKey) ?? "",
      botToken: good.discord,
      apiUrl: `${server.url}/discord`,
    };
    const { world, accept, drain, approve } = await start({
      more: {
        provider: "discord",
        parameters,
        policy: "RequireApproval",
        onBoardingMessage: "word ".repeat(600).trim(),
      },
    });
    await accept(samples.discord.withMessage[0].payload, (request) =>
      discordSample.sign(request, privateKey, world.tenant.ctx.clock()),
    );
    server.failNext({ status: 200, body: {} }, { status: 502 });
    await drain();
    await approve();
    await drain();
    const texts = server.requests.map(({ body }) => String(body.content));
    expect(texts).toHaveLength(4);
    expect(texts[1]).toBe(texts[2]);
    expect(texts[1]).not.toBe(texts[0]);
    expect(texts[3]).toBe("The Gitrog Monster!");
  });

  test("gets a reply by the connector's settings at the end of a run of five seconds", {
    tags: "nightly",
  }, async () => {
    const agent = {
      parametersMetadata: [{ name: "message", type: "String" }],
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: { steps: [{ id: "ask", type: "Prompt", prompt: "{% input.message %}" }], edges: [] },
    };
    const changes = [
      { parameters: { replyUrl: `${server.url}/replies/new` } },
      { active: false },
      { policy: "DenyAll" },
      undefined,
    ] as const;
    for (const body of changes) {
      let meanwhile = async (): Promise<unknown> => undefined;
      const respond: Respond = async () => {
        world.tenant.advance(5_000);
        await meanwhile();
        return "Hi";
      };
      const { accept, drain, world, connector, change } = await start({ agent, respond });
      const place = { agentId: "a", connectorId: connector.id };
      meanwhile = () =>
        body
          ? change(body)
          : deleteConnector(world.tenant.deps, { tenantId: world.tenantId, ...place });
      await accept(hello());
      await drain();
    }
    expect(server.requests.map(({ path }) => path)).toEqual(["/replies/new"]);
  });

  test("waits for the lease of its run after its function crashed, then gets one reply from the same execution", {
    tags: "nightly",
  }, async () => {
    const agent = {
      parametersMetadata: [{ name: "message", type: "String" }],
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: { steps: [{ id: "ask", type: "Prompt", prompt: "{% input.message %}" }], edges: [] },
    };
    const asked = Promise.withResolvers<void>();
    let isDead = true;
    const respond: Respond = async () => {
      if (!isDead) return "Hi";
      asked.resolve();
      return new Promise<never>(() => undefined);
    };
    const { accept, queued, reply, world } = await start({ agent, respond });
    await accept(hello());
    void reply(queued[0]?.message);
    await asked.promise;
    const diedAt = world.tenant.ctx.clock();
    const again = await reply(queued[0]?.message).catch((error: unknown) => error);
    expect(again).toMatchObject({ name: "LeasedElsewhereError", until: diedAt + 40_000 });
    isDead = false;
    world.tenant.advance(diedAt + 40_001 - world.tenant.ctx.clock());
    await reply(queued[0]?.message);
    await reply(queued[0]?.message);
    expect(server.requests).toHaveLength(1);
    expect(await world.list("a")).toHaveLength(1);
  });

  test("has the history of its conversation only, if the agent keeps a session", {
    tags: "nightly",
  }, async () => {
    const agent = {
      parametersMetadata: [
        { name: "message", type: "String" },
        { name: "user", type: "Json" },
        { name: "history", type: "Json" },
      ],
      flow: {
        steps: [
          { id: "say", type: "Output", value: "{% $count(input.history) & input.user.name %}" },
        ],
        edges: [],
      },
      useSession: true,
    };
    const { accept, drain, world, connector } = await start({ agent });
    for (const id of ["m-1", "m-2", "m-3"]) {
      await accept(hello({ id }));
      await drain();
      world.tenant.advance(1_000);
    }
    await accept(hello({ id: "m-4", conversation: { id: "c-2" } }));
    await drain();
    expect(server.shown.map(({ text }) => text)).toEqual(["0Ada", "2Ada", "4Ada", "0Ada"]);
    const prefix = `SESSION#${connector.id.replaceAll("-", "")}`;
    const listSessions = async () =>
      (await db.scan()).filter((item) => "version" in item && String(item.sk).startsWith(prefix));
    expect(await listSessions()).toHaveLength(2);

    await purge(world, connector.id);
    expect(await listPartitions(connector.id)).toEqual([]);
    expect(await listSessions()).toEqual([]);
  });

  test("is stored in one of 16 partitions of its connector, by its conversation", {
    tags: "nightly",
  }, async () => {
    const { accept, drain, connector, world } = await start({ agent: sessionAgent });
    for (let at = 0; at < 12; at += 1) {
      await accept(hello({ id: `m-${at}`, conversation: { id: `c-${at % 6}` } }));
    }
    await drain();
    expect(server.shown.map(({ text }) => text)).toEqual([
      ...Array(6).fill("0"),
      ...Array(6).fill("2"),
    ]);
    const partitions = await listPartitions(connector.id);
    expect(partitions.length).toBeGreaterThan(2);
    expect(partitions.every((pk) => /#[0-9a-f]$/.test(pk))).toBe(true);
    await purge(world, connector.id);
    expect(await listPartitions(connector.id)).toEqual([]);
  });

  test("reaches the model after the history, if the agent keeps a session and does not declare it as an input", {
    tags: "nightly",
  }, async () => {
    const agent = {
      parametersMetadata: [{ name: "message", type: "String" }],
      llmConfigs: [{ providerId: "test", parameters: {} }],
      flow: {
        steps: [{ id: "ask", type: "Prompt", system: "Be kind.", prompt: "{% input.message %}" }],
        edges: [],
      },
      useSession: true,
    };
    const asked: unknown[] = [];
    const respond: Respond = (prompt, { messages }) => {
      asked.push(messages.map((message) => [message.role, "text" in message && message.text]));
      return `re: ${prompt}`;
    };
    const { accept, drain, world } = await start({ agent, respond });
    for (const [id, text] of Object.entries({ "m-1": "one", "m-2": "two" })) {
      await accept(hello({ id, text }));
      await drain();
      world.tenant.advance(1_000);
    }
    await accept(hello({ id: "m-3", text: "alone", conversation: { id: "c-2" } }));
    await drain();
    expect(asked).toEqual([
      [["user", "one"]],
      [
        ["user", "one"],
        ["assistant", "re: one"],
        ["user", "two"],
      ],
      [["user", "alone"]],
    ]);
  });

  test("with a very long reply gets 20 parts, the last of which states that it was cut", {
    tags: "nightly",
  }, async () => {
    const agent = {
      ...echo,
      flow: { steps: [{ id: "say", type: "Output", value: "word ".repeat(100_000) }], edges: [] },
    };
    const { accept, drain } = await start({ agent, more: telegram() });
    await accept(update);
    await drain();
    expect(server.shown).toHaveLength(20);
    expect(server.shown[18]?.text).not.toContain("cut");
    expect(server.shown[19]?.text).toMatch(/word\n\[This reply was truncated: it is too long\.\]$/);
  });

  test("with a long reply gets all its parts once", { tags: "nightly" }, async () => {
    const long = `${"word ".repeat(1_500)}end`;
    const agent = {
      ...echo,
      flow: { steps: [{ id: "say", type: "Output", value: long }], edges: [] },
    };
    const { accept, drain } = await start({
      agent,
      more: telegram(),
    });
    await accept(update);
    server.failNext({ status: 200, body: { ok: true } }, { status: 502 });
    await drain();
    const texts = server.requests.map(({ body }) => String(body.text));
    expect(texts).toHaveLength(3);
    expect(texts[1]).toBe(texts[2]);
    expect([texts[0], texts[2]].join(" ")).toBe(long);
  });

  test("gets thumbs under its reply if the connector enables them, and a press scores the execution", {
    tags: "nightly",
  }, async () => {
    const withThumbs = (thumbs: string) => ({
      ...telegram(),
      parameters: { ...telegram().parameters, thumbs },
    });
    const { world, connector, accept, drain, change } = await start({ more: withThumbs("true") });
    await accept(update);
    await drain();
    const { reply_markup } = Markup.parse(server.requests.at(-1)?.body);
    const [up = "", down = ""] = reply_markup.inline_keyboard.flatMap((row) =>
      row.map(({ callback_data }) => callback_data),
    );
    const executionId = up.split(":").at(-1) ?? "";
    const press = (data: string, from = 5) =>
      accept({ update_id: 2, callback_query: { id: "q", from: { id: from }, data } });
    const scores = async () => {
      const of = { tenantId: world.tenantId, agentId: "a", executionId };
      const { items } = await listScores(
        db,
        { ...of, now: world.tenant.ctx.clock() },
        { size: 10, skip: 0 },
      );
      return items.map(({ name, value, source }) => [name, value, source]);
    };
    expect(await press(up)).toMatchObject({
      response: { body: '{"method":"answerCallbackQuery","callback_query_id":"q"}' },
    });
    expect(await scores()).toEqual([["thumbs", true, "Chat"]]);
    await press(down);
    // Scores of one millisecond have no order.
    world.tenant.advance(1);
    await press(up, 6);
    expect(await scores()).toEqual([
      ["thumbs", false, "Chat"],
      ["thumbs", true, "Chat"],
    ]);
    const direct = await world.executeToEnd("a", { input: { message: "not a chat" } });
    for (const data of [
      `thumb:up:${direct.executionId}`,
      `thumb:up:${connector.id}`,
      `thumb:sideways:${executionId}`,
      "thumb:up:",
      "other",
    ]) {
      await press(data);
    }
    const of = { tenantId: world.tenantId, agentId: "a", executionId: direct.executionId };
    expect(
      (await listScores(db, { ...of, now: world.tenant.ctx.clock() }, { size: 10, skip: 0 })).items,
    ).toEqual([]);
    await change({ policy: "RequireApproval" });
    await press(down, 7);
    const { parameters } = withThumbs("false");
    await change({ policy: "AllowAll", parameters });
    await press(down, 8);
    expect(await scores()).toHaveLength(2);
    await accept({ ...update, message: { ...update.message, message_id: 8 } });
    await drain();
    expect(server.requests.at(-1)?.body).not.toHaveProperty("reply_markup");
  });
});
