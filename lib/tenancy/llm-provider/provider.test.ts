import { randomUUID } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../../test/harness/model-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import type { GenerateRequest } from "../../engine/models/model.ts";
import { Problem } from "../../platform/http/problems.ts";
import { createLlmProvider } from "./create-llm-provider.ts";
import { listLlmModels } from "./list-llm-models.ts";
import { listLlmProviders } from "./list-llm-providers.ts";
import { createModelLists } from "./model-lists.ts";
import { providerRegistry } from "./registry.ts";
import { CreateLlmProviderBody, LlmModels, LlmProvider, UpdateLlmProviderBody } from "./schemas.ts";
import { getProvider, removeProvider } from "./store.ts";
import { testLlmProvider } from "./test-llm-provider.ts";
import { toLlmProvider } from "./to-llm-provider.ts";
import { updateLlmProvider } from "./update-llm-provider.ts";

let db: TestDatabase;
let server: ModelServer;
beforeAll(async () => {
  db = await testDatabase();
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const local = { allowPrivateAddresses: true };

const setUp = (outgoing: { allowPrivateAddresses?: boolean } = local) => {
  const tenant = testTenant(db);
  const deps = { ...tenant.deps, outgoing };
  const ctx = { ...tenant.ctx, respondBy: tenant.ctx.clock() + 29_000 };
  const tenantId = ctx.tenant.id;
  const lists = createModelLists();
  return {
    ...tenant,
    tenantId,
    sealer: deps.sealer,
    create: (input: unknown) =>
      createLlmProvider(deps, { ctx, body: CreateLlmProviderBody.parse(input) }),
    update: (providerId: string, body: unknown) =>
      updateLlmProvider(deps, { ctx, providerId, body: UpdateLlmProviderBody.parse(body) }),
    test: (providerId: string, body?: { model?: string; prompt?: string }, timeoutMs = 29_000) =>
      testLlmProvider(deps, {
        ctx: { ...ctx, respondBy: ctx.clock() + timeoutMs },
        providerId,
        body,
      }),
    models: (providerId: string, { now = ctx.clock(), timeoutMs = 29_000 } = {}) =>
      listLlmModels(
        { ...deps, lists },
        { ctx: { ...ctx, clock: () => now, respondBy: now + timeoutMs }, providerId },
      ),
    registry: () => providerRegistry({ ...deps, tenantId }),
    list: (size: number, skip: number) => listLlmProviders(db, tenantId, { size, skip }),
  };
};

const ours = (more: object = {}) => ({
  id: "ours",
  type: "openai-compatible",
  baseUrl: `${server.url}/v1`,
  defaultModel: "llama3.3",
  apiKey: "first-key",
  ...more,
});

const far = (more: object) => ({
  type: "openai-compatible",
  baseUrl: "https://models.example/v1",
  ...more,
});

const asks: GenerateRequest = {
  model: "llama3.3",
  messages: [{ role: "user", text: "Hi" }],
  parameters: {},
  signal: new AbortController().signal,
};

const problem = async (work: Promise<unknown>): Promise<Problem> => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof Problem) return thrown;
  throw new Error("it ended in no problem", { cause: thrown });
};

const places = async (work: Promise<unknown>) => {
  const { slug, members } = await problem(work);
  expect(slug).toBe("validation-failed");
  return JSON.stringify(members);
};

