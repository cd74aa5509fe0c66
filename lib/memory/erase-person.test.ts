import { beforeAll, describe, expect, test } from "vitest";
import { testMemories } from "../../test/harness/memories.ts";
import { type TestDatabase, testDatabase } from "../../test/harness/table.ts";
import { listSessions } from "../executions/session/read-sessions.ts";
import { eraseEndUser } from "./erase-person.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const agent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      {
        id: "ask",
        type: "Prompt",
        prompt: "{% input.message %}",
        memory: { namespace: "everybody" },
      },
    ],
    edges: [],
  },
  useSession: true,
};
const long = Array.from({ length: 4_000 }, () => Math.random().toString(36)).join(" ");

/** Starts an agent with a model that keeps each sentence of a prompt. `held`: calls wait for it, by kind. */
const start = async () => {
  const held = new Map<"answer" | "facts", Promise<void>>();
  const reached = new Set<"answer" | "facts">();
  const world = testMemories(db, async (_prompt, { system, messages }) => {
    const isForFacts = system?.includes("long-term memory") === true;
    const what = isForFacts ? "facts" : "answer";
    if (held.has(what)) reached.add(what);
    await held.get(what);
    const text = JSON.stringify(messages);
    if (isForFacts) return JSON.stringify({ facts: text.match(/My name is \w+/g) ?? [] });
    return text.includes("everything") ? long : "Noted.";
  });
  await world.deploy("host", agent);
  const { tenant, tenantId, deps } = world;
  const say = (message: string, session: object) =>
    world.executeToEnd("host", { input: { message }, session }, deps);
  const rememberAll = async () => {
    for (const asked of world.asked.splice(0)) await world.remember(asked);
  };
  const erase = (endUserId: string, withDeps: object = {}) => {
    tenant.advance(1);
    return eraseEndUser(
      { ...deps, runtime: tenant.ctx, ...withDeps },
      { tenantId, agentId: "host", endUserId },
    );
  };
  /** Everything of the sessions and the memories of the tenant. */
  const count = async () => {
    const items = (await db.scan()).filter(({ pk }) => String(pk).includes(tenantId));
    const ofSessions = items.filter(({ pk }) => String(pk).includes("#SESSIONS#"));
    return {
      sessions: ofSessions.filter(({ version }) => version !== undefined).length,
      turns: ofSessions.filter(({ number }) => number !== undefined).length,
      objects: [...tenant.deps.objects.all.keys()].filter((name) => name.includes("/sessions/"))
        .length,
      facts: await world.countItems(),
      vectors: world.countVectors(),
    };
  };
  const countTombstones = async () =>
    (await db.scan()).filter(
      ({ pk, sk }) => String(pk).includes(tenantId) && String(sk).startsWith("DELETED#"),
    ).length;
  /** Does what queues do of a deletion, and again when nothing of before it runs any more. */
  const purge = async () => {
    await world.clean();
    for (let round = 0; round < 2; round += 1) {
      tenant.advance(900_001);
      await world.clean();
    }
  };
  const listed = async (endUserId: string) => {
    const principal = { ...tenant.ctx.principal };
    const now = tenant.ctx.clock();
    const read = { tenantId, agentId: "host", principal, endUserId, now };
    return (await listSessions(db, read, { size: 50, skip: 0 })).items.map(({ id }) => id);
  };
  /** Resolves when a call of the model is held. */
  const untilHeld = (what: "answer" | "facts") =>
    expect.poll(() => reached.has(what), { timeout: 10_000 }).toBe(true);
  /** Holds calls of the model until they are released. */
  const hold = (what: "answer" | "facts") => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(what, promise);
    return () => {
      held.delete(what);
      resolve();
    };
  };
  return {
    ...world,
    say,
    rememberAll,
    erase,
    count,
    countTombstones,
    purge,
    listed,
    hold,
    untilHeld,
  };
};

const nothing = { sessions: 0, turns: 0, objects: 0, facts: 0, vectors: 0 };

/** Has a session of two turns, one of them large, and a fact. */
const talk = async (
  { say, rememberAll, tenant }: Awaited<ReturnType<typeof start>>,
  user: string,
) => {
  await say(`My name is ${user}`, { id: `${user}-1`, endUserId: user });
  tenant.advance(1);
  await say("Tell me everything", { id: `${user}-1` });
  tenant.advance(1);
  await rememberAll();
};

