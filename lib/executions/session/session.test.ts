import { beforeAll, describe, expect, test } from "vitest";
import type { Respond } from "../../../test/harness/execution.ts";
import { chat, startSession } from "../../../test/harness/session.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { gate } from "../../../test/harness/timers.ts";
import { transact } from "../../platform/db/transact.ts";
import type { Problem } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { changeSession, getSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const start = (content?: object, respond?: Respond) => startSession(db, content, respond);

const findProblem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Problem) => error.slug,
  );

describe("an execution of a session", () => {
  test("shows its models the earlier turns, and adds its own", async () => {
    const { runTurn, seen, lines } = await start();
    expect(await runTurn("one")).toMatchObject({ session: { id: "s" }, output: "one!" });
    await runTurn("two");
    expect(seen).toEqual([["user: one"], ["user: one", "assistant: one!", "user: two"]]);
    expect(await lines()).toEqual(["user: one", "assistant: one!", "user: two", "assistant: two!"]);
  });

  test("has a new session when it names none, and only where its revision uses sessions", async () => {
    const { runTurn, seen } = await start();
    const first = await runTurn("one", null);
    const second = await runTurn("two", {});
    expect(first.session?.id).toMatch(/^[\da-f-]{36}$/);
    expect(second.session?.id).not.toBe(first.session?.id);
    expect(seen.at(-1)).toEqual(["user: two"]);
    const { execute, deploy } = await start();
    await deploy("b", { ...chat(), useSession: false });
    const refused = execute("b", { input: { message: "x" }, session: { id: "s" } });
    await expect(refused).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [{ pointer: "/session" }] },
    });
  });

  test("adds no turn when it fails or is cancelled, and frees its session", async () => {
    const { runTurn, lines, deps, tenant, tenantId, work, place } = await start(
      chat(),
      (prompt) => {
        if (prompt === "bad") throw new Error("no");
        return "fine";
      },
    );
    await runTurn("bad").catch(() => undefined);
    expect(await lines()).toEqual([]);
    const queued = await runTurn("later", { id: "s" }, 0);
    await cancelExecution(deps, { tenantId, agentId: "a", executionId: queued.executionId });
    await work();
    expect(await getSession(db, place)).not.toHaveProperty("holder");
    await runTurn("good");
    expect(await lines()).toEqual(["user: good", "assistant: fine"]);
    expect(tenant.sent).toEqual([]);
  });

  test("runs after those before it, in their order, also if one of them was cancelled", {
    tags: "nightly",
  }, async () => {
    const { runTurn, lines, work, deps, tenantId, tenant, place } = await start();
    const queued = [];
    for (const text of ["one", "two", "three", "four"])
      queued.push(await runTurn(text, { id: "s" }, 0));
    expect(queued.map(({ status }) => status)).toEqual(Array(4).fill("Queued"));
    expect(tenant.sent).toHaveLength(1);
    const executionId = queued[1]?.executionId ?? "";
    await cancelExecution(deps, { tenantId, agentId: "a", executionId });
    await work();
    expect((await lines()).filter((line) => line.startsWith("user"))).toEqual([
      "user: one",
      "user: three",
      "user: four",
    ]);
    expect(await getSession(db, place)).toMatchObject({ turnCount: 3, queue: [] });
    expect(await getSession(db, place)).not.toHaveProperty("holder");
  });

  test("is refused where it does not want to wait for a busy session", async () => {
    const { runTurn, work } = await start();
    await runTurn("one", { id: "s" }, 0);
    expect(await findProblem(runTurn("two", { id: "s", whenBusy: "reject" }))).toBe("conflict");
    await work();
    expect(await runTurn("two", { id: "s", whenBusy: "reject" })).toMatchObject({ output: "two!" });
  });

  test("is refused beyond 100 that wait", async () => {
    const { runTurn, place } = await start();
    await runTurn("one", { id: "s" }, 0);
    const session = await getSession(db, place);
    const queue = Array.from({ length: 100 }, (_, at) => ({ id: `e-${at}`, until: 0 }));
    if (session) await transact(db, [changeSession(place, session, { queue })]);
    expect(await findProblem(runTurn("two", { id: "s" }, 0))).toBe("conflict");
  });

  test("is refused in a session of another end user", async () => {
    const { runTurn } = await start();
    await runTurn("one", { id: "s", endUserId: "ada" });
    expect(await findProblem(runTurn("two", { id: "s", endUserId: "bob" }))).toBe("conflict");
    await runTurn("two", { id: "s", endUserId: "ada" });
  });

  test("is refused in a busy session of another end user", async () => {
    const { runTurn, place } = await start();
    await runTurn("one", { id: "s", endUserId: "ada" }, 0);
    expect(await findProblem(runTurn("two", { id: "s", endUserId: "bob" }, 0))).toBe("conflict");
    expect(await getSession(db, place)).toMatchObject({ queue: [] });
  });

  test.each([
    ["without an Idempotency-Key", undefined],
    ["with an Idempotency-Key", []],
    [
      "with an Idempotency-Key after a crash",
      [`${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`],
    ],
  ])(
    "waits for a busy session for 25 seconds of the start of its request, also if its files take long (%s)",
    async (_, earlier) => {
      const photo = { name: "photo", type: "File" };
      const parametersMetadata = [...chat().parametersMetadata, photo];
      const { runTurn, execute, deps, tenant, timers } = await start(chat({ parametersMetadata }));
      const { ctx, advance } = tenant;
      await runTurn("one", { id: "s" }, 0);
      const { objects } = deps.files;
      const put: typeof objects.put = async (...file) => {
        advance(10_000);
        return objects.put(...file);
      };
      const slow = { ...deps, files: { ...deps.files, objects: { ...objects, put } } };
      const startedAt = ctx.clock();
      const once = earlier && { token: newUuid(ctx), earlier };
      const input = { message: "two", photo: { base64: "aGk=", name: "hi.txt" } };
      const body = { input, session: { id: "s" } };
      const response = execute("a", body, undefined, slow, once);
      let isDone = false;
      void response.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        if (timers.waiting() > 0) timers.pass(100);
        await new Promise(setImmediate);
      }
      expect((await response).execution).toMatchObject({ status: "Queued" });
      expect(ctx.clock() - startedAt).toBe(25_000);
    },
  );

  test("runs in its caller's call when its turn comes in time", { tags: "nightly" }, async () => {
    const open = gate();
    const { runTurn, timers, tenant } = await start(chat(), async (prompt) => {
      if (prompt === "one") await open.promise;
      return `${prompt}!`;
    });
    const first = runTurn("one");
    while (timers.waiting() === 0) await new Promise(setImmediate);
    const second = runTurn("two");
    const both = Promise.all([first, second]);
    let isDone = false;
    void both.finally(() => {
      isDone = true;
    });
    let passed = 0;
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      timers.pass(50);
      passed += 50;
      if (passed === 500) open.resolve();
    }
    expect(await both).toMatchObject([{ output: "one!" }, { output: "two!" }]);
    expect(tenant.sent).toHaveLength(1);
  });
});
