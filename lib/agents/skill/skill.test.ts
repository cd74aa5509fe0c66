import { beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { responseBytes } from "../../platform/http/response-size.ts";
import { bounds } from "./bounds.ts";
import { createSkill } from "./create-skill.ts";
import { listSkills } from "./list-skills.ts";
import { skillRegistry } from "./registry.ts";
import { CreateSkillBody, UpdateSkillBody } from "./schemas.ts";
import { getSkill, removeSkill } from "./store.ts";
import { updateSkill } from "./update-skill.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const setUp = () => {
  const { ctx, deps, advance } = testTenant(db);
  const tenantId = ctx.tenant.id;
  return {
    tenantId,
    advance,
    create: (input: object) =>
      createSkill(deps, { ctx, body: CreateSkillBody.parse({ ...sample, ...input }) }),
    update: (skillId: string, body: object) =>
      updateSkill(deps, { ctx, skillId, body: UpdateSkillBody.parse(body) }),
    list: (size: number, skip = 0) => listSkills(db, tenantId, { size, skip }),
  };
};

const sample = { id: "travel", displayName: "Travel", description: "Plans journeys." };
const largest = {
  displayName: "é".repeat(bounds.displayName),
  description: "日".repeat(bounds.description),
  instructions: "x".repeat(bounds.instructionsBytes),
  tools: Array.from({ length: 100 }, (_, at) => ({ integrationId: "i".repeat(128), id: `${at}` })),
  resources: Array.from({ length: 500 }, (_, at) => ({
    assetId: `${at}`,
    description: "d".repeat(60),
  })),
};

describe("a skill", () => {
  test("has null for omitted members, and is custom", async () => {
    const { create, tenantId } = setUp();
    const skill = await create({});
    expect(skill).toMatchObject({ ...sample, type: 0, instructions: null, tools: null });
    expect(skill).toMatchObject({ resources: null, modifiedAt: skill.createdAt });
    expect(await getSkill(db, tenantId, "travel")).toEqual(skill);
  });

  test("is created once by concurrent requests with the same id", async () => {
    const { create, tenantId } = setUp();
    const tries = ["a", "b", "c"].map((displayName) => create({ displayName }));
    const ended = await Promise.allSettled(tries);
    const created = ended.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );
    expect(created).toEqual([await getSkill(db, tenantId, "travel")]);
    for (const outcome of ended) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ slug: "conflict" });
    }
  });

  test("of the maximum size can be stored, and is replaced as a whole", {
    tags: "nightly",
  }, async () => {
    const { create, update, tenantId } = setUp();
    const skill = await create(largest);
    expect(await getSkill(db, tenantId, "travel")).toEqual(skill);
    const again = await update("travel", largest);
    expect(again).toEqual({ ...skill, modifiedAt: again.modifiedAt });
  });

  test.each([
    ["instructions", { instructions: `${largest.instructions}x` }],
    ["instructions, in bytes", { instructions: "é".repeat(bounds.instructionsBytes / 2 + 1) }],
    ["tools", { tools: [...largest.tools, { integrationId: "a", id: "b" }] }],
    ["resources", { resources: [...largest.resources, { assetId: "a" }] }],
    [
      "resources, in bytes",
      { resources: Array(20).fill({ assetId: "a", description: "d".repeat(4_000) }) },
    ],
    ["description", { description: "x".repeat(bounds.description + 1) }],
    ["half characters", { displayName: "\ud800" }],
  ])("is rejected with too much, or none, of its %s", (_, more) => {
    expect(CreateSkillBody.safeParse({ ...sample, ...more }).success).toBe(false);
    expect(UpdateSkillBody.safeParse(more).success).toBe(false);
  });

  test("changes only the members that are sent; null clears them", async () => {
    const { create, update, advance } = setUp();
    const before = await create({
      instructions: "Plan.",
      tools: [],
      resources: [{ assetId: "a" }],
    });
    advance(5);
    const after = await update("travel", { displayName: "Trips", instructions: null });
    expect(after).toEqual({
      ...before,
      displayName: "Trips",
      instructions: null,
      modifiedAt: before.modifiedAt + 5,
    });
    advance(5);
    expect(await update("travel", {})).toEqual(after);
  });

  test("is not restored by an update after its deletion", async () => {
    const { create, update, tenantId } = setUp();
    await create({});
    expect(await removeSkill(db, tenantId, "travel")).toBe(true);
    expect(await removeSkill(db, tenantId, "travel")).toBe(false);
    for (const body of [{ displayName: "Trips" }, {}]) {
      await expect(update("travel", body)).rejects.toMatchObject({ slug: "not-found" });
    }
    expect(await getSkill(db, tenantId, "travel")).toBeUndefined();
  });

  test("names assets only for a caller who may read them, when it is created and when they change", async () => {
    const { ctx, deps } = testTenant(db);
    const as = (...scopes: string[]) => ({ ...ctx, principal: { ...ctx.principal, scopes } });
    const body = { ...sample, resources: [{ assetId: "a", description: "", vectorized: true }] };
    const { resources } = body;
    const refusal = { slug: "insufficient-scope", members: { requiredScope: "assets:read" } };
    await expect(createSkill(deps, { ctx: as("skills:write"), body })).rejects.toMatchObject(
      refusal,
    );
    expect(await getSkill(db, ctx.tenant.id, "travel")).toBeUndefined();
    await createSkill(deps, { ctx: as("skills:write"), body: { ...body, resources: null } });
    const change = { skillId: "travel", body: { resources } };
    await expect(updateSkill(deps, { ctx: as("skills:write"), ...change })).rejects.toMatchObject(
      refusal,
    );
    const may = as("skills:write", "assets:read");
    expect(await updateSkill(deps, { ctx: may, ...change })).toMatchObject({ resources });
    const removal = { skillId: "travel", body: { resources: null } };
    expect(await updateSkill(deps, { ctx: as("skills:write"), ...removal })).toMatchObject({
      resources: null,
    });
  });

  test("belongs to one tenant", async () => {
    const [one, other] = [setUp(), setUp()];
    await one.create({});
    expect(await getSkill(db, other.tenantId, "travel")).toBeUndefined();
    expect((await other.list(5)).items).toEqual([]);
  });
});

