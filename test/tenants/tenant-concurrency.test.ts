import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { deadLetterQueueName } from "../../infra/settings/names.ts";
import type { QueueName } from "../../lib/platform/queue/queues.ts";
import { call, newOrganization, stack } from "../harness/api.ts";
import { startChatServer } from "../harness/chat-apis/chat-server.ts";
import { fillSlots } from "../harness/fill-slots.ts";
import { startListenerServer } from "../harness/listener-server.ts";
import { startModelServer } from "../harness/model-server.ts";

/**
 * The stack runs four functions of a queue at a time, two of them for one tenant. A tenant's
 * waiting work is more than all four.
 */
const tenantLimit = 2;
const slowCount = 5;
const slow = Array.from({ length: slowCount }, (_, at) => at);
const pollOptions = { timeout: 90_000, interval: 500 };

type Organization = Awaited<ReturnType<typeof newOrganization>>;
const Id = z.looseObject({ id: z.string() });
const parseId = (response: { body: unknown }) => Id.parse(response.body).id;

const Statuses = z.array(z.looseObject({ status: z.string() }));
const Page = z.object({ items: Statuses });
const listStatuses = (items: unknown): string[] =>
  Statuses.parse(items).map(({ status }) => status);

/** A stand-in that blocks calls until the test releases them. */
const startBlockedModels = async () => {
  const gate = Promise.withResolvers<void>();
  const models = await startModelServer({
    fallback: { after: gate.promise, reply: { text: "Done." } },
  });
  onTestFinished(() => models.close());
  return { models, release: () => gate.resolve() };
};

const deployThinker = async (own: Organization, url: string) => {
  await own.send("POST", "/llm-providers", {
    id: "stand-in",
    type: "openai-compatible",
    displayName: "Stand-in",
    baseUrl: `${url}/v1`,
    apiKey: "sk-test",
  });
  await own.deployAgent("thinker", {
    parametersMetadata: [{ name: "message", type: "String" }],
    llmConfigs: [{ providerId: "stand-in", parameters: { model: "any" } }],
    flow: { steps: [{ id: "think", type: "Prompt", prompt: "Think." }], edges: [] },
  });
};

const hasDeadLetters = async (queue: QueueName, own: Organization): Promise<boolean> => {
  const name = deadLetterQueueName("Wharf", queue);
  const content = await (await fetch(`${stack().services}/_fauxqs/queues/${name}`)).text();
  return content.includes(own.tenantId) || content.includes(own.org);
};

const twoOrganizations = async () => ({
  loud: await newOrganization(),
  quiet: await newOrganization(),
});

test("a tenant with more slow executions than the queue has functions delays no other, and all its executions end once", async () => {
  const { loud, quiet } = await twoOrganizations();
  const blocked = await startBlockedModels();
  const free = await startModelServer();
  onTestFinished(() => free.close());
  await deployThinker(loud, blocked.models.url);
  await deployThinker(quiet, free.url);
  const start = async (own: Organization) => {
    const headers = { Prefer: "respond-async" };
    const { body } = await own.try("POST", "/agents/thinker:execute", { body: {}, headers });
    return z.looseObject({ executionId: z.string() }).parse(body).executionId;
  };
  const readStatuses = async (own: Organization) =>
    listStatuses(
      Page.parse((await own.send("GET", "/agents/thinker/execution-records")).body).items,
    );
  const ids = await Promise.all(slow.map(() => start(loud)));
  await expect.poll(() => blocked.models.requests.length, pollOptions).toBe(tenantLimit);
  await start(quiet);
  await expect.poll(() => readStatuses(quiet), pollOptions).toEqual(["Succeeded"]);
  expect(blocked.models.requests).toHaveLength(tenantLimit);
  blocked.release();
  await expect.poll(() => readStatuses(loud), pollOptions).toEqual(slow.map(() => "Succeeded"));
  expect(new Set(ids).size).toBe(slowCount);
  expect(blocked.models.requests).toHaveLength(slowCount);
  expect(await hasDeadLetters("executions", loud)).toBe(false);
});

