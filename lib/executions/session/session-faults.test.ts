import { beforeAll, describe, expect, test } from "vitest";
import { chat, startSession } from "../../../test/harness/session.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { getSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const commands = [
  "TransactWriteItems",
  "GetItem",
  "Query",
  "BatchGetItem",
  "UpdateItem",
  "PutItem",
];

describe("a single failure of storage", () => {
  /** Runs the executions that are left, after crashes. */
  const settle = async ({ work, recover, tenant }: Awaited<ReturnType<typeof startSession>>) => {
    for (let round = 0; round < 5; round += 1) {
      await work().catch(() => undefined);
      tenant.advance(150_000);
      await recover();
    }
    await work();
  };

  test.each(commands)(
    "of any %s of a start or an end loses, doubles and reorders no turn, and frees the session",
    { tags: "nightly", timeout: 60_000 },
    async (command) => {
      for (let passing = 0; passing < 12; passing += 1) {
        const world = await startSession(db);
        const started: string[] = [];
        db.failNext(command, passing);
        for (const text of ["one", "two", "three"]) {
          const isStarted = await world
            .runTurn(text, { id: "s" }, text === "one" ? undefined : 0)
            .then(
              () => true,
              () => false,
            );
          if (isStarted) started.push(text);
          await world.work().catch(() => undefined);
        }
        const isUnfailed = db.clearFailures();
        await settle(world);
        const records = await world.list("a");
        expect(records.map(({ status }) => status)).toEqual(records.map(() => "Succeeded"));
        const userLines = (await world.lines()).filter((line) => line.startsWith("user: "));
        const texts = userLines.map((line) => line.slice("user: ".length));
        expect(texts).toHaveLength(records.length);
        expect(texts.filter((text) => started.includes(text))).toEqual(started);
        const session = await getSession(db, world.place);
        expect(session).toMatchObject({ turnCount: records.length, queue: [] });
        expect(session).not.toHaveProperty("holder");
        if (isUnfailed) return;
      }
    },
  );

  test("after which the response of the transaction of an end is lost adds its turn once", {
    tags: "nightly",
  }, async () => {
    const world = await startSession(db);
    const { executionId } = await world.runTurn("one", { id: "s" }, 0);
    await world.runTurn("two", { id: "s" }, 0);
    db.loseNextResponse("TransactWriteItems");
    await settle(world);
    expect((await world.read("a", executionId)).item.status).toBe("Succeeded");
    expect(await world.lines()).toEqual([
      "user: one",
      "assistant: one!",
      "user: two",
      "assistant: two!",
    ]);
  });

  test("of the condition of the session at an end is tried again with the session as it is then", {
    tags: "nightly",
  }, async () => {
    const onRun: (() => Promise<unknown>)[] = [];
    const world = await startSession(db, chat(), async (text) => {
      await onRun.shift()?.();
      return `${text}!`;
    });
    onRun.push(() => world.runTurn("two", { id: "s" }, 0));
    await world.runTurn("one");
    expect(world.tenant.sent).toHaveLength(1);
    await world.work();
    expect(await world.lines()).toHaveLength(4);
    expect(await getSession(db, world.place)).not.toHaveProperty("holder");
  });
});
