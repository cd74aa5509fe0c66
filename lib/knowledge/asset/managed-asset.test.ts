import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { checkAgent } from "../../agents/revision/check-agent.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { Problem } from "../../platform/http/problems.ts";
import { createLlmProvider } from "../../tenancy/llm-provider/create-llm-provider.ts";
import { sourceSettings } from "../../vendors/registry/source-settings.ts";
import { createAllSources } from "../estimate/wharf.ts";
import { toAsset } from "./asset-item.ts";
import { createAsset } from "./create-asset.ts";
import { deleteAsset } from "./delete-asset.ts";
import { CreateAssetBody, UpdateAssetBody } from "./schemas.ts";
import { openSourceCredentials } from "./source-credentials.ts";
import { getAsset } from "./store.ts";
import { updateAsset } from "./update-asset.ts";

const github = {
  id: "handbook",
  displayName: "Handbook",
  type: "github",
  parameters: { repository: "acme/handbook", token: "ghp-secret" },
};

describe("an asset with a source", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;
  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(() => {
    tenant = testTenant(db);
  });

  const deps = () => ({
    ...tenant.deps,
    outgoing: { allowPrivateAddresses: true },
    sources: createAllSources(sourceSettings(), async () => [], {
      checkAgent: (...asset) => checkAgent(db, ...asset),
    }),
  });
  const create = (body: unknown) =>
    createAsset(deps(), { ctx: tenant.ctx, body: CreateAssetBody.parse(body) });
  const update = (body: unknown, assetId = "handbook") =>
    updateAsset(deps(), { ctx: tenant.ctx, assetId, body: UpdateAssetBody.parse(body) });
  const tenantId = () => tenant.ctx.tenant.id;
  const read = async () => {
    const item = await getAsset(db, tenantId(), "handbook");
    if (!item) throw new Error("the asset is gone");
    return item;
  };
  const credentials = async () =>
    openSourceCredentials(
      tenant.deps.sealer,
      { tenantId: tenantId(), assetId: "handbook" },
      (await read()).secrets,
    );
  const remove = () => deleteAsset(tenant.deps, { tenantId: tenantId(), assetId: "handbook" });
  const catchProblem = async (work: Promise<unknown>) => {
    const error = await work.catch((thrown: unknown) => thrown);
    return error instanceof Problem ? { slug: error.slug, errors: error.members.errors } : error;
  };

  test("keeps its credentials encrypted, and shows them masked", async () => {
    const shown = toAsset(await create(github));
    expect(shown).toMatchObject({
      type: "github",
      parameters: { repository: "acme/handbook", token: "********" },
      embedding: { providerId: "echo", model: "echo-1" },
      status: "Empty",
      vectorized: false,
    });
    const stored = (await db.scan()).filter(({ pk }) => String(pk).includes(tenantId()));
    expect(JSON.stringify([stored, shown])).not.toContain("ghp-secret");
    expect(await credentials()).toEqual({ token: "ghp-secret" });
  });

  test("keeps a credential that is sent back masked, but not for another address", async () => {
    await create(github);
    await update({ parameters: { repository: "acme/other", token: "********" } });
    expect(await credentials()).toEqual({ token: "ghp-secret" });
    expect((await read()).parameters).toMatchObject({ repository: "acme/other" });
    const elsewhere = { ...github.parameters, token: "********", baseUrl: "http://127.0.0.1:1" };
    expect(await catchProblem(update({ parameters: elsewhere }))).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/parameters/token" }],
    });
    await update({ parameters: { repository: "acme/open" } });
    expect(await credentials()).toEqual({});
  });

  test.each([
    ["an unknown type", { ...github, type: "ftp" }, "/type"],
    ["a parameter that is missing", { ...github, parameters: {} }, "/parameters/repository"],
    [
      "an unknown parameter",
      { ...github, parameters: { ...github.parameters, x: "" } },
      "/parameters/x",
    ],
    ["parameters of an upload", { ...github, type: "upload" }, "/parameters/repository"],
    [
      "a mask",
      { ...github, parameters: { repository: "a/b", token: "********" } },
      "/parameters/token",
    ],
    [
      "an unknown provider",
      { ...github, embedding: { providerId: "x", model: "m" } },
      "/embedding/providerId",
    ],
  ])("is refused with %s", async (_, body, pointer) => {
    const { errors } = Object(await catchProblem(create(body)));
    expect(errors).toContainEqual(expect.objectContaining({ pointer }));
  });

  test("is refused with a provider that has no embedding models", async () => {
    await createLlmProvider(
      { ...deps(), bedrockModels: ["*"] },
      { ctx: tenant.ctx, body: { id: "claude", type: "anthropic", apiKey: "k" } },
    );
    const embedding = { providerId: "claude", model: "m" };
    expect(await catchProblem(create({ ...github, embedding }))).toMatchObject({
      errors: [{ pointer: "/embedding/providerId", detail: expect.stringContaining("anthropic") }],
    });
  });

  test("that reads the assets of an agent is refused unless the agent and its revision exist", async () => {
    await tenant.createAgent("hello");
    await createRevision(tenant.deps, {
      ctx: tenant.ctx,
      agentId: "hello",
      content: RevisionContent.parse({}),
    });
    const wharf = (parameters: object) =>
      create({ id: "handbook", displayName: "Handbook", type: "wharf", parameters });
    const [agent, revision] = ["/parameters/agentId", "/parameters/revision"];
    for (const [parameters, pointer] of [
      [{}, agent],
      [{ agentId: "nobody" }, agent],
      [{ agentId: "hello", revision: "2" }, revision],
    ] as const) {
      expect(await catchProblem(wharf(parameters))).toMatchObject({ errors: [{ pointer }] });
    }
    await wharf({ agentId: "hello", revision: "1" });
    expect(await catchProblem(update({ parameters: { agentId: "nobody" } }))).toMatchObject({
      errors: [{ pointer: agent }],
    });
    expect((await read()).parameters).toEqual({ agentId: "hello", revision: "1" });
  });

  test("may take the id of an asset that only revisions name, and of no other", async () => {
    await tenant.createAgent("hello");
    const link = "https://example.com/handbook";
    const assets = [{ id: "handbook", displayName: "Named", link }];
    const revise = () =>
      createRevision(tenant.deps, {
        ctx: tenant.ctx,
        agentId: "hello",
        content: RevisionContent.parse({ assets }),
      });
    await revise();
    await create(github);
    await revise();
    expect(await read()).toMatchObject({ displayName: "Handbook", type: "github" });
    expect(await catchProblem(create(github))).toMatchObject({ slug: "conflict" });
  });

  test("that two requests change keeps both changes", async () => {
    await create(github);
    await Promise.all([update({ displayName: "A" }), update({ refresh: "daily" })]);
    expect(await read()).toMatchObject({ displayName: "A", refresh: "daily" });
  });

  test("is gone immediately when it is deleted, and its purge never reaches a new one with the same id", async () => {
    const first = await create(github);
    await remove();
    expect(await catchProblem(remove())).toMatchObject({ slug: "not-found" });
    const message = { assetId: "handbook", indexId: first.indexId, tenantId: tenantId() };
    const purging = { type: "purge-asset" as const, ...message };
    expect(tenant.sent).toEqual([purging, purging]);
    await create(github);
    const until = Number.MAX_SAFE_INTEGER;
    await purge(purging, { ...tenant.deps, clock: tenant.ctx.clock, until });
    await purge(purging, { ...tenant.deps, clock: tenant.ctx.clock, until });
    expect(await read()).toMatchObject({ type: "github" });
    expect(await catchProblem(remove())).toBeUndefined();
  });
});
