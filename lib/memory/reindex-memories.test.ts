import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testMemories } from "../../test/harness/memories.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import type { EmbeddingModel } from "../engine/models/embedding-model.ts";
import { indexName } from "../knowledge/index/index-name.ts";
import { countEmbeddings } from "../spending/usage/count-other-usage.ts";
import { putNewTenant } from "../tenancy/tenant/store.ts";
import { updateTenant } from "../tenancy/tenant/update-tenant.ts";
import { deleteMemories } from "./delete-memories.ts";
import { deleteMemory } from "./delete-memory.ts";
import { toNamespacePlace } from "./keys.ts";
import { reindexMemories } from "./reindex-memories.ts";
import { getNamespace } from "./store.ts";

const first = { providerId: "echo", model: "echo-1" };
const second = { providerId: "echo", model: "echo-2" };

describe("memories without vectors, or after a change of the embedding model", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testMemories>;
  let found: string[];
  let seen: string;

  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    world = testMemories(db, (_, request) => {
      const isQuestion = request.system?.includes("long-term memory") === true;
      if (!isQuestion) seen = JSON.stringify(request.messages);
      return isQuestion ? JSON.stringify({ facts: found }) : "Fine.";
    });
    const { ctx } = world.tenant;
    const times = { createdAt: ctx.clock(), modifiedAt: ctx.clock() };
    await putNewTenant(db, {
      ...ctx.tenant,
      slug: `t-${ctx.tenant.id}`.slice(0, 20),
      displayName: "T",
      ...times,
    });
    await world.deployWith("friend", {});
    await remember("Ada drinks tea.", "Ada lives in Kyiv.");
  });

  const remember = async (...facts: string[]) => {
    found = facts;
    await world.runTurn("friend", "ada", facts.join(" "));
    found = [];
  };
  const recall = async () => {
    await world.runTurn("friend", "ada", "Where does Ada live, in Kyiv?");
    return seen;
  };
  const place = () => toNamespacePlace(world.tenantId, "friend", "ada");
  const changeModel = (embedding: EmbeddingModel) =>
    updateTenant({ db }, { ctx: world.tenant.ctx, body: { embedding } });
  const reindex = (vectors = world.deps.vectors) =>
    reindexMemories(
      { ...world.deps, vectors, countEmbeddings },
      {
        message: { type: "reindex-memories", ...place() },
        deadline: world.tenant.ctx.clock() + 60_000,
      },
    );
  /** Numbers of vectors by model. */
  const count = () =>
    [first, second].map(
      (model) =>
        world.tenant.deps.vectors.all
          .get(indexName(world.tenantId, model))
          ?.list("", 1_000, { values: false }).length ?? 0,
    );

  test("are found again once they are embedded again, also by a repeated message", {
    tags: "nightly",
  }, async () => {
    world.tenant.deps.vectors.all.clear();
    expect(await recall()).not.toContain("Ada lives");
    await reindex();
    await reindex();
    expect(await recall()).toContain("Ada lives in Kyiv.");
    expect(count()).toEqual([2, 0]);
  });

  test("keep their model when the tenant's changes, and new namespaces have the new one", {
    tags: "nightly",
  }, async () => {
    await changeModel(second);
    await remember("Ada plays chess.");
    expect(await recall()).toContain("Ada lives in Kyiv.");
    expect(count()).toEqual([3, 0]);
    found = ["Bob rides a bicycle."];
    await world.runTurn("friend", "bob", "I ride a bicycle.");
    expect(count()).toEqual([3, 1]);
  });

  test("move to the tenant's model with every vector, and are found and added to there", {
    tags: "nightly",
  }, async () => {
    await changeModel(second);
    await reindex();
    expect(count()).toEqual([0, 2]);
    expect((await getNamespace(db, place()))?.embedding).toEqual(second);
    expect(await recall()).toContain("Ada lives in Kyiv.");
    await remember("Ada plays chess.");
    expect(count()).toEqual([0, 3]);
    const [{ id: memoryId } = { id: "" }] = await world.list("friend", "ada");
    await deleteMemory(world.deps, { tenantId: world.tenantId, agentId: "friend", memoryId });
    expect(count()).toEqual([0, 2]);
  });

  test("have no vector left of a fact, or of a namespace, that is deleted while they are embedded", {
    tags: "nightly",
  }, async () => {
    const [{ id: memoryId } = { id: "" }] = await world.list("friend", "ada");
    const during = (action: () => Promise<unknown>) => ({
      ...world.deps.vectors,
      put: async (...vectors: Parameters<typeof world.deps.vectors.put>) => {
        await action();
        await world.deps.vectors.put(...vectors);
      },
    });
    const key = { tenantId: world.tenantId, agentId: "friend" };
    await changeModel(second);
    await reindex(during(() => deleteMemory(world.deps, { ...key, memoryId })));
    expect(count()).toEqual([0, 1]);
    const { ctx } = world.tenant;
    const erase = async () => {
      await deleteMemories({ ...world.deps, runtime: ctx }, { ...key, namespace: "ada" });
      await world.clean();
    };
    await reindex(during(erase));
    await world.clean();
    expect(count()).toEqual([0, 0]);
    expect(await world.countItems()).toBe(0);
  });

  test("get no fact of the earlier model from a turn that is stored while they move", {
    tags: "nightly",
  }, async () => {
    await changeModel(second);
    found = ["Ada plays chess."];
    const input = { user: "ada", said: "I play chess." };
    await world.executeToEnd("friend", { input }, world.deps);
    const [message] = world.asked.splice(0);
    if (!message) throw new Error("nothing was asked");
    let hasMoved = false;
    await world.remember(message, {
      ...world.deps,
      vectors: {
        ...world.deps.vectors,
        put: async (...vectors) => {
          await world.deps.vectors.put(...vectors);
          if (!hasMoved) await reindex();
          hasMoved = true;
        },
      },
    });
    expect(await world.texts("friend", "ada")).toContain("Ada plays chess.");
    expect((await getNamespace(db, place()))?.embedding).toEqual(second);
    expect(count()).toEqual([0, 3]);
  });
});