test("a tenant with more hanging chats than the queue has functions delays no other, and all its chats get one reply", {
  tags: "nightly",
}, async () => {
  const { loud, quiet } = await twoOrganizations();
  const blocked = await startBlockedModels();
  const free = await startModelServer();
  const chats = { loud: await startChatServer(), quiet: await startChatServer() };
  onTestFinished(async () => {
    await Promise.all([free.close(), chats.loud.close(), chats.quiet.close()]);
  });
  await deployThinker(loud, blocked.models.url);
  await deployThinker(quiet, free.url);
  const createSender = async (own: Organization, replies: string) => {
    const key = await own.mintKey(["inbound:deliver"]);
    const created = await own.send("POST", "/agents/thinker/connectors", {
      provider: "generic",
      parameters: { replyUrl: `${replies}/replies` },
    });
    const path = `${own.base}/connectors/generic/${parseId(created)}/${key}`;
    return (conversation: number, id = "1") =>
      call("POST", path, {
        body: {
          id: `${conversation}-${id}`,
          user: { id: "u", name: "Ada" },
          conversation: { id: `c-${conversation}` },
          text: "Hello",
        },
      });
  };
  const senders = {
    loud: await createSender(loud, chats.loud.url),
    quiet: await createSender(quiet, chats.quiet.url),
  };
  await Promise.all(slow.map((conversation) => senders.loud(conversation)));
  await expect.poll(() => blocked.models.requests.length, pollOptions).toBe(tenantLimit);
  await senders.quiet(1);
  await expect.poll(() => chats.quiet.shown.length, pollOptions).toBe(1);
  expect(blocked.models.requests).toHaveLength(tenantLimit);
  blocked.release();
  await expect.poll(() => chats.loud.shown.length, pollOptions).toBe(slowCount);
  expect(chats.loud.shown.map((shown) => shown.text)).toEqual(slow.map(() => "Done."));
  expect(new Set(chats.loud.shown.map(({ to }) => to)).size).toBe(slowCount);
  expect(await hasDeadLetters("chats", loud)).toBe(false);
});

const startEndpoint = async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(z.object({ id: z.string() }).parse(JSON.parse(await text(request))).id);
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, received };
};

test("an organization at its limit of concurrent calls of event destinations delays no other, and gets every event once", {
  tags: "nightly",
}, async () => {
  const { loud, quiet } = await twoOrganizations();
  const endpoints = { loud: await startEndpoint(), quiet: await startEndpoint() };
  const listen = (own: Organization, url: string) =>
    own.send("POST", "/event-destinations", { url, eventTypes: ["api_key.issued"] });
  await listen(loud, endpoints.loud.url);
  await listen(quiet, endpoints.quiet.url);
  const free = await fillSlots("calls", loud.org, tenantLimit);
  for (const _ of slow) await loud.mintKey(["agents:read"]);
  await quiet.mintKey(["agents:read"]);
  await expect.poll(() => endpoints.quiet.received.length, pollOptions).toBe(1);
  expect(endpoints.loud.received).toEqual([]);
  await free();
  await expect.poll(() => new Set(endpoints.loud.received).size, pollOptions).toBe(slowCount);
  expect(endpoints.loud.received).toHaveLength(slowCount);
  expect(await hasDeadLetters("calls", loud)).toBe(false);
});

