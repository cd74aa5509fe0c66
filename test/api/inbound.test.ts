import { createHmac, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, type TestResponse } from "../harness/api.ts";

const Webhook = z.looseObject({
  id: z.string(),
  webhookUrl: z.string(),
  signingSecret: z.string().nullable(),
});
const Deliveries = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      eventType: z.string().nullable(),
      status: z.string(),
      results: z.array(
        z.looseObject({
          status: z.string(),
          executionId: z.string().nullable(),
          error: z.string().nullable(),
        }),
      ),
    }),
  ),
});
const Weighed = z.looseObject({
  input: z.object({ event: z.looseObject({ payload: z.object({ base64: z.string() }) }) }),
  output: z.boolean(),
});
const Detail = z.looseObject({ input: z.unknown(), trigger: z.unknown() });

const listener = (more: object = {}) => ({
  parametersMetadata: [{ name: "event", type: "Json" }],
  flow: {
    steps: [{ id: "out", type: "Output", value: "{% input.event.payload %}" }],
    edges: [],
  },
  ...more,
});
const failing = listener({
  flow: { steps: [{ id: "out", type: "Output", value: "{% $number('x') %}" }], edges: [] },
});

describe("an inbound webhook", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let key: string;

  beforeAll(async () => {
    own = await newOrganization();
    key = await own.mintKey(["inbound:deliver"]);
    await own.deployAgent("listener", listener());
    await own.deployAgent("failing", failing);
  });

  const create = async (provider: string, agents: readonly (string | object)[] = ["listener"]) => {
    const webhook = Webhook.parse((await own.send("POST", "/webhooks", { provider })).body);
    for (const agent of agents) {
      const subscriber = typeof agent === "string" ? { subscriberId: agent } : agent;
      await own.send("POST", `/webhooks/${webhook.id}/subscriptions`, {
        subscriberType: "Agent",
        ...subscriber,
      });
    }
    return webhook;
  };
  type Created = Awaited<ReturnType<typeof create>>;

  const buildPath = ({ id }: Created, provider: string, withKey = true) =>
    `${own.base}/webhooks/${provider}/${id}${withKey ? `/${key}` : ""}`;
  const sign = (secret: string | null, body: string) =>
    `sha256=${createHmac("sha256", secret ?? "")
      .update(body)
      .digest("hex")}`;
  const push = (
    webhook: Created,
    body: string,
    {
      signature = sign(webhook.signingSecret, body),
      delivery = randomUUID(),
      withKey = false,
    } = {},
  ): Promise<TestResponse> =>
    call("POST", buildPath(webhook, "github", withKey), {
      raw: body,
      headers: {
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": delivery,
        "X-Hub-Signature-256": signature,
      },
    });
  const deliveries = async ({ id }: Created) =>
    Deliveries.parse((await own.send("GET", `/webhooks/${id}/deliveries`)).body).items;
  const settled = async (webhook: Created, { count = 1, results = 1 } = {}) => {
    await expect
      .poll(
        async () => {
          const items = await deliveries(webhook);
          const open = items.flatMap(({ results }) =>
            results.filter(({ status }) => status === "Pending"),
          );
          const given = items.filter(({ status }) => status !== "Accepted");
          const allResults = given.flatMap((delivery) => delivery.results);
          return given.length >= count && open.length === 0 && allResults.length >= results;
        },
        { timeout: 15_000 },
      )
      .toBe(true);
    return deliveries(webhook);
  };

  test("with the provider's signature runs its subscriber on the payload, byte for byte as sent", async () => {
    const webhook = await create("github");
    const body = JSON.stringify({ ref: "refs/heads/main", text: "ünï\u2028code", n: 1e21 });
    const response = await push(webhook, body);
    expect([response.status, response.text]).toEqual([204, ""]);
    expect(response.headers.get("x-ratelimit-limit")).toBe("6000");
    const [delivery] = await settled(webhook);
    expect(delivery).toMatchObject({
      status: "Dispatched",
      eventType: "push",
      size: Buffer.byteLength(body),
      results: [{ status: "Succeeded" }],
    });
    const executionId = delivery?.results[0]?.executionId;
    const found = await own.send("GET", `/agents/listener/execution-records/${executionId}`);
    expect(Detail.parse(found.body)).toMatchObject({
      trigger: { type: 2, id: webhook.id, provider: "github" },
      input: { event: { provider: "github", eventType: "push", payload: JSON.parse(body) } },
      output: JSON.parse(body),
    });
  });

  test("with the key in the path runs it, too, and must not have an invalid signature", async () => {
    const webhook = await create("github");
    const body = '{"a": 1}';
    const plain = await call("POST", buildPath(webhook, "github"), {
      raw: body,
      headers: { "X-GitHub-Event": "push", "X-GitHub-Delivery": randomUUID() },
    });
    expect(plain.status).toBe(204);
    expect((await push(webhook, body, { withKey: true })).status).toBe(204);
    const forged = await push(webhook, body, { withKey: true, signature: sign("wrong", body) });
    expect(expectProblem(forged).slug).toBe("unauthenticated");
  });

  test("rejects forged, unknown and forbidden deliveries, and never returns the key", async () => {
    const webhook = await create("github");
    const body = "{}";
    const other = await newOrganization();
    const foreign = await other.mintKey(["inbound:deliver"]);
    const reader = await own.mintKey(["agents:read"]);
    const path = buildPath(webhook, "github", false);
    const attempts: [string, number][] = [
      [`${path}/wharf_live_nonsense`, 401],
      [`${path}/${reader}`, 403],
      [`${path}/${foreign}`, 404],
      [`${own.base}/webhooks/github/${randomUUID()}/${key}`, 404],
      [`${own.base}/webhooks/gitlab/${webhook.id}/${key}`, 404],
      [`${own.base}/webhooks/nobody/${webhook.id}/${key}`, 404],
    ];
    for (const [where, status] of attempts) {
      const response = await call("POST", where, { raw: body });
      const problem = expectProblem(response);
      expect(problem.status, where).toBe(status);
      expect(problem.instance).toBe(where.split("/").slice(0, 7).join("/"));
      for (const secret of [key, reader, foreign]) expect(response.text).not.toContain(secret);
    }
    expect((await push(webhook, body, { signature: sign("wrong", body) })).status).toBe(401);
    expect((await call("POST", path, { raw: body })).status).toBe(401);
    expect(await deliveries(webhook)).toEqual([]);
  });

  test("is dispatched once for a delivery id, however often and how close together it arrives", {
    tags: "nightly",
  }, async () => {
    const webhook = await create("github");
    const delivery = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => push(webhook, "{}", { delivery })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(204));
    const items = await settled(webhook, { count: 8 });
    expect(items.filter(({ status }) => status === "Duplicate")).toHaveLength(7);
    expect(items.flatMap(({ results }) => results)).toHaveLength(1);
  });

  test("is dispatched once for a signed body, whatever its delivery id, and for an id, whatever its body", async () => {
    const webhook = await create("github");
    const [one, other] = [randomUUID(), randomUUID()];
    const first = await Promise.all(
      Array.from({ length: 4 }, () => push(webhook, '{"n":1}', { delivery: randomUUID() })),
    );
    expect(first.map(({ status }) => status)).toEqual(Array(4).fill(204));
    await settled(webhook, { count: 4 });
    await push(webhook, '{"n":2}', { delivery: one });
    await settled(webhook, { count: 5, results: 2 });
    await push(webhook, '{"n":3}', { delivery: one });
    await settled(webhook, { count: 6, results: 2 });
    await push(webhook, '{"n":3}', { delivery: other });
    const items = await settled(webhook, { count: 7, results: 3 });
    expect(items.map(({ status }) => status)).toEqual([
      "Dispatched",
      "Duplicate",
      "Dispatched",
      ...items.slice(3).map(({ status }) => status),
    ]);
    expect(items.slice(3).filter(({ status }) => status === "Dispatched")).toHaveLength(1);
  });

  test("is dispatched once per topic under which Shopify sends the same body", {
    tags: "nightly",
  }, async () => {
    const webhook = await create("shopify");
    const secret = "s".repeat(32);
    await own.send("PATCH", `/webhooks/${webhook.id}`, { signingSecret: secret });
    const raw = '{"id":1,"admin_graphql_api_id":"gid://shopify/Order/1"}';
    const send = async (topic: string) => {
      const signature = createHmac("sha256", secret).update(raw).digest("base64");
      const headers = {
        "x-shopify-topic": topic,
        "x-shopify-event-id": randomUUID(),
        "x-shopify-hmac-sha256": signature,
      };
      const path = buildPath(webhook, "shopify", false);
      expect((await call("POST", path, { raw, headers })).status).toBe(204);
    };
    const outcomes = [];
    const expected = [
      ["orders/create", "orders/create", "Dispatched"],
      ["orders/paid", "orders/paid", "Dispatched"],
      ["orders/paid", "orders/paid", "Duplicate"],
      // A contradiction to the body makes one event without a type.
      ["products/create", null, "Dispatched"],
      ["refunds/create", null, "Duplicate"],
    ];
    for (const [at, [topic]] of expected.entries()) {
      await send(topic ?? "");
      const [newest] = await settled(webhook, { count: at + 1 });
      outcomes.push([topic, newest?.eventType, newest?.status]);
    }
    expect(outcomes).toEqual(expected);
  });

  test("a subscriber that fails neither delays nor repeats the others; filters and mappings choose", {
    tags: "nightly",
  }, async () => {
    const webhook = await create("github", [
      "listener",
      "failing",
      { subscriberId: "listener", eventTypes: ["pull_request"] },
      { subscriberId: "listener", filter: "payload.n > 5" },
      {
        subscriberId: "listener",
        filter: "payload.n < 5",
        input: { event: { payload: "{% payload.n + 1 %}" } },
      },
    ]);
    await push(webhook, '{"n": 1}');
    const [delivery] = await settled(webhook, { results: 4 });
    expect(delivery?.status).toBe("PartiallyFailed");
    expect(delivery?.results.map(({ status }) => status).toSorted()).toEqual([
      "Failed",
      "Skipped",
      "Succeeded",
      "Succeeded",
    ]);
    const records = await own.send("GET", "/agents/listener/execution-records?PageSize=2");
    const outputs = await Promise.all(
      z
        .object({ items: z.array(z.looseObject({ id: z.string() })) })
        .parse(records.body)
        .items.map(
          async ({ id }) =>
            (await own.send("GET", `/agents/listener/execution-records/${id}`)).text,
        ),
    );
    expect(outputs.join()).toContain('"output":2');
  });

  test("a replay runs the subscribers again", { tags: "nightly" }, async () => {
    const webhook = await create("github");
    await push(webhook, '{"again": true}');
    const [delivery] = await settled(webhook);
    const first = delivery?.results[0]?.executionId;
    const replay = await own.try(
      "POST",
      `/webhooks/${webhook.id}/deliveries/${delivery?.id}:replay`,
    );
    expect(replay.status).toBe(202);
    await expect
      .poll(async () => (await deliveries(webhook))[0]?.results[0]?.executionId, {
        timeout: 10_000,
      })
      .not.toBe(first);
  });

  test("accepts 4 MiB of any type, and refuses more", { tags: "nightly" }, async () => {
    await own.deployAgent(
      "weigher",
      listener({
        flow: {
          steps: [
            {
              id: "out",
              type: "Output",
              value: "{% $contains(input.event.payload.base64, '/v7+/v7+') %}",
            },
          ],
          edges: [],
        },
      }),
    );
    const webhook = await create("generic", ["weigher"]);
    const bytes = Buffer.alloc(4 * 1_048_576, 0xfe);
    const send = (raw: Uint8Array) =>
      call("POST", buildPath(webhook, "generic"), {
        raw,
        headers: { "Content-Type": "application/octet-stream" },
      });
    expect((await send(bytes)).status).toBe(204);
    const [delivery] = await settled(webhook);
    const executionId = delivery?.results[0]?.executionId;
    const found = await own.send("GET", `/agents/weigher/execution-records/${executionId}`);
    const { input, output } = Weighed.parse(found.body);
    expect(output).toBe(true);
    expect(Buffer.from(input.event.payload.base64, "base64").equals(bytes)).toBe(true);
    // The function refuses the first, and the gateway the others, because Lambda does not accept
    // their events.
    for (const size of [4 * 1_048_576 + 1, 5_500_000, 11_000_000]) {
      const large = await send(Buffer.alloc(size));
      expect(expectProblem(large)).toMatchObject({
        slug: "payload-too-large",
        detail: "The body may have at most 4194304 bytes.",
        limit: 4_194_304,
        instance: buildPath(webhook, "generic", false),
      });
    }
  });

  test("accepts by its key a delivery signed with an unknown secret, and by our secret without a key", async () => {
    const webhook = Webhook.parse(
      (await own.send("POST", "/webhooks", { provider: "linear" })).body,
    );
    const deliver = (withKey: boolean, secret: string) => {
      const raw = JSON.stringify({ type: "Issue", webhookTimestamp: Date.now() });
      const signature = createHmac("sha256", secret).update(raw).digest("hex");
      const headers = { "Linear-Signature": signature };
      return call("POST", buildPath(webhook, "linear", withKey), { raw, headers });
    };
    const ours = webhook.signingSecret ?? "";
    const statuses = async () => [
      (await deliver(true, "theirs")).status,
      (await deliver(false, "theirs")).status,
      (await deliver(false, ours)).status,
    ];
    expect(await statuses()).toEqual([200, 401, 200]);
    await own.send("PATCH", `/webhooks/${webhook.id}`, { signingSecret: "theirs" });
    expect(await statuses()).toEqual([200, 200, 401]);
    expect((await deliver(true, ours)).status).toBe(401);
  });

  test("returns the problem of an unknown address, of a GET, and of a missing secret", async () => {
    const webhook = await create("github", []);
    const slack = await create("slack", []);
    const readDetail = async (method: "GET" | "POST", path: string, headers = {}) => {
      const response = await call(method, path, method === "GET" ? {} : { raw: "{}", headers });
      return `${response.status} ${String(expectProblem(response).detail)}`;
    };
    const path = buildPath(webhook, "github", false);
    expect(await readDetail("POST", `${path}/wrong`)).toMatch(/^401 The address must end with/);
    expect(await readDetail("GET", buildPath(webhook, "github"))).toMatch(
      /^404 GitHub does not verify addresses with GET/,
    );
    expect(await readDetail("POST", path)).toMatch(/^401 .* missing, invalid or too old/);
    const signed = {
      "X-Slack-Request-Timestamp": String(Math.floor(Date.now() / 1_000)),
      "X-Slack-Signature": `v0=${"0".repeat(64)}`,
    };
    expect(await readDetail("POST", buildPath(slack, "slack", false), signed)).toContain(
      "Set it with PATCH",
    );
  });

  test("responds to providers' checks of the address as they expect", {
    tags: "nightly",
  }, async () => {
    const slack = Webhook.parse(
      (await own.send("POST", "/webhooks", { provider: "slack", signingSecret: "s".repeat(32) }))
        .body,
    );
    const raw = JSON.stringify({ type: "url_verification", challenge: "abc123" });
    const now = String(Math.floor(Date.now() / 1_000));
    const signed = createHmac("sha256", "s".repeat(32)).update(`v0:${now}:${raw}`).digest("hex");
    const challenge = await call("POST", buildPath(slack, "slack", false), {
      raw,
      headers: { "X-Slack-Request-Timestamp": now, "X-Slack-Signature": `v0=${signed}` },
    });
    expect([challenge.status, challenge.text]).toEqual([200, expect.stringContaining("abc123")]);
    const meta = Webhook.parse(
      (await own.send("POST", "/webhooks", { provider: "meta", signingSecret: "verify-me" })).body,
    );
    const graph = await call(
      "GET",
      `${buildPath(meta, "meta")}?hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=42`,
    );
    expect(expectProblem(graph)).toMatchObject({
      status: 403,
      slug: "verification-failed",
      detail: expect.stringContaining("hub.verify_token"),
    });
    const check = (end: string) =>
      call(
        "GET",
        `${buildPath(meta, "meta", false)}${end}?hub.mode=subscribe&hub.verify_token=verify-me&hub.challenge=42`,
      );
    const right = await check(`/${key}`);
    expect([right.status, right.text]).toEqual([200, "42"]);
    expect(right.headers.get("x-ratelimit-limit")).toBe("6000");
    expect((await check("")).text).toBe("42");
    expect((await check("/wharf_live_nonsense")).status).toBe(401);
    expect((await check(`/${await own.mintKey(["agents:read"])}`)).status).toBe(403);
  });

  test("a response with a body is declared for every inbound address", async () => {
    const { body } = await call("GET", "/v1/openapi.json");
    const { paths } = OpenApi.parse(body);
    const declared = Object.entries(paths)
      .filter(([path]) => /\{(webhookProvider|connectorProvider)\}/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => [
          `${method} ${path.slice(path.indexOf("}/") + 2)}`,
          Object.keys(responses["200"]?.content ?? {}),
        ]),
      );
    const both = ["application/json", "text/plain"];
    const webhook = "webhooks/{webhookProvider}/{webhookId}";
    const connector = "connectors/{connectorProvider}/{connectorId}/{apiKeyAuth}";
    expect(Object.fromEntries(declared)).toEqual({
      [`post ${webhook}/{apiKeyAuth}`]: both,
      [`post ${webhook}`]: both,
      [`get ${webhook}/{apiKeyAuth}`]: ["text/plain"],
      [`get ${webhook}`]: ["text/plain"],
      [`post ${connector}`]: both,
      [`get ${connector}`]: ["text/plain"],
    });
  });

  test("Notion's token is learnt by the address with the key alone, and shown by one change", {
    tags: "nightly",
  }, async () => {
    const notion = Webhook.parse(
      (await own.send("POST", "/webhooks", { provider: "notion" })).body,
    );
    const verification_token = `secret_${randomUUID()}`;
    const sendToken = (withKey: boolean) =>
      call("POST", buildPath(notion, "notion", withKey), { body: { verification_token } });
    expect((await sendToken(false)).status).toBe(401);
    expect((await sendToken(true)).status).toBe(200);
    const path = `/webhooks/${notion.id}`;
    const read = await own.send("GET", path);
    expect(read.body).toMatchObject({
      signingSecret: null,
      statusReason: expect.stringContaining("verification token"),
    });
    expect(read.text).not.toContain(verification_token);
    const change = () => own.send("PATCH", path, {});
    expect((await change()).body).toMatchObject({
      signingSecret: verification_token,
      statusReason: null,
    });
    expect((await change()).body).toMatchObject({ signingSecret: null });
    const raw = '{"id": "1", "type": "page.created"}';
    const delivered = await call("POST", buildPath(notion, "notion", false), {
      raw,
      headers: { "X-Notion-Signature": sign(verification_token, raw) },
    });
    expect(delivered.status).toBe(200);
  });

  test("is gone immediately when it is deleted", { tags: "nightly" }, async () => {
    const webhook = await create("github");
    await own.send("DELETE", `/webhooks/${webhook.id}`);
    expect((await push(webhook, "{}")).status).toBe(404);
    expect((await push(webhook, "{}", { withKey: true })).status).toBe(404);
  });

  test("leaves the key in no log, no delivery and no execution", { tags: "nightly" }, async () => {
    const webhook = await create("github");
    await push(webhook, "{}", { withKey: true });
    await settled(webhook);
    const shown = await own.send("GET", `/webhooks/${webhook.id}/deliveries`);
    expect(shown.text).not.toContain(key);
    const { dataDir } = inject("stack");
    const logs = join(dataDir, "logs");
    for (const file of readdirSync(logs)) {
      expect(readFileSync(join(logs, file), "utf8"), file).not.toContain(key);
    }
  });
});

const OpenApi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        responses: z.record(
          z.string(),
          z.object({ content: z.record(z.string(), z.unknown()).optional() }),
        ),
      }),
    ),
  ),
});