describe("the list", () => {
  test("pages through all skills once, ordered by id", { tags: "nightly" }, async () => {
    const { create, list } = setUp();
    const ids = [
      "a",
      "a-b",
      "a.b",
      "a0",
      "aA",
      "a_b",
      "aa",
      ...Array.from({ length: 25 }, (_, at) => `z${at}`),
    ];
    for (const id of ids) await create({ id });
    for (const size of [1, 3, 11, 31, 32, 200]) {
      const seen: string[] = [];
      let token: string | null = "0";
      while (token !== null) {
        const page = await list(size, Number(token));
        expect(page.items.length).toBeLessThanOrEqual(size);
        seen.push(...page.items.map(({ id }) => id));
        token = page.nextPageToken;
      }
      expect(seen, `pages of ${size}`).toEqual(ids.toSorted());
    }
    expect(await list(5, 2_147_483_647)).toEqual({ items: [], nextPageToken: null });
  });

  test("ends a page before it exceeds the maximum response, and continues there", {
    tags: "nightly",
  }, async () => {
    const { create, list } = setUp();
    const ids = Array.from({ length: 30 }, (_, at) => `s${100 + at}`);
    for (const id of ids) await create(Number(id.slice(1)) < 112 ? { id } : { ...largest, id });
    const first = await list(200);
    expect(first.items.length).toBeLessThan(ids.length);
    expect(first.nextPageToken).toBe(String(first.items.length));
    expect(responseBytes(first)).toBeLessThan(6_291_556);
    const second = await list(200, first.items.length);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second.nextPageToken).toBeNull();
  });

  test("costs two reads for small skills", async () => {
    const { create, list } = setUp();
    for (let at = 0; at < 40; at += 1) await create({ id: `s${at}` });
    db.calls.length = 0;
    expect((await list(40)).items).toHaveLength(40);
    expect(db.calls).toEqual(["Query", "Query"]);
  });
});

describe("the registry", () => {
  test("provides a Prompt step with the current skill", async () => {
    const { create, update, tenantId } = setUp();
    await create({});
    const resolve = () => skillRegistry({ db }, tenantId).resolve("travel");
    expect(await resolve()).toMatchObject({ instructions: null, tools: [], resources: [] });
    const tools = [{ integrationId: "system", id: "calculate" }];
    const resources = [{ assetId: "a", description: "A", vectorized: true }];
    await update("travel", { instructions: "Plan.", tools, resources });
    expect(await resolve()).toMatchObject({ instructions: "Plan.", tools, resources });
  });

  test("reads a skill once for a run, and again after a failed read", async () => {
    const { create, update, tenantId } = setUp();
    await create({});
    const skills = skillRegistry({ db }, tenantId);
    db.calls.length = 0;
    const [first] = await Promise.all([skills.resolve("travel"), skills.resolve("travel")]);
    expect(db.calls).toEqual(["GetItem"]);
    await update("travel", { instructions: "Plan." });
    expect(await skills.resolve("travel")).toEqual(first);
    db.failNext("GetItem");
    const others = skillRegistry({ db }, tenantId);
    await expect(others.resolve("travel")).rejects.toThrow();
    expect(await others.resolve("travel")).toMatchObject({ instructions: "Plan." });
  });

  test("finds no skill for an invalid id", async () => {
    const { tenantId } = setUp();
    const skills = skillRegistry({ db }, tenantId);
    for (const id of ["nobody", "a/b", "x".repeat(5_000)]) {
      expect(await skills.resolve(id)).toBeUndefined();
    }
  });
});