test("a tenant with an unresponsive webhook provider delays no other, and all its webhooks are registered once", {
  tags: "nightly",
}, async () => {
  const { loud, quiet } = await twoOrganizations();
  const gate = Promise.withResolvers<void>();
  const servers = {
    loud: await startListenerServer("github"),
    quiet: await startListenerServer("github"),
  };
  onTestFinished(async () => {
    await Promise.all([servers.loud.close(), servers.quiet.close()]);
  });
  servers.loud.failChanges(...slow.map(() => ({ during: () => gate.promise })));
  const publish = async (own: Organization, server: typeof servers.loud) => {
    const config = await own.send("POST", "/integration-configs", {
      integrationId: "github",
      parameters: { baseUrl: server.url },
      auth: { parameters: server.auth },
    });
    await own.send("POST", `/integration-configs/${parseId(config)}:publish`);
  };
  await publish(loud, servers.loud);
  await publish(quiet, servers.quiet);
  const create = (own: Organization) =>
    own.send("POST", "/webhooks", {
      provider: "github",
      externalContext: "acme/app",
      filter: "push",
    });
  const readStatuses = async (own: Organization) =>
    listStatuses((await own.send("GET", "/webhooks")).body);
  const changes = () => servers.loud.requests.filter(({ method }) => method === "POST").length;
  await Promise.all(slow.map(() => create(loud)));
  await expect.poll(changes, pollOptions).toBe(tenantLimit);
  await create(quiet);
  await expect.poll(() => readStatuses(quiet), pollOptions).toEqual(["ACTIVE"]);
  expect(changes()).toBe(tenantLimit);
  gate.resolve();
  await expect.poll(() => readStatuses(loud), pollOptions).toEqual(slow.map(() => "ACTIVE"));
  expect(servers.loud.listeners).toHaveLength(slowCount);
  expect(await hasDeadLetters("registrations", loud)).toBe(false);
});

const Webhook = z.looseObject({ id: z.string(), signingSecret: z.string() });
const Deliveries = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), results: z.array(z.looseObject({ status: z.string() })) }),
  ),
});

test.each(["deliveries", "subscribers"] as const)(
  "a tenant with its share of the functions of the queue %s at work delays no other, and its messages are processed later, once",
  { tags: "nightly" },
  async (queue) => {
    const { loud, quiet } = await twoOrganizations();
    const free = await fillSlots(queue, loud.tenantId, tenantLimit);
    // The dispatcher itself starts up to ten agents.
    const agents = Array.from({ length: queue === "subscribers" ? 11 : 1 }, (_, at) => at);
    const receiver = async (own: Organization) => {
      await own.deployAgent("done", {
        parametersMetadata: [],
        flow: { steps: [{ id: "out", type: "Output", value: 1 }], edges: [] },
      });
      const key = await own.mintKey(["inbound:deliver"]);
      const created = await own.send("POST", "/webhooks", { provider: "github" });
      const { id, signingSecret } = Webhook.parse(created.body);
      const subscriber = { subscriberType: "Agent", subscriberId: "done", input: {} };
      for (const _ of agents) {
        const subscribed = await own.send("POST", `/webhooks/${id}/subscriptions`, subscriber);
        expect(subscribed.status).toBe(201);
      }
      const push = () => {
        const raw = JSON.stringify({ id: randomUUID() });
        const signature = createHmac("sha256", signingSecret).update(raw).digest("hex");
        return call("POST", `${own.base}/webhooks/github/${id}/${key}`, {
          raw,
          headers: {
            "X-GitHub-Event": "push",
            "X-GitHub-Delivery": randomUUID(),
            "X-Hub-Signature-256": `sha256=${signature}`,
          },
        });
      };
      const results = async () =>
        Deliveries.parse((await own.send("GET", `/webhooks/${id}/deliveries`)).body).items.flatMap(
          (delivery) => delivery.results.map(({ status }) => status),
        );
      return { push, results };
    };
    const [loudly, quietly] = [await receiver(loud), await receiver(quiet)];
    const responses = await Promise.all(slow.map(() => loudly.push()));
    expect(responses.map(({ status }) => status)).toEqual(slow.map(() => 204));
    await quietly.push();
    await expect.poll(quietly.results, pollOptions).toEqual(agents.map(() => "Succeeded"));
    expect((await loudly.results()).filter((status) => status === "Succeeded")).toEqual([]);
    await free();
    await expect
      .poll(loudly.results, pollOptions)
      .toEqual(slow.flatMap(() => agents.map(() => "Succeeded")));
    expect(await hasDeadLetters(queue, loud)).toBe(false);
  },
);
