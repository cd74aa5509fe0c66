import { beforeAll, describe, expect, test } from "vitest";
import { purge } from "../../../functions/workers/purge-deleted.ts";
import { calls } from "../../../test/harness/flow.ts";
import { chat, prompt, startSession } from "../../../test/harness/session.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { PurgeAgentMessage } from "../../agents/messages.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { Problem } from "../../platform/http/problems.ts";
import { PurgeSessionMessage } from "../messages.ts";
import { deleteSession } from "./delete-session.ts";
import { toSessionPlace } from "./keys.ts";
import { listMessages, listSessions, readOwnSession, requireSeen } from "./read-sessions.ts";
import type { MessageOrder } from "./schemas.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const isFound = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error: Problem) => {
      expect(error.slug).toBe("not-found");
      return false;
    },
  );

const start = async (content?: object) => {
  const world = await startSession(db, content, (text) =>
    text === "call"
      ? calls(["calculate", { expression: "1 + 1" }])
      : text === ""
        ? "2"
        : `${text}!`,
  );
  const { tenantId, tenant } = world;
  const { principal: admin } = tenant.ctx;
  const by = (principal: Principal = admin) => ({
    tenantId,
    agentId: "a",
    principal,
    now: tenant.ctx.clock(),
  });
  const remove = (sessionId: string, principal = admin) =>
    deleteSession(world.deps, {
      place: toSessionPlace(tenantId, "a", sessionId),
      sessionId,
      authorize: (item) => requireSeen(principal, item, sessionId),
    });
  const left = async () =>
    (await db.scan()).filter(({ pk }) => String(pk).includes(`${tenantId}#AGENT#a#SESSIONS`));
  const purgeAll = async () => {
    const kinds = [PurgeSessionMessage, PurgeAgentMessage];
    for (let message = tenant.sent.shift(); message; message = tenant.sent.shift()) {
      const parsed = kinds.map((kind) => kind.safeParse(message).data).find(Boolean);
      if (!parsed) continue;
      const { clock } = tenant.ctx;
      await purge(parsed, { ...world.deps, ...tenant.deps, clock, until: clock() + 60_000 });
    }
  };
  return {
    ...world,
    admin,
    by,
    remove,
    left,
    purgeAll,
    stored: () => [...tenant.deps.objects.all.keys()].filter((name) => name.includes("/sessions/")),
    page: (skip: number, size = 2, endUserId?: string) =>
      listSessions(db, { ...by(), endUserId }, { size, skip }),
    messages: (
      page: { size: number; skip: number },
      principal?: Principal,
      order: MessageOrder = "oldest",
    ) => listMessages(tenant.deps, { read: { ...by(principal), sessionId: "s" }, page, order }),
  };
};

const listIds = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

