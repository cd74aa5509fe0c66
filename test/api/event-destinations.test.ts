import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";
import { startToolApi } from "../harness/tool-api.ts";

const Destination = z.looseObject({
  id: z.string(),
  url: z.string(),
  signingSecret: z.string().nullable(),
});
const Page = z.object({ items: z.array(Destination), nextPageToken: z.string().nullable() });
const path = "/event-destinations";
const url = "https://events.example.com/wharf?token=abc";
const eventTypes = ["agent.execution.failed", "api_key.issued"];

describe("an event destination", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    own = await newOrganization();
  });

  const create = async (body: object = {}) =>
    Destination.parse((await own.send("POST", path, { url, eventTypes, ...body })).body);
  const read = async (id: string) =>
    Destination.parse((await own.send("GET", `${path}/${id}`)).body);

  test("shows its signing secret when it is made, and never again", async () => {
    const created = await create({ description: "Incidents" });
    expect(created).toEqual({
      id: created.id,
      type: "webhook",
      url,
      endpoint: null,
      headerNames: [],
      content: null,
      eventTypes,
      description: "Incidents",
      active: true,
      lastDelivery: null,
      createdAt: expect.any(Number),
      modifiedAt: expect.any(Number),
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(await read(created.id)).toEqual({ ...created, signingSecret: null });
    const list = await own.send("GET", path);
    expect(list.text).toContain(created.id);
    expect(list.text).not.toContain("whsec_");
  });

  test("is created and changed only by callers who may read the resources of its events", {
    tags: "nightly",
  }, async () => {
    const scopes = ["organization:write", "executions:read"];
    const key = await own.mintKey(scopes);
    const send = (method: string, to: string, body: object) =>
      call(method, own.base + to, { key, body });
    const may = { url, eventTypes: ["agent.execution.failed"] };
    const created = await send("POST", path, may);
    expect(created.status).toBe(201);
    const { id } = await create();
    for (const refused of [
      await send("POST", path, { url, eventTypes }),
      await send("PATCH", `${path}/${id}`, { url: "https://else.example.com" }),
    ]) {
      expect(expectProblem(refused)).toMatchObject({
        slug: "scope-escalation",
        scopes: ["keys:read"],
      });
    }
  });

  test("shows no secret when its creation is replayed under the same Idempotency-Key", async () => {
    const options = {
      body: { url, eventTypes },
      headers: { "Idempotency-Key": randomUUID() },
    };
    const first = Destination.parse((await own.try("POST", path, options)).body);
    const again = Destination.parse((await own.try("POST", path, options)).body);
    expect(again).toEqual({ ...first, signingSecret: null });
  });

  test("changes only sent members; a rotated secret is shown", async () => {
    const { id, signingSecret } = await create({ description: "a" });
    const patch = async (body: object) =>
      Destination.parse((await own.send("PATCH", `${path}/${id}`, body)).body);
    expect(await patch({ active: false })).toMatchObject({
      active: false,
      description: "a",
      url,
      signingSecret: null,
    });
    expect(await patch({ description: null })).toMatchObject({ active: false, description: null });
    const rotated = await patch({ rotateSecret: true });
    expect(rotated.signingSecret).toMatch(/^whsec_/);
    expect(rotated.signingSecret).not.toBe(signingSecret);
    expect((await read(id)).signingSecret).toBeNull();
  });

  test("does not exist after its deletion", { tags: "nightly" }, async () => {
    const { id } = await create();
    expect((await own.try("DELETE", `${path}/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) {
      expect((await own.try(method, `${path}/${id}`)).status).toBe(404);
    }
    const patched = await own.try("PATCH", `${path}/${id}`, { body: { active: true } });
    expect(patched.status).toBe(404);
    expect((await own.try("POST", `${path}/${id}:test`)).status).toBe(404);
  });

  test.each([
    ["a user in it", { url: "https://me:secret@events.example.com" }, "/url"],
    ["a fragment", { url: "https://events.example.com/#x" }, "/url"],
    ["no URL", { url: "events" }, "/url"],
    ["a URL of more than 2,048 characters", { url: `${url}${"/".repeat(2_048)}` }, "/url"],
    ["no types", { eventTypes: [] }, "/eventTypes"],
    ["an unknown type", { eventTypes: ["agent.deleted"] }, "/eventTypes/0"],
  ])("with %s is refused", async (_, body, pointer) => {
    const response = await own.try("POST", path, { body: { url, eventTypes, ...body } });
    expect(response.status).toBe(400);
    expect(expectProblem(response)).toMatchObject({
      errors: [expect.objectContaining({ pointer })],
    });
    expect(response.text).not.toContain("secret");
  });

  test("belongs to the organization: its tenants share it, and it is 404 for others", {
    tags: "nightly",
  }, async () => {
    const { id } = await create();
    const slug = `second-${randomUUID().slice(0, 8)}`;
    const { token } = own;
    const created = await call("POST", "/v1/tenants", { token, body: { slug, displayName: "2" } });
    expect(created.status).toBe(201);
    const second = `/v1/tenants/${slug}${path}`;
    expect((await call("GET", `${second}/${id}`, { token })).status).toBe(200);
    const listed = Page.parse((await call("GET", second, { token })).body);
    expect(listed.items.map((item) => item.id)).toContain(id);
    const other = await newOrganization();
    expect((await other.try("GET", `${path}/${id}`)).status).toBe(404);
    expect((await other.try("PATCH", `${path}/${id}`, { body: { active: false } })).status).toBe(
      404,
    );
    expect((await other.try("DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await other.try("POST", `${path}/${id}:test`)).status).toBe(404);
    expect(Page.parse((await other.send("GET", path)).body).items).toEqual([]);
    expect((await read(id)).id).toBe(id);
  });

  test("there are fifty of at most, listed page by page, oldest first", {
    tags: "nightly",
  }, async () => {
    const full = await newOrganization();
    const made: string[] = [];
    for (let count = 0; count < 50; count += 1) {
      const response = await full.send("POST", path, { url, eventTypes });
      made.push(Destination.parse(response.body).id);
    }
    const refused = await full.try("POST", path, { body: { url, eventTypes } });
    expect(expectProblem(refused).slug).toBe("conflict");
    const first = Page.parse((await full.send("GET", `${path}?PageSize=30`)).body);
    const query = `?PageSize=30&PageToken.Skip=${first.nextPageToken}`;
    const second = Page.parse((await full.send("GET", path + query)).body);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
    expect(second.nextPageToken).toBeNull();
  });
});

const hex = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[\\da-f]{${digits}}$`));
const Nanoseconds = z.string().regex(/^\d{19}$/);
const Attributes = z.array(
  z.strictObject({
    key: z.string(),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
      z.strictObject({ doubleValue: z.number() }),
      z.strictObject({ boolValue: z.boolean() }),
    ]),
  }),
);
const Span = z.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  traceState: z.string().optional(),
  flags: z.int(),
  name: z.string(),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
/** ExportTraceServiceRequest of OTLP, as JSON. */
const Exported = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.tuple([
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          spans: z.array(Span).min(1),
        }),
      ]),
    }),
  ]),
});

