import { expect, test } from "vitest";
import { calls } from "../../test/harness/flow.ts";
import { testMemories } from "../../test/harness/memories.ts";
import { testDatabase } from "../../test/harness/table.ts";

const hostileNames = [
  "a#b",
  "NAMESPACE#",
  "../ada",
  "__proto__",
  "\0",
  " ada",
  "e\u0301",
  "\u00e9",
  '{"$or":[]}',
];

test("namespaces of hostile names have their own facts alone", { tags: "nightly" }, async () => {
  const world = testMemories(await testDatabase(), (_, { system, messages }) => {
    if (!system?.includes("long-term memory")) return "Fine.";
    const [, number] = /number (\d+)/.exec(JSON.stringify(messages)) ?? [];
    return JSON.stringify({ facts: [`The number of the user is ${number}.`] });
  });
  await world.deployWith("friend", {});
  for (const [at, name] of hostileNames.entries())
    await world.runTurn("friend", name, `number ${at}`);
  for (const [at, name] of hostileNames.entries()) {
    expect(await world.texts("friend", name)).toEqual([`The number of the user is ${at}.`]);
  }
});

test("a secret that a tool returns reaches no fact, no question for facts and no later execution", async () => {
  const secret = "hunter2-hunter2";
  const questions: string[] = [];
  const world = testMemories(await testDatabase(), (prompt, { system }) => {
    if (system?.includes("long-term memory")) {
      questions.push(prompt);
      return JSON.stringify({
        facts: [`The key is ${/hunter\S+/.exec(prompt)?.[0] ?? "********"}`],
      });
    }
    return prompt === "" ? `It is ${secret}.` : calls(["calculate", { expression: `"${secret}"` }]);
  });
  await world.deployWith("friend", {}, { tools: ["calculate"] });
  const input = { user: "ada", said: "Which key?", secret };
  await world.executeToEnd("friend", { input }, world.deps);
  for (const message of world.asked.splice(0)) await world.remember(message);
  expect(questions).toHaveLength(1);
  expect(questions.join()).not.toContain(secret);
  expect(await world.texts("friend", "ada")).toEqual([]);
});

test("a turn of 450 KB is remembered by its beginning, and seen whole in its session", {
  tags: "nightly",
}, async () => {
  const large = Array.from({ length: 45_000 }, () => Math.random().toString(36).slice(2)).join(" ");
  const said = `I drink tea. ${large}`.slice(0, 450_000);
  const seen: number[] = [];
  const questions: string[] = [];
  const world = testMemories(await testDatabase(), (prompt, { system, messages }) => {
    if (system?.includes("long-term memory")) {
      questions.push(prompt);
      return JSON.stringify({ facts: ["The user drinks tea."] });
    }
    seen.push(JSON.stringify(messages).length);
    return "Fine.";
  });
  await world.deploy("friend", {
    parametersMetadata: [{ name: "said", type: "String" }],
    llmConfigs: [{ providerId: "test", parameters: {} }],
    flow: {
      steps: [
        { id: "ask", type: "Prompt", prompt: "{% input.said %}", memory: { namespace: "ada" } },
      ],
      edges: [],
    },
    useSession: true,
  });
  const session = { id: "s" };
  await world.executeToEnd("friend", { input: { said }, session }, world.deps);
  for (const message of world.asked.splice(0)) await world.remember(message);
  expect(questions).toHaveLength(1);
  expect(questions[0]?.length).toBeLessThan(110_000);
  expect(await world.texts("friend", "ada")).toEqual(["The user drinks tea."]);
  await world.executeToEnd("friend", { input: { said: "And now?" }, session }, world.deps);
  expect(seen[1]).toBeGreaterThan(450_000);
});
