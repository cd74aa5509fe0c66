import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, checkEveryHeader, expectProblem, newOrganization, stack } from "../harness/api.ts";
import { undisturbed } from "../harness/undisturbed.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

describe("a request", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  test("that is wrong in every way meets the checks in their order, one by one", async () => {
    const path = (tenant: string, agent: string) =>
      `/v1/tenants/${tenant}/agents/${agent}/revisions`;
    const huge = "x".repeat(1_048_577);
    const reader = await own.mintKey(["agents:read"]);
    const attempts = [
      await call("PUT", path("nobody", "b*d"), { raw: huge }),
      await call("POST", path("nobody", "b*d"), { raw: huge }),
      await call("POST", path("nobody", "b*d"), { raw: "{" }),
      await call("POST", path("nobody", "b*d"), { raw: "{", key: reader }),
      await call("POST", path(own.slug, "b*d"), { raw: "{", key: reader }),
      await call("POST", path(own.slug, "b*d"), { raw: "{", token: own.token }),
      await call("POST", path(own.slug, "b*d"), { raw: "{}", token: own.token }),
      await call("POST", path(own.slug, "nobody"), { raw: "{}", token: own.token }),
    ];
    for (const response of attempts) checkEveryHeader(response);
    expect(attempts.map((response) => expectProblem(response).slug)).toEqual([
      "method-not-allowed",
      "payload-too-large",
      "unauthenticated",
      "not-found",
      "insufficient-scope",
      "malformed-json",
      "validation-failed",
      "not-found",
    ]);
  });

  test.each([
    { size: 1_048_577, route: ["PATCH", "/agents/hello"], limit: 1_048_576 },
    { size: 4_194_305, route: ["POST", "/agents/hello:execute"], limit: 4_194_304 },
    { size: 5_500_000, route: ["POST", "/agents/hello:execute"], limit: 4_194_304 },
    { size: 11_000_000, route: ["POST", "/agents/hello:execute"], limit: 4_194_304 },
    { size: 5_500_000, route: ["PATCH", "/agents/hello"], limit: 1_048_576 },
    { size: 5_500_000, route: ["POST", "/assets/papers/documents"], limit: 4_194_304 },
  ])(
    "of $size bytes to $route is 413 with its route's own limit and path",
    async ({ size, route, limit }) => {
      const [method = "", below = ""] = route;
      const path = `/v1/tenants/${own.slug}${below}`;
      const response = await call(method, path, { raw: "x".repeat(size), token: own.token });
      checkEveryHeader(response);
      const problem = { slug: "payload-too-large", limit, instance: path };
      expect(expectProblem(response)).toMatchObject({
        ...problem,
        detail: `The body may have at most ${limit} bytes.`,
      });
    },
  );

  test.each([
    ["/nowhere"],
    ["/v1/nowhere"],
    ["/"],
    ["/v1/tenants/demo/agents/a/b/c/d/e"],
    ["/v1/tenants/demo/agents/hello/revisions/1/nothing"],
    ["//v1/tenants"],
  ])("for %s, which is no route, is 404 with every header", async (path) => {
    const response = await call("GET", path);
    checkEveryHeader(response);
    expect(expectProblem(response)).toMatchObject({ slug: "not-found", status: 404 });
  });

  test("with half a character in a string is 400, before anything is written", async () => {
    const raw = '{"id": "half", "displayName": "Hi \\ud83d"}';
    const refused = await own.try("POST", "/agents", { raw });
    expect(expectProblem(refused).slug).toBe("malformed-json");
    const whole = '{"id": "whole", "displayName": "Hi \\ud83d\\ude00"}';
    expect((await own.try("POST", "/agents", { raw: whole })).body).toMatchObject({
      displayName: "Hi \u{1f600}",
    });
  });

  test("with lines of JSON is one with their values as items, and its errors name the lines", async () => {
    const inputSchema = { type: "object", properties: { city: { type: "string" } } };
    await own.send("POST", "/datasets", { id: "lines", displayName: "Lines", inputSchema });
    const send = (raw: string, type = "application/jsonl") =>
      own.try("POST", "/datasets/lines/examples", { raw, headers: { "Content-Type": type } });
    const good =
      '{"id": "a", "input": {"city": "Rome"}}\r\n\n{"id": "b", "input": {"city": "Oslo"}}\n';
    expect(await send(good)).toMatchObject({
      status: 201,
      body: { version: 1, exampleCount: 2, ids: ["a", "b"] },
    });
    expect(expectProblem(await send(`${good}\n{"expected": 1, "inputs": {}}`))).toMatchObject({
      errors: [
        { pointer: "line/5/inputs", detail: expect.stringContaining("did you mean") },
        { pointer: "line/5/input", detail: "is required" },
      ],
    });
    // By the dataset's schema, in the handler.
    expect(expectProblem(await send(`\n${good}{"input": {"city": 7}}`))).toMatchObject({
      errors: [{ pointer: "line/5/input/city" }],
    });
    expect(expectProblem(await send(`${good}{"input":`))).toMatchObject({
      slug: "malformed-json",
      detail: "Line 4 is not JSON: unclosed object at column 1.",
    });
    const comma = '{\n  "id": "comma",\n  "displayName": "Comma",\n}';
    expect(expectProblem(await own.try("POST", "/agents", { raw: comma }))).toMatchObject({
      slug: "malformed-json",
      detail: "The body is not JSON: trailing comma at line 3, column 25.",
    });
    expect(expectProblem(await send("\n\n")).slug).toBe("malformed-json");
    const elsewhere = await own.try("POST", "/datasets", {
      raw: good,
      headers: { "Content-Type": "application/jsonl" },
    });
    expect(expectProblem(elsewhere).slug).toBe("unsupported-media-type");
    expect((await own.send("GET", "/datasets/lines")).body).toMatchObject({ version: 1 });
  });

  test("with a query parameter that the operation does not have is 400 and names the nearest", async () => {
    const refused = async (path: string) => {
      const response = await own.try("GET", path);
      expect(response.status).toBe(400);
      return expectProblem(response);
    };
    expect(await refused("/agents?PageSize=1&PageSize=2")).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "query/PageSize", detail: "is given more than once" }],
    });
    expect(await refused("/agents?pageSize=1&utm=1&utm=2")).toMatchObject({
      slug: "validation-failed",
      errors: [
        {
          pointer: "query/pageSize",
          detail: 'is not a parameter of this operation; did you mean "PageSize"?',
        },
        { pointer: "query/utm", detail: "is not a parameter of this operation" },
      ],
    });
  });

  test("to a tenant of a name longer than any is 404", async () => {
    const path = `/v1/tenants/${"a".repeat(2_100)}/agents`;
    const response = await call("GET", path, { token: own.token });
    expect(expectProblem(response).slug).toBe("not-found");
  });

  test("to a path longer than any route's is 404 with every header, wherever it leads", async () => {
    const long = "x".repeat(2_048);
    for (const path of [
      `/v1/tenants/${long}/agents`,
      `/${long}`,
      `/v1/tenants/demo/agents/${long}`,
    ]) {
      const response = await call("GET", path, { key: "wharf_live_nonsense" });
      checkEveryHeader(response);
      expect(expectProblem(response)).toMatchObject({
        slug: "not-found",
        detail: "The route does not exist. Paths have at most 2048 characters.",
      });
    }
  });

  test("with broken percent-encoding is 400 with every header", async () => {
    const response = await own.try("GET", "/agents/%zz");
    checkEveryHeader(response);
    expect(expectProblem(response).slug).toBe("validation-failed");
  });

  test("for the page of a problem gets one that runs nothing, loads nothing and is in no frame", async () => {
    const page = await call("GET", "/problems/not-found", { headers: { Accept: "text/html" } });
    const style = /<style>(.*)<\/style>/s.exec(page.text)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("vary")).toBe("Accept");
    expect(page.text).not.toMatch(/<script|style=|src=|href=/);
  });

  test("shows its path as it was sent, never its query", async () => {
    const response = await own.try("GET", "/agents/nob%6fdy?secret=1");
    expect(expectProblem(response).instance).toBe(`${own.base}/agents/nob%6fdy`);
  });

  test("is counted in its caller's window, which the headers show", async () => {
    const key = await own.mintKey(["agents:read"]);
    const read = async () => {
      const { headers } = await own.try("GET", "/agents", { token: undefined, key });
      return {
        remaining: Number(headers.get("x-ratelimit-remaining")),
        reset: Number(headers.get("x-ratelimit-reset")),
      };
    };
    const [first, second] = [await read(), await read()];
    if (first.reset === second.reset) expect(second.remaining).toBe(first.remaining - 1);
    expect(first.reset * 1_000).toBeGreaterThan(Date.now() - 60_000);
    expect(first.reset * 1_000).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test("with a cached key costs one storage call in addition to the handler's", async () => {
    const key = await own.mintKey(["agents:read"]);
    await own.try("GET", "/apiKeys/current", { token: undefined, key });
    await undisturbed(async () => {
      await stack().storageCalls.reset();
      await own.try("GET", "/apiKeys/current", { token: undefined, key });
      const calls = Object.entries(await stack().storageCalls.read()).filter(([name]) =>
        name.includes("get-current-api-key"),
      );
      expect(calls.map(([, actions]) => actions)).toEqual([{ "dynamodb:UpdateItem": 1 }]);
    });
  });

  test("with unknown members in its body succeeds; wrong types are never coerced", async () => {
    const created = await own.try("POST", "/agents", {
      body: { id: "lenient", displayName: "x", deployedRevision: 7, nonsense: {} },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ deployedRevision: null });
    for (const displayName of [1, true, null, ["x"], { a: 1 }, ""]) {
      const refused = await own.try("POST", "/agents", { body: { displayName } });
      expect(expectProblem(refused)).toMatchObject({
        slug: "validation-failed",
        errors: [expect.objectContaining({ pointer: "/displayName" })],
      });
    }
  });

  test("keeps strings as they were sent, whatever the script", async () => {
    const displayName = "  Zoë 👩‍🚀 שלום \u0000\u202e ";
    const created = await own.try("POST", "/agents", { body: { displayName } });
    const { id } = z.looseObject({ id: z.string() }).parse(created.body);
    expect((await own.send("GET", `/agents/${id}`)).body).toMatchObject({ displayName });
  });
});