describe("the deletion of an end user", () => {
  test("leaves no session, turn, object, fact or vector of them, and those of others in the same namespace", async () => {
    const world = await start();
    for (const user of ["ada", "bob"]) await talk(world, user);
    const ofOne = { sessions: 1, turns: 2, objects: 1, facts: 1, vectors: 1 };
    expect(await world.count()).toEqual({
      sessions: 2,
      turns: 4,
      objects: 2,
      facts: 2,
      vectors: 2,
    });
    await world.erase("ada");
    expect([await world.listed("ada"), await world.listed("bob")]).toEqual([[], ["bob-1"]]);
    await world.purge();
    expect(await world.count()).toEqual(ofOne);
    expect(await world.texts("host", "everybody")).toEqual(["My name is bob"]);
    expect(await world.countTombstones()).toBe(0);
  });

  test("has facts of a request that did not repeat the end user of its session", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.say("Hello", { id: "one", endUserId: "ada" });
    world.tenant.advance(1);
    await world.say("My name is Ada", { id: "one" });
    await world.rememberAll();
    expect(await world.count()).toMatchObject({ facts: 1, vectors: 1 });
    await world.erase("ada");
    await world.purge();
    expect(await world.count()).toEqual(nothing);
  });

  test("has what a run says that ends later, and the runs that waited for it", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.say("Hello", { id: "one", endUserId: "ada" });
    world.tenant.advance(1);
    const release = world.hold("answer");
    const running = world.say("My name is Ada", { id: "one" });
    await world.untilHeld("answer");
    const body = { input: { message: "My name is Ada Lovelace" }, session: { id: "one" } };
    await world.execute("host", body, 0, world.deps);
    await world.erase("ada");
    // Nothing is looked for any more when they end.
    await world.purge();
    release();
    await running;
    await world.work(world.deps);
    expect(world.asked).toHaveLength(3);
    await world.rememberAll();
    expect(await world.count()).toEqual(nothing);
    expect(await world.countTombstones()).toBe(0);
  });

  test("has facts that a model is asked for after it, or is just asked for", {
    tags: "nightly",
  }, async () => {
    const world = await start();
    await world.say("My name is Ada", { id: "one", endUserId: "ada" });
    world.tenant.advance(1);
    await world.say("My name is Eva", { id: "two", endUserId: "ada" });
    const [first, second] = world.asked.splice(0);
    if (!first || !second) throw new Error("no facts are asked for");
    const release = world.hold("facts");
    const extracting = world.remember(first);
    await world.untilHeld("facts");
    await world.erase("ada");
    await world.purge();
    release();
    await extracting;
    await world.remember(second);
    expect(await world.count()).toEqual(nothing);
  });

  test("leaves what they say after it", { tags: "nightly" }, async () => {
    const world = await start();
    await talk(world, "ada");
    await world.erase("ada");
    await world.clean();
    world.tenant.advance(1);
    await world.say("My name is Ada again", { id: "ada-1", endUserId: "ada" });
    await world.rememberAll();
    const ofOne = { sessions: 1, turns: 1, objects: 0, facts: 1, vectors: 1 };
    expect(await world.count()).toEqual(ofOne);
    await world.purge();
    expect(await world.count()).toEqual(ofOne);
  });

  test("is finished by the queue when the call ends halfway, or the purge fails at any call", {
    tags: "nightly",
  }, async () => {
    const commands = ["Query", "BatchGetItem", "TransactWriteItems", "BatchWriteItem"];
    for (const command of commands) {
      const world = await start();
      await talk(world, "ada");
      db.failNext("BatchGetItem");
      await world.erase("ada");
      db.clearFailures();
      const left: boolean[] = [];
      for (let nth = 0; nth < 3; nth += 1) {
        const messages = [...world.housekeeping];
        db.failNext(command, nth);
        await world.clean().catch(() => world.housekeeping.unshift(...messages));
        left.push(db.clearFailures());
      }
      expect([command, left]).toEqual([command, expect.arrayContaining([false])]);
      await world.purge();
      expect([command, await world.count()]).toEqual([command, nothing]);
      expect(await world.countTombstones()).toBe(0);
    }
  });

  test("of an agent that does not exist is not found", async () => {
    const world = await start();
    await expect(
      eraseEndUser(
        { ...world.deps, runtime: world.tenant.ctx },
        { tenantId: world.tenantId, agentId: "nobody", endUserId: "ada" },
      ),
    ).rejects.toMatchObject({ slug: "not-found" });
  });
});
