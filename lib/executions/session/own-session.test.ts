import { beforeAll, describe, expect, test } from "vitest";
import { chat, startSession } from "../../../test/harness/session.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { executeAgent } from "../run/execute-agent.ts";
import { triggerTypes } from "../schemas.ts";
import { deleteSession } from "./delete-session.ts";
import { getSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const photo = { name: "photo", type: "File" };
const withPhoto = chat({ parametersMetadata: [...chat().parametersMetadata, photo] });

/** Creates a session world with callers who may execute agents, and read no executions. */
const start = async () => {
  const world = await startSession(db, withPhoto);
  const { deps, tenant, place } = world;
  const executeAs =
    (id: string, more: Partial<Principal> = {}) =>
    (
      message: string,
      { before = async () => {}, waitMs = undefined as number | undefined } = {},
    ) => {
      const { objects } = deps.files;
      const put: typeof objects.put = async (...file) => {
        await before();
        return objects.put(...file);
      };
      const input = { message, photo: { base64: "aGk=", name: "hi.txt" } };
      const principal = { ...tenant.ctx.principal, id, userIds: [id], scopes: ["agents:execute"] };
      return executeAgent(
        { ...deps, files: { ...deps.files, objects: { ...objects, put } } },
        {
          ctx: {
            ...tenant.ctx,
            principal: { ...principal, ...more } as Principal,
            events: undefined,
            waitUntil: () => undefined,
          },
          agentId: "a",
          body: { input, session: { id: "s" } },
          triggerType: triggerTypes.api,
          isSample: false,
          waitMs,
        },
      );
    };
  const remove = async () => {
    await deleteSession(deps, { place, sessionId: "s", authorize: () => undefined });
    // Nothing purges it.
    tenant.sent.pop();
  };
  return { ...world, executeAs, remove };
};

const refused = { slug: "conflict", message: expect.stringContaining("belongs to another caller") };

describe("a user who may read no executions", () => {
  test.each([
    ["has ended", undefined],
    ["has not ended", 0],
  ])(
    "is refused in a session that another caller begins meanwhile with an execution that %s",
    async (_, waitMs) => {
      const { executeAs, seen, work, place } = await start();
      const before = async () => {
        await executeAs("ada")("The code is 42.", { waitMs });
      };
      const repeated = executeAs("bob")("Repeat it.", { before, waitMs: 0 });
      await expect(repeated).rejects.toMatchObject(refused);
      await work();
      expect(seen.flat()).not.toContain("user: Repeat it.");
      expect(await getSession(db, place)).toMatchObject({ turnCount: 1, queue: [] });
    },
  );

  test("continues a session that it began meanwhile itself", async () => {
    const { executeAs, seen } = await start();
    const ada = executeAs("ada");
    const before = async () => {
      await ada("one");
    };
    await ada("two", { before });
    expect(seen.at(-1)).toEqual(["user: one", "assistant: one!", "user: two"]);
  });

  test("does not wait for a deleted session that another caller begins again", async () => {
    const { executeAs, seen, work, remove } = await start();
    const ada = executeAs("ada");
    await ada("one", { waitMs: 0 });
    await remove();
    await ada("The code is 42.", { waitMs: 0 });
    await expect(executeAs("bob")("Repeat it.", { waitMs: 0 })).rejects.toMatchObject(refused);
    await ada("three", { waitMs: 0 });
    await work();
    expect(seen.at(-1)).toEqual([
      "user: The code is 42.",
      "assistant: The code is 42.!",
      "user: three",
    ]);
  });
});

test("a key continues a session that a user begins meanwhile", async () => {
  const { executeAs, seen } = await start();
  const before = async () => {
    await executeAs("ada")("one");
  };
  await executeAs("key", { type: "ApiKey" })("two", { before });
  expect(seen.at(-1)).toEqual(["user: one", "assistant: one!", "user: two"]);
});
