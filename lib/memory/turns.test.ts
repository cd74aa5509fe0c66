import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testMemories } from "../../test/harness/memories.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { readTrace } from "../executions/read/read-execution.ts";
import { defaultRetention } from "../tenancy/tenant/retention.ts";
import { deleteMemories } from "./delete-memories.ts";
import { deleteMemory } from "./delete-memory.ts";
import { expireMemories } from "./expire-memories.ts";
import { toNamespacePlace } from "./keys.ts";
import { factDays } from "./limits.ts";
import { showMemories } from "./show-memories.ts";
import { getNamespace } from "./store.ts";

const dayMs = 86_400_000;

describe("a turn", () => {
  let db: TestDatabase;
  let world: ReturnType<typeof testMemories>;
  let found: string[];

  beforeAll(async () => {
    db = await testDatabase();
  });
  beforeEach(async () => {
    world = testMemories(db, (_, { system }) =>
      system?.includes("long-term memory") ? JSON.stringify({ facts: found }) : "Fine.",
    );
    await world.deployWith("friend", {});
    found = ["Ada drinks tea."];
  });

  const agent = () => ({ tenantId: world.tenantId, agentId: "friend" });
  const erase = async () => {
    world.tenant.advance(1);
    const { ctx } = world.tenant;
    await deleteMemories({ ...world.deps, runtime: ctx }, { ...agent(), namespace: "ada" });
    await world.clean();
  };
  const runTurn = (said: string) => world.runTurn("friend", "ada", said);
  /** Returns the message that asks for a turn to be remembered. */
  const speak = async (said: string) => {
    world.tenant.advance(1);
    await world.executeToEnd("friend", { input: { user: "ada", said } }, world.deps);
    const [message] = world.asked.splice(0);
    if (!message) throw new Error("nothing was asked");
    return message;
  };
  /** Dependencies with an action after the first vectors are written, before the facts are. */
  const afterVectors = (action: () => Promise<unknown>) => {
    let isDone = false;
    const put: typeof world.deps.vectors.put = async (...vectors) => {
      await world.deps.vectors.put(...vectors);
      if (isDone) return;
      isDone = true;
      await action();
    };
    return { ...world.deps, vectors: { ...world.deps.vectors, put } };
  };

  test("leaves nothing in a namespace that is erased, and purged, while it is stored", {
    tags: "nightly",
  }, async () => {
    await runTurn("I drink tea.");
    found = ["Ada plays chess."];
    const message = await speak("I play chess.");
    await world.remember(message, afterVectors(erase));
    expect([await world.countItems(), world.countVectors()]).toEqual([0, 0]);
  });

  test("is stored once by concurrent copies of its message: a fact that was deleted after the first one stays deleted", {
    tags: "nightly",
  }, async () => {
    const message = await speak("I drink tea.");
    const storeAndDelete = async () => {
      await world.remember(message);
      const [{ id: memoryId } = { id: "" }] = await world.list("friend", "ada");
      await deleteMemory(world.deps, { ...agent(), memoryId });
    };
    await world.remember(message, afterVectors(storeAndDelete));
    expect(await world.texts("friend", "ada")).toEqual([]);
    expect([await world.countItems(), world.countVectors()]).toEqual([0, 0]);
  });

  test("is found, though a job saw its namespace without facts before", {
    tags: "nightly",
  }, async () => {
    await runTurn("I drink tea.");
    world.tenant.advance((factDays + 1) * dayMs);
    found = ["Ada plays chess."];
    db.beforeNext("UpdateItem", () => runTurn("I play chess."));
    const { ctx } = world.tenant;
    await expireMemories({ ...world.deps, runtime: ctx }, ctx.clock() + 1e9);
    const place = toNamespacePlace(world.tenantId, "friend", "ada");
    expect(await getNamespace(db, place)).toMatchObject({ hasFacts: true, writes: 2 });
  });

  test("of an erased namespace is in the trace of its execution alone, with the texts of its facts, until that expires", {
    tags: "nightly",
  }, async () => {
    const { executionId } = await runTurn("I drink tea.");
    await erase();
    const kept = (await db.scan()).filter(
      (item) =>
        String(item.pk).includes(world.tenantId) && JSON.stringify(item).includes("drinks tea"),
    );
    const prefix = `EXEC#${executionId}#MEMORY#`;
    expect(kept.map(({ sk }) => String(sk).slice(0, prefix.length))).toEqual([prefix]);
    const { item } = await world.read("friend", executionId);
    const expiry = (item.startTime + defaultRetention.traceDays * dayMs) / 1_000;
    expect(Math.abs(Number(kept[0]?.ttl) - expiry)).toBeLessThanOrEqual(1);
    const key = { ...agent(), executionId };
    const { spans } = await readTrace(world.deps, { ...key, now: world.tenant.ctx.clock() });
    expect((await showMemories(db, key, spans)).at(-1)?.output).toMatchObject({
      facts: [{ text: "Ada drinks tea." }],
    });
  });
});
