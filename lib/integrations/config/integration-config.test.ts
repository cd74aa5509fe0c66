import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createIntegrationConfig } from "./create-integration-config.ts";
import { deleteIntegrationConfig } from "./delete-integration-config.ts";
import { publishIntegrationConfig } from "./publish-integration-config.ts";
import { readPublishedConfig } from "./read-published-config.ts";
import { CreateIntegrationConfigBody, UpdateIntegrationConfigBody } from "./schemas.ts";
import { getIntegrationConfig, getIntegrationRevision, listIntegrationConfigs } from "./store.ts";
import { toIntegrationConfig } from "./to-integration-config.ts";

import { updateIntegrationConfig } from "./update-integration-config.ts";

let db: TestDatabase;
let tenant: ReturnType<typeof testTenant>;

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => {
  tenant = testTenant(db);
});

const github = {
  integrationId: "github",
  parameters: { baseUrl: "https://ghe.example.com/api/v3" },
  auth: { integrationAuthMetadataId: "pat", parameters: { token: "secret-1", other: "secret-2" } },
};

const create = async (body: unknown = github) =>
  toIntegrationConfig(
    await createIntegrationConfig(tenant.deps, {
      ctx: tenant.ctx,
      body: CreateIntegrationConfigBody.parse(body),
    }),
  );
const update = async (configId: string, body: unknown) =>
  toIntegrationConfig(
    await updateIntegrationConfig(tenant.deps, {
      ctx: tenant.ctx,
      configId,
      body: UpdateIntegrationConfigBody.parse(body),
    }),
  );
const publish = (configId: string, revision?: number) =>
  publishIntegrationConfig(tenant.deps, { ctx: tenant.ctx, configId, revision });
const remove = (configId: string) =>
  deleteIntegrationConfig(tenant.deps, { ctx: tenant.ctx, configId });
const published = (configId: string) =>
  readPublishedConfig(tenant.deps, { tenantId: tenant.ctx.tenant.id, configId });
const read = async (configId: string) => {
  const item = await getIntegrationConfig(db, tenant.ctx.tenant.id, configId);
  return item && toIntegrationConfig(item);
};

const validParameters: Readonly<Record<string, object>> = {
  mcp: { url: "https://mcp.example.com" },
  openapi: { documentUrl: "https://a.example/api.json" },
  github: {},
};
const tooLong = `https://a.example/${"/".repeat(2_048)}`;

