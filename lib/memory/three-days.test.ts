import { expect, test } from "vitest";
import { testMemories } from "../../test/harness/memories.ts";
import { purgeSent } from "../../test/harness/purge.ts";
import { toLine } from "../../test/harness/session.ts";
import { testDatabase } from "../../test/harness/table.ts";
import { deleteSession } from "../executions/session/delete-session.ts";
import { toSessionPlace } from "../executions/session/keys.ts";
import { deleteMemories } from "./delete-memories.ts";

const dayMs = 86_400_000;
const long = Array.from({ length: 4_000 }, () => Math.random().toString(36)).join(" ");

const agent = {
  parametersMetadata: [
    { name: "user", type: "String" },
    { name: "message", type: "String" },
  ],
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps: [
      {
        id: "ask",
        type: "Prompt",
        prompt: "{% input.message %}",
        memory: { namespace: "{% input.user %}" },
      },
    ],
    edges: [],
  },
  useSession: true,
  sessionPolicy: { retentionDays: 1 },
};

/** Starts a chat. Its model answers from what it was sent, and keeps what a user says of themselves. */
const startChat = async () => {
  const db = await testDatabase();
  const seen: string[][] = [];
  const world = testMemories(db, (prompt, { system, messages }) => {
    const text = JSON.stringify(messages);
    if (system?.includes("long-term memory")) {
      const [, city] = /I live in (\w+)/.exec(text) ?? [];
      return JSON.stringify({ facts: city ? [`The user lives in ${city}.`] : [] });
    }
    seen.push(messages.map(toLine));
    const [, city] = /lives? in (\w+)/.exec(text) ?? [];
    if (prompt.startsWith("Tell me everything")) return long;
    return prompt.endsWith("?") ? `You live in ${city ?? "a place that I do not know"}.` : "Noted.";
  });
  await world.deploy("host", agent);
  const runTurn = async (user: string, message: string) => {
    world.tenant.advance(60_000);
    const session = { id: `${user}-chat`, endUserId: user };
    const { output } = await world.executeToEnd(
      "host",
      { input: { user, message }, session },
      world.deps,
    );
    for (const asked of world.asked.splice(0)) await world.remember(asked);
    return output;
  };
  return { db, world, seen, runTurn };
};

test("a chat of three days uses memory on the third day, when its session's turns have expired", {
  tags: "nightly",
}, async () => {
  const { world, seen, runTurn } = await startChat();
  expect(await runTurn("ada", "I live in Kyiv.")).toBe("Noted.");
  world.tenant.advance(0.6 * dayMs);
  expect(await runTurn("ada", "Where do I live?")).toBe("You live in Kyiv.");
  // The second day has the turns of the first one.
  expect(seen[1]?.slice(0, 2)).toEqual(["user: I live in Kyiv.", "assistant: Noted."]);
  world.tenant.advance(2 * dayMs);
  expect(await runTurn("ada", "Where do I live now?")).toBe("You live in Kyiv.");
  expect(seen[2]).toHaveLength(2);
  expect(seen[2]?.[0]).toContain("The user lives in Kyiv.");
  expect(seen[2]?.[1]).toBe("user: Where do I live now?");
  expect(await runTurn("bob", "Where do I live?")).toContain("a place that I do not know");
});

test("erasing a person leaves no session, turn, object, fact or vector of them, and those of others", async () => {
  const { db, world, runTurn } = await startChat();
  for (const user of ["ada", "bob"]) {
    await runTurn(user, "I live in Kyiv.");
    await runTurn(user, "Tell me everything.");
  }
  const { tenant, tenantId } = world;
  const list = (user: string) => toSessionPlace(tenantId, "host", `${user}-chat`);
  const count = async (user: string) => {
    const { digest } = list(user);
    const items = (await db.scan()).filter(({ pk }) => String(pk).includes(tenantId));
    const names = [...tenant.deps.objects.all.keys()];
    return {
      session: items.filter(({ sk }) => String(sk).includes(digest)).length,
      facts: items.filter(({ sk, namespace }) => /^MEMORY#/.test(String(sk)) && namespace === user)
        .length,
      objects: names.filter((name) => name.includes(`/sessions/${digest}/`)).length,
    };
  };
  const before = { session: 3, facts: 1, objects: 1 };
  expect([await count("ada"), await count("bob")]).toEqual([before, before]);
  expect(world.countVectors()).toBe(2);
  tenant.advance(1);
  const deletion = { place: list("ada"), sessionId: "ada-chat", authorize: () => undefined };
  await deleteSession(world.deps, deletion);
  await deleteMemories(
    { ...world.deps, runtime: tenant.ctx },
    { tenantId, agentId: "host", namespace: "ada" },
  );
  for (const message of world.housekeeping.splice(0)) await purgeSent(world, message);
  expect(await count("ada")).toEqual({ session: 0, facts: 0, objects: 0 });
  expect(await count("bob")).toEqual(before);
  expect(world.countVectors()).toBe(1);
});
