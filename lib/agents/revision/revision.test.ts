import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import { withCompanions } from "../../platform/db/companion-writes.ts";
import { mask } from "../../platform/http/mask.ts";
import { deleteAgent } from "../agent/delete-agent.ts";
import { getAgent, replaceWithTombstone } from "../agent/store.ts";
import { CreateRevisionBody, RevisionContent } from "./content.ts";
import { createRevision } from "./create-revision.ts";
import { deployRevision } from "./deploy-revision.ts";
import { getRevision } from "./get-revision.ts";
import { revisionLoader } from "./load-revision.ts";
import { listRevisionsNewestFirst } from "./store.ts";

const body = (content: unknown = {}) => RevisionContent.parse(content);
const uses = (...agentIds: string[]) =>
  body({ subAgents: agentIds.map((agentId) => ({ id: `use-${agentId}`, agentId })) });

describe("revisions", () => {
  let db: TestDatabase;
  let tenant: ReturnType<typeof testTenant>;

  beforeAll(async () => {
    db = await testDatabase();
  });

  beforeEach(async () => {
    tenant = testTenant(db);
    await tenant.createAgent("hello");
  });

  const create = (content = body(), agentId = "hello") =>
    createRevision(tenant.deps, { ctx: tenant.ctx, agentId, content });
  const deploy = (revision: number, agentId = "hello") =>
    deployRevision(tenant.deps, { ctx: tenant.ctx, agentId, revision });
  const read = (revision: number) =>
    getRevision(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId: "hello", revision });

  test("created fifteen at a time are numbered 1 to 15, without gaps", {
    tags: "nightly",
  }, async () => {
    const created = await Promise.all(Array.from({ length: 15 }, () => create()));
    const numbers = created.map((revision) => revision.agentRevision).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
    const list = await listRevisionsNewestFirst(db, tenant.ctx.tenant.id, "hello", {
      size: 50,
      skip: 0,
    });
    expect(list.items.map((item) => item.agentRevision)).toEqual(numbers.toReversed());
    expect((await getAgent(db, tenant.ctx.tenant.id, "hello"))?.latestRevision).toBe(15);
  });

  test("leave neither a revision nor a gap when a write fails", async () => {
    db.failNext("TransactWriteItems");
    await expect(create()).rejects.toThrow("planned failure");
    await expect(read(1)).rejects.toMatchObject({ slug: "not-found" });
    expect((await create()).agentRevision).toBe(1);
  });

  test("with as many assets as one transaction can write leave their audit record with the revision itself", {
    tags: "nightly",
  }, async () => {
    const recorded: unknown[] = [];
    const record = (at: number) => ({ Put: { Item: { pk: tenant.ctx.tenant.id, sk: `${at}` } } });
    const recording = withCompanions(db, (writes) => {
      recorded.push(...writes.flatMap(({ Put }) => Put?.Item?.agentRevision ?? []));
      return [record(1), record(2)];
    });
    const assets = Array.from({ length: 49 }, (_, at) => ({
      id: `asset-${at}`,
      link: "https://example.com/",
    }));
    const content = CreateRevisionBody.parse({ assets });
    const deps = { ...tenant.deps, db: recording };
    await createRevision(deps, { ctx: tenant.ctx, agentId: "hello", content });
    expect(recorded).toEqual([1]);
  });

  test("are read as they were sent, whether or not they fit in an item", {
    tags: "nightly",
  }, async () => {
    const noise = randomBytes(600_000).toString("base64");
    const small = body({
      comment: "first",
      llmConfigs: [{ providerId: "echo", parameters: { a: 1 } }],
    });
    const large = body({ flow: { steps: [{ id: "a", type: "Output", value: noise }], edges: [] } });
    await create(small);
    await create(large);
    expect(await read(1)).toEqual({ agentId: "hello", agentRevision: 1, ...small });
    expect(await read(2)).toEqual({ agentId: "hello", agentRevision: 2, ...large });
    expect(tenant.deps.objects.all.size).toBe(1);
  });

  test("report all errors together, with pointers into the body", async () => {
    const wrong = body({
      flow: { steps: [{ id: "a", type: "Nonsense" }], edges: [{ source: "a", target: "b" }] },
      parametersMetadata: [
        { name: "x", type: "String" },
        { name: "x", type: "String" },
      ],
      subAgents: [{ id: "me", agentId: "hello" }],
    });
    await expect(create(wrong)).rejects.toMatchObject({
      slug: "validation-failed",
      members: {
        errors: expect.arrayContaining([
          expect.objectContaining({ pointer: "/flow/steps/0/type" }),
          expect.objectContaining({ pointer: "/flow/edges/0/target" }),
          expect.objectContaining({ pointer: "/parametersMetadata/1/name" }),
          expect.objectContaining({ pointer: "/subAgents/0/agentId" }),
        ]),
      },
    });
  });

  test("set owner and creation time of connectors and job policies, whatever was sent", async () => {
    const id = "0193f0a0-7c4b-7000-8000-000000000001";
    const content = (agentId: string | null, createdAt: number | null) =>
      body({
        connectors: [{ id, provider: "slack", agentId, agentRevision: null, createdAt }],
        jobPolicyConfigs: [{ id, scheduleFrequency: "hourly", agentId, tenantId: null, createdAt }],
      });
    await create(content(null, null));
    const now = tenant.ctx.clock();
    tenant.advance(1_000);
    const place = { agentId: "hello", agentRevision: 2 };
    const times = { createdAt: now, modifiedAt: now + 1_000 };
    const second = await create(content("another", now));
    expect(second).toMatchObject({
      connectors: [{ id, ...place, ...times }],
      jobPolicyConfigs: [{ id, ...place, ...times, tenantId: tenant.ctx.tenant.id }],
    });
    expect({ ...(await read(2)), warnings: [] }).toEqual(second);
  });

  describe("secrets", () => {
    const secretive = (value: string, others: object = {}) =>
      body({
        parametersMetadata: [{ name: "token", type: "String", secret: true, defaultValue: value }],
        ...others,
      });
    const integration = (password: string) => ({
      integrationConfigs: [
        {
          id: "0193f0a0-7c4b-7000-8000-000000000001",
          integrationId: "github",
          auth: { integrationAuthMetadataId: "basic", parameters: { password } },
        },
      ],
    });

    test("are never returned, and are never stored in plain text", async () => {
      const created = await create(secretive("hunter2-default", integration("hunter2-password")));
      const shown = JSON.stringify([created, await read(1)]);
      expect(shown).not.toContain("hunter2");
      expect(shown.match(/\*{8}/g)).toHaveLength(4);
      const stored = (await db.scan()).flatMap((item) =>
        Object.values(item).map((value) =>
          value instanceof Uint8Array
            ? Buffer.from(value).toString("latin1")
            : JSON.stringify(value),
        ),
      );
      expect(stored.join()).not.toContain("hunter2");
    });

    test("of a connector are masked at any depth, and kept by sending their masks", async () => {
      const connectorWith = (botToken: string) =>
        body({
          connectors: [
            {
              id: "0193f0a0-7c4b-7000-8000-000000000001",
              name: "c",
              provider: "slack",
              parameters: {
                channel: "C1",
                Authorization: "Bearer xoxb-1",
                auth: { botToken, hosts: ["a.example.com"] },
                signing: ["s1", { key: "s2" }],
              },
            },
          ],
        });
      const masked = {
        channel: "C1",
        Authorization: mask,
        auth: { botToken: mask, hosts: ["a.example.com"] },
        signing: [mask, { key: mask }],
      };
      const { connectors } = await create(connectorWith("xoxb-2"));
      expect(connectors[0]?.parameters).toEqual(masked);
      const stored = JSON.stringify(await db.scan());
      expect(stored).not.toContain("xoxb-");
      await expect(create(connectorWith(mask))).resolves.toBeDefined();
    });

    test("of more than 48 KB are refused", async () => {
      await expect(create(secretive("x".repeat(50_000)))).rejects.toMatchObject({
        slug: "validation-failed",
      });
    });

    test("are kept by sending their masks, next to new ones", async () => {
      await create(secretive("kept", integration("old")));
      await create(secretive(mask, integration("new")));
      const loader = revisionLoader({ ...tenant.deps, tools: createToolRegistry() });
      const agent = await getAgent(db, tenant.ctx.tenant.id, "hello");
      const loaded = agent && (await loader(tenant.ctx.tenant.id, agent, 2));
      expect(loaded?.content.parametersMetadata[0]?.defaultValue).toBe("kept");
      expect(loaded?.content.integrationConfigs[0]?.auth?.parameters).toEqual({ password: "new" });
    });

    test("a mask without a stored secret is refused with a pointer", async () => {
      await expect(create(secretive(mask))).rejects.toMatchObject({
        members: {
          errors: [expect.objectContaining({ pointer: "/parametersMetadata/0/defaultValue" })],
        },
      });
    });

    test("are decrypted once per instance, when the revision is loaded", async () => {
      await create(secretive("x"));
      const loader = revisionLoader({ ...tenant.deps, tools: createToolRegistry() });
      const agent = await getAgent(db, tenant.ctx.tenant.id, "hello");
      if (!agent) throw new Error("the agent is gone");
      const first = await loader(tenant.ctx.tenant.id, agent, 1);
      db.calls.length = 0;
      expect(await loader(tenant.ctx.tenant.id, agent, 1)).toBe(first);
      expect(db.calls).toEqual([]);
      expect(tenant.deps.sealer.opened).toBe(1);
    });
  });

  describe("deployment", () => {
    test("records the user and the time; deploying an older revision rolls back", async () => {
      await create();
      await create();
      expect((await deploy(2)).deployedRevision).toBe(2);
      tenant.advance(1_000);
      expect((await deploy(1)).deployedRevision).toBe(1);
      const { items } = await listRevisionsNewestFirst(db, tenant.ctx.tenant.id, "hello", {
        size: 2,
        skip: 0,
      });
      expect(items[1]).toMatchObject({ deployedBy: "admin", deployedAt: tenant.ctx.clock() });
    });

    test("of a revision that does not exist returns 404", async () => {
      await expect(deploy(1)).rejects.toMatchObject({ slug: "not-found" });
    });

    test("with a sub-agent that does not exist returns 409 and changes nothing", async () => {
      await tenant.createAgent("ghost");
      await create(uses("ghost"));
      await deleteAgent(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId: "ghost" });
      await expect(deploy(1)).rejects.toMatchObject({
        slug: "conflict",
        message: expect.stringContaining("ghost"),
      });
      expect((await getAgent(db, tenant.ctx.tenant.id, "hello"))?.deployedRevision).toBeNull();
    });

    test("that would create a cycle of agents returns 409 with the cycle", async () => {
      await tenant.createAgent("middle");
      await tenant.createAgent("last");
      const step = (agentId: string) =>
        body({
          flow: { steps: [{ id: "call", type: "SubAgent", agentId, input: {} }], edges: [] },
        });
      await create(step("middle"));
      await create(step("last"), "middle");
      await create(step("hello"), "last");
      await deploy(1);
      await deploy(1, "middle");
      await expect(deploy(1, "last")).rejects.toMatchObject({
        slug: "conflict",
        message: expect.stringContaining("last → hello → middle → last"),
      });
      expect((await getAgent(db, tenant.ctx.tenant.id, "last"))?.deployedRevision).toBeNull();
    });

    test("an agent that is a sub-agent cannot be deleted while another agent uses it", async () => {
      await tenant.createAgent("helper");
      await create(uses("helper"));
      await create();
      await deploy(1);
      const remove = (id: string) =>
        deleteAgent(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId: id });
      await expect(remove("helper")).rejects.toMatchObject({
        slug: "conflict",
        message: expect.stringContaining("hello"),
      });
      await deploy(2);
      await remove("helper");
      expect(await getAgent(db, tenant.ctx.tenant.id, "helper")).toBeUndefined();
    });

    test("deleting the agent that uses it allows deleting a sub-agent", async () => {
      await tenant.createAgent("helper");
      await create(uses("helper"));
      await deploy(1);
      await deleteAgent(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId: "hello" });
      await deleteAgent(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId: "helper" });
    });

    test("fails if a sub-agent is deleted between its check and its write", async () => {
      await tenant.createAgent("helper");
      await create(uses("helper"));
      const looked = await getAgent(db, tenant.ctx.tenant.id, "helper");
      if (!looked) throw new Error("the agent is gone");
      await deploy(1);
      expect(await replaceWithTombstone(db, tenant.ctx.tenant.id, looked)).toBe("changed");
      expect(await getAgent(db, tenant.ctx.tenant.id, "helper")).toBeDefined();
    });

    test("racing a deletion never leaves a deployed agent with a deleted sub-agent", {
      tags: "nightly",
    }, async () => {
      for (let round = 0; round < 8; round += 1) {
        const [user, helper] = [`user-${round}`, `helper-${round}`];
        await tenant.createAgent(user);
        await tenant.createAgent(helper);
        await create(uses(helper), user);
        const [deployed, deleted] = await Promise.allSettled([
          deploy(1, user),
          deleteAgent(tenant.deps, { tenantId: tenant.ctx.tenant.id, agentId: helper }),
        ]);
        expect([deployed.status, deleted.status].sort()).toEqual(["fulfilled", "rejected"]);
      }
    });
  });
});