describe("the sessions of an agent", () => {
  test("are listed newest first, in pages, also those of one end user", {
    tags: "nightly",
  }, async () => {
    const { runTurn, page, tenant } = await start();
    for (const [id, endUserId] of [
      ["s1", "ada"],
      ["s2", "bob"],
      ["s3", "ada"],
    ] as const) {
      await runTurn("hi", { id, endUserId });
      tenant.advance(10);
    }
    const first = await page(0);
    expect(listIds(first)).toEqual(["s3", "s2"]);
    const second = await page(Number(first.nextPageToken));
    expect([listIds(second), second.nextPageToken]).toEqual([["s1"], null]);
    expect(listIds(await page(0, 50, "ada"))).toEqual(["s3", "s1"]);
    expect((await page(0, 50, "eve")).items).toEqual([]);
  });

  test("show their state: turns, end user, who has it and how many wait, until when it is kept", {
    tags: "nightly",
  }, async () => {
    const { runTurn, by, work, tenant } = await start();
    const read = async () => (await readOwnSession(db, { ...by(), sessionId: "s" })).shown;
    const { executionId } = await runTurn("one", { id: "s", endUserId: "ada" }, 0);
    await runTurn("two", { id: "s" }, 0);
    expect(await read()).toMatchObject({
      id: "s",
      agentId: "a",
      endUserId: "ada",
      status: "Busy",
      executionId,
      queuedCount: 1,
      turnCount: 0,
      expiresAt: null,
    });
    await work();
    const shown = await read();
    expect(shown).toMatchObject({
      status: "Idle",
      executionId: null,
      queuedCount: 0,
      turnCount: 2,
    });
    const kept = (shown.expiresAt ?? 0) - tenant.ctx.clock();
    expect(kept).toBeGreaterThan(29 * 86_400_000);
    tenant.advance(kept + 1_000);
    expect(await isFound(read())).toBe(false);
  });

  test("have messages with calls and results, in pages, from either end", {
    tags: "nightly",
  }, async () => {
    const step = prompt("ask", "{% input.message %}", { tools: ["calculate"] });
    const { runTurn, messages } = await start(chat({ flow: { steps: [step], edges: [] } }));
    const { executionId } = await runTurn("call");
    const first = await messages({ size: 3, skip: 0 });
    expect(first.nextPageToken).toBe("3");
    expect(first.items).toMatchObject([
      { executionId, role: "user", text: "call", toolCalls: [], results: [] },
      { role: "assistant", toolCalls: [{ name: "calculate", arguments: { expression: "1 + 1" } }] },
      { role: "tool", text: null, results: [{ name: "calculate", output: 2, isError: false }] },
    ]);
    expect(await messages({ size: 3, skip: 3 })).toMatchObject({
      items: [{ role: "assistant", text: "2" }],
      nextPageToken: null,
    });
    const newest = await messages({ size: 3, skip: 0 }, undefined, "newest");
    expect(newest.items.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    const oldest = await messages({ size: 3, skip: 3 }, undefined, "newest");
    expect(oldest).toEqual({ items: first.items.slice(0, 1), nextPageToken: null });
  });

  test("are seen and deleted by those who may read executions, and by the caller that started them alone", {
    tags: "nightly",
  }, async () => {
    const { runTurn, by, messages, remove, admin } = await start();
    await runTurn("one");
    const starter: Principal = { ...admin, scopes: ["agents:execute"] };
    const other: Principal = { ...starter, id: "other", userIds: ["other"] };
    const reader: Principal = { ...other, scopes: ["executions:read"] };
    for (const [principal, isSeen] of [
      [starter, true],
      [other, false],
      [reader, true],
    ] as const) {
      const read = { ...by(principal), sessionId: "s" };
      expect(await isFound(readOwnSession(db, read))).toBe(isSeen);
      const page = { size: 50, skip: 0 };
      expect(await isFound(messages(page, principal))).toBe(isSeen);
      const listed = await listSessions(db, { ...by(principal), endUserId: undefined }, page);
      expect(listed.items).toHaveLength(isSeen ? 1 : 0);
    }
    expect(await isFound(remove("s", other))).toBe(false);
    expect(await isFound(remove("s", starter))).toBe(true);
    expect(await isFound(remove("s", starter))).toBe(false);
  });
});

describe("the deletion of a session", () => {
  const long = Array.from({ length: 2_000 }, () => Math.random().toString(36)).join("");

  test("hides it immediately; the purge leaves no item and no object", {
    tags: "nightly",
  }, async () => {
    const { runTurn, by, remove, left, purgeAll, stored, tenant } = await start();
    await runTurn(long);
    expect(stored()).toHaveLength(1);
    await remove("s");
    expect(await isFound(readOwnSession(db, { ...by(), sessionId: "s" }))).toBe(false);
    await purgeAll();
    expect([await left(), stored(), tenant.sent]).toEqual([[], [], []]);
  });

  test.each(["TransactWriteItems", "GetItem", "Query"])(
    "is complete when repeated after any one %s failed",
    { tags: "nightly" },
    async (command) => {
      for (let passing = 0; passing < 4; passing += 1) {
        const { runTurn, by, remove, left, purgeAll, stored } = await start();
        await runTurn(long);
        db.failNext(command, passing);
        await remove("s").catch(() => undefined);
        const isUnfailed = db.clearFailures();
        await remove("s").catch((error: Problem) => expect(error.slug).toBe("not-found"));
        expect(await isFound(readOwnSession(db, { ...by(), sessionId: "s" }))).toBe(false);
        await purgeAll();
        expect([await left(), stored()]).toEqual([[], []]);
        if (isUnfailed) return;
      }
    },
  );

  test("requests its purge again when the request was lost", async () => {
    const { runTurn, remove, left, purgeAll, deps, place, tenant } = await start();
    await runTurn("one");
    const send = async () => {
      throw new Error("planned failure");
    };
    const deletion = { place, sessionId: "s", authorize: () => undefined };
    await deleteSession({ ...deps, send }, deletion).catch(() => undefined);
    expect(tenant.sent).toEqual([]);
    await remove("s").catch(() => undefined);
    await purgeAll();
    expect(await left()).toEqual([]);
  });

  test("before its execution begins leaves no turn of it; the next one in the queue begins the session again", {
    tags: "nightly",
  }, async () => {
    const { runTurn, by, remove, workOnce, lines, page, work, tenant } = await start();
    await runTurn("one", { id: "s", endUserId: "ada" }, 0);
    await runTurn("two", { id: "s", endUserId: "ada" }, 0);
    await remove("s");
    expect(tenant.sent.pop()).toMatchObject({ type: "purge-session" });
    const read = () => readOwnSession(db, { ...by(), sessionId: "s" });
    expect(await isFound(read())).toBe(false);
    await workOnce();
    expect(await lines()).toEqual([]);
    expect((await read()).shown).toMatchObject({ endUserId: "ada", status: "Busy", turnCount: 0 });
    await work();
    expect(await lines()).toEqual(["user: two", "assistant: two!"]);
    expect(listIds(await page(0))).toEqual(["s"]);
    await remove("s");
    expect(await lines()).toEqual([]);
  });

  test("of their agent removes all of them", { tags: "nightly" }, async () => {
    const { runTurn, left, purgeAll, stored, tenant, tenantId } = await start();
    await runTurn(long);
    await runTurn("two", { id: "other" });
    await deleteAgent(tenant.deps, { tenantId, agentId: "a" });
    await purgeAll();
    expect([await left(), stored()]).toEqual([[], []]);
  });
});