describe("a change to an agent", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  test("changes only sent members; null clears", async () => {
    await own.send("POST", "/agents", { id: "a", displayName: "A", description: "first" });
    await own.send("PATCH", "/agents/a", { displayName: "B" });
    expect((await own.send("GET", "/agents/a")).body).toMatchObject({
      displayName: "B",
      description: "first",
    });
    await own.send("PATCH", "/agents/a", { description: null });
    expect((await own.send("GET", "/agents/a")).body).toMatchObject({
      displayName: "B",
      description: null,
    });
    expect((await own.try("PATCH", "/agents/nobody", { body: {} })).status).toBe(404);
  });

  test("to an existing id is 409, also for concurrent requests", async () => {
    const create = () => own.try("POST", "/agents", { body: { id: "race", displayName: "x" } });
    const statuses = (await Promise.all([create(), create(), create()])).map(
      (response) => response.status,
    );
    expect(statuses.toSorted()).toEqual([201, 409, 409]);
  });

  test("list pages walk over every agent once, in order", { tags: "nightly" }, async () => {
    const fresh = await newOrganization();
    const ids = Array.from({ length: 23 }, (_, at) => `agent-${String(at).padStart(2, "0")}`);
    await Promise.all(ids.map((id) => fresh.send("POST", "/agents", { id, displayName: id })));
    const Page = z.object({
      items: z.array(z.looseObject({ id: z.string() })),
      nextPageToken: z.string().nullable(),
    });
    const seen: string[] = [];
    let query = "";
    for (;;) {
      const page = Page.parse((await fresh.send("GET", `/agents?PageSize=5${query}`)).body);
      seen.push(...page.items.map((item) => item.id));
      if (page.nextPageToken === null) break;
      query = `&PageToken.Skip=${page.nextPageToken}`;
    }
    expect(seen).toEqual(ids);
    const beyond = Page.parse((await fresh.send("GET", "/agents?PageToken.Skip=2147483647")).body);
    expect(beyond).toEqual({ items: [], nextPageToken: null });
    expect((await fresh.try("GET", "/agents?PageToken.Skip=2147483648")).status).toBe(400);
    expect((await fresh.try("GET", "/agents?PageSize=201")).status).toBe(400);
  });
});