describe("an integration config", () => {
  test.each([
    ["mcp", {}, "/parameters/url", "is required"],
    ["mcp", { url: "mcp.example.com" }, "/parameters/url", "must be a URL"],
    ["openapi", { baseUrl: "https://a.example" }, "/parameters/document", "is required"],
    ["openapi", { documentUrl: "api.json" }, "/parameters/documentUrl", "must be a URL"],
    ["github", { baseUrl: tooLong }, "/parameters/baseUrl", "at most 2048 characters"],
    ["mcp", { url: tooLong }, "/parameters/url", "must be a URL"],
  ])(
    "of %s is refused with %j, when it is made and when it is changed",
    async (integrationId, parameters, pointer, detail) => {
      const refusal = {
        slug: "validation-failed",
        members: { errors: [{ pointer, detail: expect.stringContaining(detail) }] },
      };
      await expect(create({ integrationId, parameters })).rejects.toMatchObject(refusal);
      const { id } = await create({ integrationId, parameters: validParameters[integrationId] });
      await expect(update(id, { parameters })).rejects.toMatchObject(refusal);
    },
  );

  test("returns masks for credentials, and stores them encrypted", async () => {
    const config = await create();
    expect(config).toMatchObject({
      integrationId: "github",
      displayName: "github",
      auth: {
        integrationAuthMetadataId: "pat",
        parameters: { token: "********", other: "********" },
      },
      authMap: [],
      latestRevision: 1,
      publishedRevision: null,
    });
    expect(await read(config.id)).toEqual(config);
    expect(JSON.stringify(await db.scan())).not.toContain("secret-1");
  });

  test("is not used until it is published", async () => {
    const { id } = await create();
    expect(await published(id)).toBeUndefined();
    await publish(id);
    expect(await published(id)).toEqual({
      integrationId: "github",
      parameters: github.parameters,
      auth: github.auth.parameters,
    });
  });

  test("accepts parameters of any shape", async () => {
    let nested: unknown = [1e300, "", null];
    for (let depth = 0; depth < 60; depth += 1) nested = { "": nested };
    const { id } = await create({ integrationId: "openapi", parameters: { document: nested } });
    expect((await read(id))?.parameters).toEqual({ document: nested });
  });

  test("of another tenant does not exist", async () => {
    const { id } = await create();
    await publish(id);
    tenant = testTenant(db);
    expect(await read(id)).toBeUndefined();
    expect(await published(id)).toBeUndefined();
    await expect(update(id, {})).rejects.toMatchObject({ slug: "not-found" });
    await expect(publish(id)).rejects.toMatchObject({ slug: "not-found" });
    await expect(remove(id)).rejects.toMatchObject({
      slug: "not-found",
    });
  });

  test.each([
    ["a mask", { auth: { parameters: { token: "********" } } }, "/auth/parameters/token"],
    ["too much", { parameters: { large: "x".repeat(140_000) } }, ""],
  ])("cannot begin with %s", async (_, members, pointer) => {
    await expect(create({ integrationId: "system", ...members })).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [{ pointer }] },
    });
  });

  test("has at most 64 credentials", () => {
    const sent = (length: number) => {
      const parameters = Object.fromEntries(Array.from({ length }, (_, at) => [`c${at}`, "x"]));
      return CreateIntegrationConfigBody.safeParse({
        integrationId: "github",
        auth: { parameters },
      });
    };
    expect(sent(64).success).toBe(true);
    expect(sent(65).error?.issues).toMatchObject([{ path: ["auth", "parameters"], maximum: 64 }]);
  });

  test("lists oldest first, page by page", async () => {
    const createdConfigs = [await create(), await create(), await create()];
    const page = (skip: number) =>
      listIntegrationConfigs(db, tenant.ctx.tenant.id, { size: 2, skip });
    expect((await page(0)).items.map(({ id }) => id)).toEqual(
      createdConfigs.slice(0, 2).map(({ id }) => id),
    );
    expect(await page(2)).toMatchObject({
      items: [{ id: createdConfigs[2]?.id }],
      nextPageToken: null,
    });
  });
});