describe("an OTLP destination", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const spanId = "00f067aa0ba902b7";
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let collector: Awaited<ReturnType<typeof startToolApi>>;
  const create = async (content: string) => {
    const endpoint = `${collector.url}/v1/traces/${content}`;
    const body = { type: "otlp", endpoint, headers: { Authorization: "Bearer s3cret" }, content };
    return own.send("POST", path, body);
  };
  const execute = (agentId: string) =>
    call("POST", `${own.base}/agents/${agentId}:execute`, {
      token: own.token,
      headers: { traceparent: `00-${traceId}-${spanId}-01`, tracestate: "vendor=1" },
      body: { input: { name: "Ada", token: "hunter2-hunter2" } },
    });
  const received = (content: string, agentId: string) =>
    collector.requests
      .filter((request) => request.path === `/v1/traces/${content}`)
      .map((request) => ({ ...request, body: Exported.parse(JSON.parse(request.body)) }))
      .map(({ headers, body }) => ({ headers, spans: body.resourceSpans[0].scopeSpans[0].spans }))
      .find(({ spans }) => spans[0]?.name === `invoke_agent ${agentId}`);
  const waitFor = async (content: string, agentId: string) => {
    await expect.poll(() => received(content, agentId), { timeout: 20_000 }).toBeDefined();
    return received(content, agentId) ?? { headers: {}, spans: [] };
  };

  beforeAll(async () => {
    collector = await startToolApi(() => ({ body: "{}" }));
    own = await newOrganization();
    const parametersMetadata = [
      { name: "name", type: "String" },
      { name: "token", type: "String", secret: true },
    ];
    const greet = { id: "greet", type: "Transform", value: "Hello {% input.name & input.token %}" };
    const time = {
      id: "time",
      type: "Tool",
      integrationId: "system",
      toolId: "calculate",
      parameters: { expression: "1 + 1" },
    };
    await own.deployAgent("greeter", {
      parametersMetadata,
      flow: { steps: [greet, time], edges: [{ source: "greet", target: "time" }] },
    });
    await own.deployAgent("caller", {
      parametersMetadata,
      flow: {
        steps: [{ id: "sub", type: "SubAgent", agentId: "greeter", input: { name: "Bob" } }],
        edges: [],
      },
    });
  });
  afterAll(() => collector.close());

  test("receives the trace of each ended execution, with its parent's, and no secret", async () => {
    const created = await create("all");
    expect(created.text).not.toContain("s3cret");
    expect(created.body).toMatchObject({ headerNames: ["Authorization"], signingSecret: null });
    await create("none");
    expect((await execute("greeter")).status).toBe(200);
    const { headers, spans } = await waitFor("all", "greeter");
    expect(headers).toMatchObject({
      authorization: "Bearer s3cret",
      "content-type": "application/json",
    });
    const [root, ...below] = spans;
    expect(root).toMatchObject({ traceId, parentSpanId: spanId, traceState: "vendor=1", flags: 1 });
    expect(below.map(({ name }) => name)).toEqual([
      "Transform greet",
      "execute_tool system/calculate",
    ]);
    for (const span of below) {
      expect(span).toMatchObject({ traceId, parentSpanId: root?.spanId });
    }
    expect(JSON.stringify(spans)).toContain("Hello Ada********");
    expect(JSON.stringify(spans)).not.toContain("hunter2");
    expect(root?.attributes).toContainEqual({
      key: "gen_ai.operation.name",
      value: { stringValue: "invoke_agent" },
    });
    const bare = await waitFor("none", "greeter");
    expect(JSON.stringify(bare.spans)).not.toContain("Ada");
  });

  test("receives a sub-agent's trace below the span that called it", {
    tags: "nightly",
  }, async () => {
    collector.requests.length = 0;
    expect((await execute("caller")).status).toBe(200);
    const parent = await waitFor("all", "caller");
    const child = await waitFor("all", "greeter");
    const calling = parent.spans.find(({ name }) => name === "invoke_agent sub");
    expect(calling?.traceId).toBe(traceId);
    expect(child.spans[0]).toMatchObject({ traceId, parentSpanId: calling?.spanId });
  });

  test("has members of its own, and a test that sends one span", { tags: "nightly" }, async () => {
    const created = Destination.parse((await create("outputs")).body);
    const tested = await own.send("POST", `${path}/${created.id}:test`);
    expect(tested.body).toEqual({ status: 200 });
    const [sent] = collector.requests.filter((request) => request.path === "/v1/traces/outputs");
    expect(Exported.safeParse(JSON.parse(sent?.body ?? "")).success).toBe(true);
    const to = `${path}/${created.id}`;
    const wrong: [string, string, object, string][] = [
      ["POST", path, { type: "otlp" }, "/endpoint"],
      ["POST", path, { type: "otlp", endpoint: "https://a.example.com", url }, "/url"],
      ["POST", path, { url, eventTypes, content: "all" }, "/content"],
      ["PATCH", to, { rotateSecret: true }, "/rotateSecret"],
      ["PATCH", to, { endpoint: "https://elsewhere.example.com" }, "/headers"],
    ];
    for (const [method, at, body, pointer] of wrong) {
      const problem = expectProblem(await own.try(method, at, { body }));
      expect(problem, pointer).toMatchObject({ status: 400, errors: [{ pointer }] });
    }
  });
});
