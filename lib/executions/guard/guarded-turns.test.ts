import { beforeAll, expect, test } from "vitest";
import { testMemories } from "../../../test/harness/memories.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { createGuardrail } from "../../agents/guardrail/create-guardrail.ts";
import { CreateGuardrailBody } from "../../agents/guardrail/schemas.ts";
import { toSessionPlace } from "../session/keys.ts";
import { readSession, readTurn } from "../session/load-session.ts";

const secret = "ada@example.com";

const parametersMetadata = [
  { name: "message", type: "String" },
  { name: "user", type: "String" },
];
const asking = {
  parametersMetadata,
  flow: {
    steps: [
      {
        id: "ask",
        type: "Prompt",
        prompt: "{% input.message %}",
        memory: { namespace: "{% input.user %}" },
      },
      { id: "answer", type: "Output", value: { text: "{% steps.ask.output %}" } },
    ],
    edges: [{ source: "ask", target: "answer" }],
  },
};
const computing = {
  parametersMetadata,
  flow: { steps: [{ id: "answer", type: "Output", value: "{% input.message %}" }], edges: [] },
};

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

/** Creates an agent with a session and a guardrail that masks at one place. */
const start = async (on: string, content: object) => {
  const questions: string[] = [];
  const world = testMemories(db, (prompt, { system }) => {
    if (!system?.includes("long-term memory")) return `You said: ${prompt}`;
    questions.push(prompt);
    return JSON.stringify({ facts: [prompt.slice(0, 400)] });
  });
  const check = { id: "emails", type: "Pii", on: [on], action: "mask" };
  await createGuardrail(
    { db },
    {
      ctx: world.tenant.ctx,
      body: CreateGuardrailBody.parse({ id: "privacy", displayName: "P", checks: [check] }),
    },
  );
  await world.deploy("guarded", {
    llmConfigs: [{ providerId: "test", parameters: {} }],
    useSession: true,
    guardrails: ["privacy"],
    ...content,
  });
  const say = async (message: string, user: string) => {
    world.tenant.advance(1);
    const input = { message, user };
    await world.executeToEnd("guarded", { input, session: { id: "s" } }, world.deps);
    for (const asked of world.asked.splice(0)) await world.remember(asked);
  };
  const turns = async () => {
    const place = toSessionPlace(world.tenantId, "guarded", "s");
    const { turns: stored } = await readSession(db, place, world.tenant.ctx.clock());
    return Promise.all(stored.map((turn) => readTurn(world.tenant.deps.objects, turn)));
  };
  return { world, questions, say, turns };
};

test.each(["input", "output", "toolResult"])(
  "a value that a check of %s masks is masked in the session's turn and in the memory's facts",
  { tags: "nightly" },
  async (on) => {
    const { world, questions, say, turns } = await start(on, asking);
    await say(`Write to ${secret}.`, "ada");
    expect(await turns()).toMatchObject([
      {
        input: "Write to [Email].",
        exchanged: [
          { role: "user", text: "Write to [Email]." },
          { role: "assistant", text: "You said: Write to [Email]." },
        ],
        output: expect.stringContaining("Write to [Email]."),
      },
    ]);
    expect(questions).toEqual([expect.stringContaining("Write to [Email].")]);
    expect(questions.join()).not.toContain(secret);
    expect(await world.texts("guarded", "ada")).toEqual([expect.stringContaining("[Email]")]);
    const kept = (await db.scan()).filter(
      ({ pk, sk }) => String(pk).includes(world.tenantId) && /MEMORY#/.test(String(sk)),
    );
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain(secret);
  },
);

test("a value that a check masks is masked in the turn of a flow without Prompts", async () => {
  const { say, turns } = await start("toolResult", computing);
  await say(`Write to ${secret}.`, "ada");
  expect(await turns()).toEqual([
    { input: "Write to [Email].", exchanged: [], output: "Write to [Email]." },
  ]);
});

test.each(["input", "output"])(
  "users whom a check of %s makes the same share no memory",
  { tags: "nightly" },
  async (on) => {
    const { world, questions, say } = await start(on, asking);
    await say("I drink tea.", secret);
    await say("I ride a bicycle.", "bob@example.com");
    expect(questions).toEqual([]);
    expect(await world.countItems()).toBe(0);
  },
);