describe("a change of an integration config", () => {
  test("creates the next revision; the published one stays in use", async () => {
    const { id } = await create();
    await publish(id);
    const after = await update(id, { displayName: "Ours", auth: { parameters: { token: "new" } } });
    expect(after).toMatchObject({
      displayName: "Ours",
      parameters: github.parameters,
      auth: { integrationAuthMetadataId: "pat", parameters: { token: "********" } },
      latestRevision: 2,
      publishedRevision: 1,
    });
    expect(await read(id)).toEqual(after);
    expect((await published(id))?.auth).toEqual(github.auth.parameters);
    await publish(id);
    expect((await published(id))?.auth).toEqual({ token: "new" });
    await publish(id, 1);
    expect((await published(id))?.auth).toEqual(github.auth.parameters);
  });

  test("keeps masked credentials and drops omitted ones", async () => {
    const { id } = await create();
    await update(id, { auth: { parameters: { other: "********", third: "secret-3" } } });
    await publish(id);
    expect((await published(id))?.auth).toEqual({ other: "secret-2", third: "secret-3" });
    await update(id, { displayName: "credentials are not sent at all" });
    await publish(id);
    expect((await published(id))?.auth).toEqual({ other: "secret-2", third: "secret-3" });
    expect(await update(id, { auth: null })).toMatchObject({ auth: null });
    await publish(id);
    expect((await published(id))?.auth).toEqual({});
  });

  test("accepts a config as it was returned", async () => {
    const config = await create();
    expect(await update(config.id, config)).toMatchObject({ auth: config.auth, latestRevision: 2 });
    await publish(config.id);
    expect((await published(config.id))?.auth).toEqual(github.auth.parameters);
  });

  test.each<[string, object, ...string[]]>([
    [
      "a mask where nothing is stored",
      { auth: { parameters: { x: "********" } } },
      "/auth/parameters/x",
    ],
    ["another integration", { integrationId: "gitlab" }, "/integrationId"],
    [
      "another address with stored credentials",
      { parameters: { baseUrl: "https://evil.example.com" } },
      "/auth/parameters/token",
      "/auth/parameters/other",
    ],
    [
      "one hidden deeper",
      { parameters: { tools: [{ b: "ws://evil.example.com" }] } },
      "/auth/parameters/token",
      "/auth/parameters/other",
    ],
  ])("refuses %s", async (_, body, ...pointers) => {
    const { id } = await create();
    await expect(update(id, body)).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: pointers.map((pointer) => ({ pointer })) },
    });
    expect(await read(id)).toMatchObject({ latestRevision: 1 });
  });

  test("accepts another address if the credentials are sent with it", async () => {
    const { id } = await create();
    const parameters = { baseUrl: "https://new.example.com" };
    const auth = { parameters: { token: "for-new" } };
    expect(await update(id, { parameters, auth })).toMatchObject({ parameters });
  });

  test("creates one revision per concurrent update, without gaps", {
    tags: "nightly",
  }, async () => {
    const { id } = await create();
    const names = Array.from({ length: 8 }, (_, at) => `name ${at}`);
    const updatedConfigs = await Promise.all(
      names.map((displayName) => update(id, { displayName })),
    );
    const numbers = updatedConfigs.map(({ latestRevision }) => latestRevision);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { latestRevision, displayName } of updatedConfigs) {
      const item = await getIntegrationRevision(db, tenant.ctx.tenant.id, id, latestRevision);
      expect(JSON.parse(item?.content ?? "")).toMatchObject({ displayName });
    }
    await publish(id);
    expect((await published(id))?.auth).toEqual(github.auth.parameters);
  });
});

describe("publishing", () => {
  test("refuses a revision that does not exist", async () => {
    const { id } = await create();
    await expect(publish(id, 2)).rejects.toMatchObject({ slug: "not-found" });
    await expect(publish(randomUUID())).rejects.toMatchObject({ slug: "not-found" });
    expect(await read(id)).toMatchObject({ publishedRevision: null });
  });

  test("is kept by a concurrent update", async () => {
    const { id } = await create();
    await Promise.all([publish(id, 1), update(id, { displayName: "a" }), publish(id, 1)]);
    expect(await read(id)).toMatchObject({ latestRevision: 2, publishedRevision: 1 });
  });
});

describe("deleting an integration config", () => {
  const left = async (configId: string) =>
    (await db.scan()).filter((item) => JSON.stringify(item).includes(configId));

  test("deletes all of its items", async () => {
    const { id } = await create();
    await update(id, { displayName: "b" });
    await publish(id);
    await remove(id);
    expect(await left(id)).toEqual([]);
    await expect(remove(id)).rejects.toMatchObject({
      slug: "not-found",
    });
  });

  test("is completed by the next call after a crash", async () => {
    const { id } = await create();
    await publish(id);
    db.failNext("BatchWriteItem");
    await expect(remove(id)).rejects.toThrow("planned");
    expect(await published(id)).toBeUndefined();
    await remove(id);
    expect(await left(id)).toEqual([]);
  });

  test("deletes all items despite concurrent updates", async () => {
    const { id } = await create();
    await Promise.allSettled([
      update(id, { displayName: "b" }),
      publish(id),
      remove(id),
      update(id, { displayName: "c" }),
    ]);
    expect(await left(id)).toEqual([]);
  });
});
