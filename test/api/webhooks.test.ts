import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

const Webhook = z.looseObject({
  id: z.string(),
  webhookUrl: z.string(),
  signingSecret: z.string().nullable(),
});
const Created = z.looseObject({ id: z.string() });
const Deliveries = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

const Replay = z.object({
  runs: z.array(z.object({ subscriptionId: z.string(), executionId: z.string().nullable() })),
});

describe("webhooks", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    own = await newOrganization();
    await own.deployAgent("hello", {
      parametersMetadata: [
        { name: "name", type: "String" },
        { name: "from", type: "String" },
      ],
      flow: { steps: [{ id: "out", type: "Output", value: "done" }], edges: [] },
    });
  });

  const create = async (provider: string, more: object = {}) =>
    Webhook.parse((await own.send("POST", "/webhooks", { provider, ...more })).body);
  const subscribe = async (webhookId: string, more: object = {}) =>
    Created.parse(
      (
        await own.send("POST", `/webhooks/${webhookId}/subscriptions`, {
          subscriberType: "Agent",
          subscriberId: "hello",
          ...more,
        })
      ).body,
    );
  const parseErrors = (response: Parameters<typeof expectProblem>[0]) =>
    z
      .looseObject({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) })
      .parse(expectProblem(response)).errors;

  test("are created, read, listed newest first and by provider, changed and deleted", {
    tags: "nightly",
  }, async () => {
    const first = await create("github", { externalContext: "acme/app", filter: null });
    const second = await create("generic");
    expect(first).toMatchObject({
      authMode: "HMAC",
      status: "ACTIVE",
      externalContext: "acme/app",
      filter: null,
      expiresAt: null,
    });
    expect(new URL(first.webhookUrl).pathname).toBe(`${own.base}/webhooks/github/${first.id}`);
    const shown = { ...first, signingSecret: null };
    expect((await own.send("GET", `/webhooks/${first.id}`)).body).toEqual(shown);
    expect((await own.send("GET", "/webhooks")).body).toEqual([second, shown]);
    expect((await own.send("GET", "/webhooks?provider=github")).body).toEqual([shown]);
    expect((await own.send("GET", "/webhooks?provider=slack")).body).toEqual([]);
    const changed = await own.send("PATCH", `/webhooks/${first.id}`, {
      status: "DISABLED",
      externalContext: null,
      signingSecret: "another-secret",
    });
    expect(changed.body).toEqual({
      ...shown,
      status: "DISABLED",
      externalContext: null,
      modifiedAt: expect.any(Number),
    });
    const path = `/webhooks/${first.id}`;
    expect((await own.try("DELETE", path)).status).toBe(204);
    expect((await own.try("DELETE", path)).status).toBe(404);
    expect((await own.try("GET", path)).status).toBe(404);
    expect((await own.try("PATCH", path, { body: {} })).status).toBe(404);
    expect((await own.try("GET", `${path}/subscriptions`)).status).toBe(404);
    expect((await own.try("GET", `${path}/deliveries`)).status).toBe(404);
  });

  test("show their secret once, also to a caller who repeats the request", async () => {
    const send = () =>
      own.try("POST", "/webhooks", {
        body: { provider: "standard" },
        headers: { "Idempotency-Key": "the-same" },
      });
    const made = Webhook.parse((await send()).body);
    expect(made.signingSecret).toMatch(/^whsec_/);
    const again = await send();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual({ ...made, signingSecret: null });
  });

  test("of an unknown provider, or with a secret that cannot be its, are refused", async () => {
    const unknown = await own.try("POST", "/webhooks", { body: { provider: "pigeon" } });
    expect(parseErrors(unknown)).toEqual([
      { pointer: "/provider", detail: expect.stringMatching(/github.*generic/) },
    ]);
    const wrong = await own.try("POST", "/webhooks", {
      body: { provider: "discord", signingSecret: "no public key" },
    });
    expect(parseErrors(wrong)).toMatchObject([{ pointer: "/signingSecret" }]);
    const listed = await own.try("GET", "/webhooks?provider=pigeon");
    expect(parseErrors(listed)).toMatchObject([{ pointer: "query/provider" }]);
  });

  test("have subscriptions, listed in the order of their making and ended one by one", {
    tags: "nightly",
  }, async () => {
    const { id } = await create("github");
    const path = `/webhooks/${id}/subscriptions`;
    const first = await subscribe(id, {
      eventTypes: ["push"],
      filter: "payload.ref = 'refs/heads/main'",
      input: { name: "{% payload.sender.login %}", from: "{% provider %}" },
    });
    const second = await subscribe(id);
    expect(second).toMatchObject({ webhookId: id, eventTypes: null, filter: null, input: null });
    expect((await own.send("GET", path)).body).toEqual([first, second]);
    expect((await own.try("DELETE", `${path}/${first.id}`)).status).toBe(204);
    expect((await own.try("DELETE", `${path}/${first.id}`)).status).toBe(404);
    expect((await own.send("GET", path)).body).toEqual([second]);
  });

  test("refuse a subscription that could never work, at the place that is wrong", {
    tags: "nightly",
  }, async () => {
    const { id } = await create("github");
    const attempt = async (more: object) =>
      parseErrors(
        await own.try("POST", `/webhooks/${id}/subscriptions`, {
          body: { subscriberType: "Agent", subscriberId: "hello", ...more },
        }),
      ).map(({ pointer }) => pointer);
    expect(await attempt({ subscriberType: "Asset" })).toEqual(["/subscriberId"]);
    expect(await attempt({ subscriberType: "Robot" })).toEqual(["/subscriberType"]);
    expect(await attempt({ subscriberId: "nobody" })).toEqual(["/subscriberId"]);
    expect(await attempt({ filter: "payload.[" })).toEqual(["/filter"]);
    expect(await attempt({ input: { name: ["{% ( %}"] } })).toEqual(["/input/name/0"]);
    expect(await attempt({ input: { nmae: "x" } })).toEqual(["/input/nmae"]);
  });

  test("refuse event types that GitHub does not have, and misspellings of those that others have, with the nearest one", {
    tags: "nightly",
  }, async () => {
    const { id } = await create("github");
    const body = (eventTypes: string[]) => ({
      subscriberType: "Agent",
      subscriberId: "hello",
      eventTypes,
    });
    const path = `/webhooks/${id}/subscriptions`;
    const refused = [
      {
        pointer: "/eventTypes/1",
        detail: 'is not an event type of GitHub; did you mean "pull_request"?',
      },
      { pointer: "/eventTypes/2", detail: "is not an event type of GitHub" },
    ];
    const wrong = ["push", "pul_request", "nothing-like-it"];
    expect(parseErrors(await own.try("POST", path, { body: body(wrong) }))).toEqual(refused);
    const { id: subscription } = await subscribe(id, { eventTypes: ["push", "pull_request"] });
    const patch = { eventTypes: wrong };
    expect(parseErrors(await own.try("PATCH", `${path}/${subscription}`, { body: patch }))).toEqual(
      refused,
    );
    const anyType = { eventTypes: ["nothing-like-it"] };
    for (const provider of ["generic", "standard", "stripe", "gitlab"]) {
      await subscribe((await create(provider)).id, anyType);
    }
    for (const [provider, type, detail] of [
      ["gitlab", "merge_requests", 'is not an event type of GitLab; did you mean "merge_request"?'],
      ["stripe", "invoice.payed", 'is not an event type of Stripe; did you mean "invoice.paid"?'],
    ] as const) {
      const where = `/webhooks/${(await create(provider)).id}/subscriptions`;
      expect(parseErrors(await own.try("POST", where, { body: body([type]) }))).toEqual([
        { pointer: "/eventTypes/0", detail },
      ]);
    }
  });

  test("refuse a subscription without a required input of its agent", {
    tags: "nightly",
  }, async () => {
    const required = (name: string) => ({ name, type: "String", required: true });
    await own.deployAgent("weather", {
      parametersMetadata: [
        required("city"),
        { ...required("unit"), defaultValue: "C" },
        { name: "event", type: "Json", required: true },
      ],
      flow: { steps: [{ id: "a", type: "Output", value: "{% input.city %}" }], edges: [] },
    });
    const { id } = await create("github");
    const path = `/webhooks/${id}/subscriptions`;
    const attempt = async (more: object) => {
      const body = { subscriberType: "Agent", subscriberId: "weather", ...more };
      return parseErrors(await own.try("POST", path, { body }));
    };
    const missing = (name: string) => ({
      pointer: `/input/${name}`,
      detail: expect.stringContaining("is required by the agent"),
    });
    expect(await attempt({})).toEqual([missing("city")]);
    expect(await attempt({ input: { city: "{% payload.city %}" } })).toEqual([missing("event")]);
    const { id: subscription } = await subscribe(id, {
      subscriberId: "weather",
      input: { city: "{% payload.city %}", event: "{% $ %}" },
    });
    const patch = { body: { input: { ciy: "x", event: 1 } } };
    expect(parseErrors(await own.try("PATCH", `${path}/${subscription}`, patch))).toEqual([
      {
        pointer: "/input/ciy",
        detail: 'is not an input of the agent; did you mean "city"?',
      },
      missing("city"),
    ]);
    const reset = { body: { input: null } };
    expect(parseErrors(await own.try("PATCH", `${path}/${subscription}`, reset))).toEqual([
      missing("city"),
    ]);
    const kept = { body: { filter: "true" } };
    expect((await own.try("PATCH", `${path}/${subscription}`, kept)).status).toBe(200);
  });

  test("record deliveries with their outcome, and replay them until they are disabled", async () => {
    const { id } = await create("generic");
    const subscription = await subscribe(id, { input: {} });
    const key = await own.mintKey(["inbound:deliver"]);
    const inbound = `${own.base}/webhooks/generic/${id}/${key}`;
    expect((await call("POST", inbound, { body: { type: "made" } })).status).toBe(204);
    const read = async () =>
      Deliveries.parse((await own.send("GET", `/webhooks/${id}/deliveries`)).body).items;
    const outcome = { subscriptionId: subscription.id, status: "Succeeded" };
    const done = { eventType: "made", status: "Dispatched", results: [outcome] };
    await expect.poll(read, { timeout: 15_000 }).toMatchObject([done]);
    const [delivery] = await read();
    const replay = `/webhooks/${id}/deliveries/${delivery?.id}:replay`;
    const replayed = await own.try("POST", replay);
    expect(replayed.status).toBe(202);
    const { runs } = Replay.parse(replayed.body);
    expect(runs.map(({ subscriptionId }) => subscriptionId)).toEqual([subscription.id]);
    const executions = async () =>
      Deliveries.parse((await own.send("GET", "/agents/hello/execution-records")).body).items;
    await expect.poll(async () => (await executions()).length, { timeout: 15_000 }).toBe(2);
    expect((await executions()).map((execution) => execution.id)).toContain(runs[0]?.executionId);
    await own.send("PATCH", `/webhooks/${id}`, { status: "DISABLED" });
    expect(expectProblem(await own.try("POST", replay)).slug).toBe("conflict");
    const other = replay.replace(delivery?.id ?? "", id);
    expect((await own.try("POST", other)).status).toBe(404);
  });

  test("respond with 404 immediately after their deletion", async () => {
    const { id } = await create("generic");
    const key = await own.mintKey(["inbound:deliver"]);
    const deliver = () =>
      call("POST", `${own.base}/webhooks/generic/${id}/${key}`, { body: { a: 1 } });
    expect((await deliver()).status).toBe(204);
    await own.send("DELETE", `/webhooks/${id}`);
    expect((await deliver()).status).toBe(404);
  });

  test("lose the subscriptions of an agent that is deleted", async () => {
    const { id } = await create("github");
    await own.send("POST", "/agents", { id: "leaving", displayName: "Leaving" });
    await subscribe(id, { subscriberId: "leaving" });
    const staying = await subscribe(id);
    await own.send("DELETE", "/agents/leaving");
    const read = async () => (await own.send("GET", `/webhooks/${id}/subscriptions`)).body;
    await expect.poll(read, { timeout: 15_000 }).toEqual([staying]);
  });
});