describe("tenants and keys", () => {
  test("a slug belongs to one tenant in all organizations, also after concurrent requests", async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const body = { slug: `race-${one.slug}`, displayName: "x" };
    const responses = await Promise.all([
      call("POST", "/v1/tenants", { token: one.token, body }),
      call("POST", "/v1/tenants", { token: other.token, body }),
    ]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([201, 409]);
    const mine = await call("GET", "/v1/tenants", { token: one.token });
    expect(
      z
        .array(z.looseObject({ slug: z.string() }))
        .parse(mine.body)
        .map((agent) => agent.slug),
    ).toContain(one.slug);
    expect(mine.text).not.toContain(other.tenantId);
  });

  test("a key is shown once, and reads its own record without the secret", async () => {
    const own = await newOrganization();
    const issued = await own.send("POST", "/apiKeys:generate", { name: "mine", preset: "rUnNeR" });
    expect(issued.body).toMatchObject({
      name: "mine",
      scopes: ["agents:execute", "traces:write"],
      prefix: "wharf",
      status: "Active",
      expiresAt: null,
      lastUsedAt: null,
    });
    const { key } = z.looseObject({ key: z.string() }).parse(issued.body);
    const current = await own.try("GET", "/apiKeys/current", { token: undefined, key });
    expect(current.body).toMatchObject({
      name: "mine",
      scopes: ["agents:execute", "traces:write"],
    });
    expect(current.text).not.toContain(key);
  });

  test("callers cannot mint scopes that they lack, neither individually nor by a preset", async () => {
    const own = await newOrganization();
    const minter = await own.mintKey(["keys:write", "agents:read"]);
    const mint = (body: object) =>
      own.try("POST", "/apiKeys:generate", {
        token: undefined,
        key: minter,
        body: { name: "x", ...body },
      });
    expect((await mint({ scopes: ["agents:read"] })).status).toBe(201);
    expect(expectProblem(await mint({ scopes: ["agents:read", "agents:write"] }))).toMatchObject({
      slug: "scope-escalation",
      scopes: ["agents:write"],
    });
    expect(expectProblem(await mint({ preset: "Runner" })).slug).toBe("scope-escalation");
    for (const body of [
      {},
      { scopes: [] },
      { scopes: ["agents:read"], preset: "Runner" },
      { preset: "Emperor" },
      { scopes: ["a:b"] },
      { scopes: ["agents:read"], expiresAt: "2001-01-01T00:00:00Z" },
    ]) {
      expect(expectProblem(await mint(body)).slug, JSON.stringify(body)).toBe("validation-failed");
    }
  });
});