describe("a provider", () => {
  test("is returned without its credentials, which are encrypted for it alone", async () => {
    const { create, registry, tenantId } = setUp();
    const shown = toLlmProvider(await create(ours()));
    expect(LlmProvider.strict().parse(shown)).toMatchObject({
      id: "ours",
      type: "openai-compatible",
      displayName: "ours",
      region: null,
    });
    const items = (await db.scan()).filter((item) => String(item.pk).includes(tenantId));
    expect(items).toHaveLength(1);
    const stored = JSON.stringify(items) + JSON.stringify(shown);
    expect(stored).not.toContain("first-key");
    const copy = { ...items[0], id: "copied", sk: "PROVIDER#copied" };
    await db.client.send(new PutCommand({ TableName: db.table, Item: copy }));
    await expect(registry().resolve("copied")).rejects.toThrow("sealed for another context");
  });

  test("gets a generated id by default", async () => {
    const { create } = setUp();
    expect((await create(ours({ id: null }))).id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("cannot have an existing or built-in id", async () => {
    const { create } = setUp();
    await create(ours());
    expect((await problem(create(ours()))).slug).toBe("conflict");
    expect((await problem(create(ours({ id: "echo" })))).slug).toBe("conflict");
  });

  test("changes only the members that are sent; null clears them", async () => {
    const { create, update, advance } = setUp();
    const before = await create(ours({ displayName: "Ours" }));
    advance(5);
    const renamed = toLlmProvider(await update("ours", { displayName: "Theirs" }));
    expect(renamed).toEqual({
      ...toLlmProvider(before),
      displayName: "Theirs",
      modifiedAt: before.modifiedAt + 5,
    });
    const cleared = await update("ours", { defaultModel: null, apiKey: null });
    expect(cleared).toMatchObject({ defaultModel: null, apiKey: null, displayName: "Theirs" });
  });

  test("keeps concurrent changes", async () => {
    const { create, update, tenantId } = setUp();
    await create(ours());
    await Promise.all([
      update("ours", { displayName: "A" }),
      update("ours", { defaultModel: "b" }),
    ]);
    expect(await getProvider(db, tenantId, "ours")).toMatchObject({
      displayName: "A",
      defaultModel: "b",
    });
  });

  test("does not send its stored key to another address", async () => {
    const { create, update } = setUp();
    await create(ours());
    const baseUrl = "http://127.0.0.1:1/v1";
    expect(await places(update("ours", { baseUrl }))).toContain("/apiKey");
    expect(await places(update("ours", { baseUrl: `${server.url}/v2` }))).toContain("/apiKey");
    await update("ours", { baseUrl, apiKey: "second-key" });
    await update("ours", { apiKey: null });
    await update("ours", { baseUrl: `${server.url}/v1` });
  });

  test("keeps its type", async () => {
    const { create, update } = setUp();
    await create(ours());
    await update("ours", { type: "openai-compatible" });
    expect(await places(update("ours", { type: "openai" }))).toContain("/type");
  });

  test("that is built in or does not exist cannot be changed", async () => {
    const { update } = setUp();
    expect((await problem(update("echo", {}))).slug).toBe("conflict");
    expect((await problem(update("nobody", {}))).slug).toBe("not-found");
  });
});

describe("invalid settings are refused", () => {
  test.each([
    ["a compatible server without an address", far({ baseUrl: null }), "/baseUrl"],
    ["http", far({ baseUrl: "http://models.example/v1" }), "/baseUrl"],
    ["another scheme", far({ baseUrl: "ftp://models.example/v1" }), "/baseUrl"],
    ["no URL", far({ baseUrl: "models" }), "/baseUrl"],
    ["a user in the URL", far({ baseUrl: "https://a:b@models.example/" }), "/baseUrl"],
    ["a query", far({ baseUrl: "https://models.example/?a=b" }), "/baseUrl"],
    ["a private address", far({ baseUrl: "https://10.0.0.1/v1" }), "/baseUrl"],
    ["loopback, IPv6", far({ baseUrl: "https://[::1]/v1" }), "/baseUrl"],
    [
      "a region where there is none",
      far({ baseUrl: "https://m.example", region: "us-east-1" }),
      "/region",
    ],
    ["openai without a key", { type: "openai" }, "/apiKey"],
    ["anthropic without a key", { type: "anthropic", apiKey: null }, "/apiKey"],
    ["google without a key", { type: "google" }, "/apiKey"],
    [
      "an address for the role's signatures",
      { type: "bedrock", baseUrl: "https://m.example" },
      "/baseUrl",
    ],
  ])("%s", async (_, input, pointer) => {
    expect(await places(setUp({}).create(input))).toContain(`"${pointer}"`);
  });

  test.each([
    ["an unknown type", { type: "echo" }],
    ["a key with a line break", { type: "openai", apiKey: "a\nb" }],
    ["a region that is a host", { type: "bedrock", region: "evil.example/" }],
  ])("%s, by the schema", (_, input) => {
    expect(CreateLlmProviderBody.safeParse(input).success).toBe(false);
  });

  test.each([
    { type: "bedrock" },
    { type: "bedrock", region: "us-gov-west-1" },
    { type: "openai", apiKey: "k" },
  ])("but not %o", async (input) => {
    expect((await setUp({}).create(input)).type).toBe(input.type);
  });
});

describe("the list", () => {
  test("has the built-in ones first, then those of the tenant by id, page by page", async () => {
    const { create, list } = setUp();
    for (const id of ["c", "a", "b"]) await create(ours({ id }));
    const all = ["echo", "a", "b", "c"];
    for (let size = 1; size <= 5; size += 1) {
      const seen: string[] = [];
      let token: string | null = "0";
      while (token !== null) {
        const page = await list(size, Number(token));
        expect(page.items.length).toBeGreaterThan(0);
        seen.push(...page.items.map(({ id }) => id));
        token = page.nextPageToken;
      }
      expect(seen, `pages of ${size}`).toEqual(all);
    }
    expect(await list(5, 2_147_483_647)).toEqual({ items: [], nextPageToken: null });
  });

  test("has only the built-in ones if there are no others", async () => {
    const { list } = setUp();
    expect(await list(1, 0)).toMatchObject({ items: [{ id: "echo" }], nextPageToken: null });
  });
});

describe("the registry", () => {
  test("finds the tenant's providers and echo, and not those of others", async () => {
    const { create, registry } = setUp();
    await create(ours());
    const provider = await registry().resolve("ours");
    expect(provider?.defaultModel).toBe("llama3.3");
    expect((await provider?.generate(asks))?.message.text).toBe("Hello there.");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer first-key");
    expect((await registry().resolve("echo"))?.defaultModel).toBe("echo-1");
    expect(await registry().resolve(`nobody-${randomUUID()}`)).toBeUndefined();
    expect(await setUp().registry().resolve("ours")).toBeUndefined();
  });

  test("uses changed credentials from the next step on, and decrypts them once", async () => {
    const { create, update, registry, sealer, tenantId } = setUp();
    await create(ours());
    const models = registry();
    const keyOfNextCall = async () => {
      await (await models.resolve("ours"))?.generate(asks);
      return server.requests.at(-1)?.headers.authorization;
    };
    expect(await keyOfNextCall()).toBe("Bearer first-key");
    expect(await keyOfNextCall()).toBe("Bearer first-key");
    expect(sealer.opened).toBe(1);
    await update("ours", { apiKey: "second-key" });
    expect(await keyOfNextCall()).toBe("Bearer second-key");
    await update("ours", { apiKey: null });
    expect(await keyOfNextCall()).toBeUndefined();
    expect(await removeProvider(db, tenantId, "ours")).toBe(true);
    expect(await removeProvider(db, tenantId, "ours")).toBe(false);
    expect(await models.resolve("ours")).toBeUndefined();
  });
});

describe("a test of a provider", () => {
  test("returns the model's response and its usage", async () => {
    const { create, test } = setUp();
    await create(ours());
    expect(await test("ours", { prompt: "Hello?" })).toEqual({
      ok: true,
      providerId: "ours",
      modelId: "llama3.3",
      text: "Hello there.",
      usage: { inputTokens: 10, outputTokens: 3, cachedTokens: 0, thinkingTokens: 0 },
      totalCost: 0,
      priced: false,
      latencyMs: expect.any(Number),
    });
    expect(JSON.stringify(server.requests[0]?.body)).toContain("Hello?");
    expect(await test("echo", { prompt: "x" })).toMatchObject({ text: "x", priced: true });
  });

  test("requires a provider and a model", async () => {
    const { create, test } = setUp();
    await create(ours({ defaultModel: null }));
    expect((await problem(test("missing"))).slug).toBe("not-found");
    expect(await places(test("ours"))).toContain("/model");
    expect(await test("ours", { model: "other" })).toMatchObject({ modelId: "other" });
  });

  test("reports how the service failed", async () => {
    const { create, test } = setUp();
    await create(ours());
    server.script({ status: 401, body: '{"error":{"message":"first-key is wrong"}}' });
    const failed = await problem(test("ours"));
    expect(failed).toMatchObject({
      slug: "upstream-failed",
      members: { upstream: "ours", upstreamStatus: 401 },
    });
    expect(failed.message).not.toContain("first-key");
  });

  test("times out", async () => {
    const { create, test } = setUp();
    await create(ours());
    server.script({ fault: "hang" });
    expect(await problem(test("ours", {}, 3_050))).toMatchObject({
      slug: "upstream-timeout",
      members: { upstream: "ours" },
    });
  });
});

describe("the models of a provider", () => {
  test("are those that its service lists, and those of echo", async () => {
    const { create, models } = setUp();
    await create(ours());
    expect(LlmModels.parse(await models("ours"))).toEqual({
      items: [{ id: "large", displayName: "Large" }, { id: "small" }],
    });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer first-key");
    const { items } = LlmModels.parse(await models("echo"));
    expect(items).toEqual([{ id: "echo-1", prices: expect.objectContaining({ input: 0 }) }]);
    expect((await problem(models("missing"))).slug).toBe("not-found");
  });

  test("are asked for again after 5 minutes, or when the provider has changed", async () => {
    const { create, update, models, ctx } = setUp();
    await create(ours());
    const now = ctx.clock();
    await models("ours", { now });
    await models("ours", { now: now + 299_999 });
    expect(server.requests).toHaveLength(1);
    await models("ours", { now: now + 300_000 });
    expect(server.requests).toHaveLength(2);
    await update("ours", { apiKey: "second-key" });
    await models("ours", { now: now + 300_001 });
    expect(server.requests[2]?.headers.authorization).toBe("Bearer second-key");
    await removeProvider(db, ctx.tenant.id, "ours");
    expect((await problem(models("ours"))).slug).toBe("not-found");
  });

  test("fail with the service, without its key, and are asked for again", async () => {
    const { create, models } = setUp();
    await create(ours());
    server.script({ status: 401, body: '{"error":{"message":"first-key is wrong"}}' });
    const failed = await problem(models("ours"));
    expect(failed).toMatchObject({
      slug: "upstream-failed",
      members: { upstream: "ours", upstreamStatus: 401 },
    });
    expect(failed.message).toContain("check its apiKey");
    expect(failed.message).not.toContain("first-key");
    expect((await models("ours")).items).toHaveLength(2);
  });

  test("time out", async () => {
    const { create, models } = setUp();
    await create(ours());
    server.script({ fault: "hang" });
    expect(await problem(models("ours", { timeoutMs: 3_050 }))).toMatchObject({
      slug: "upstream-timeout",
      members: { upstream: "ours" },
    });
  });
});
