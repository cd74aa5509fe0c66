import { expect, test } from "vitest";
import { testMemories } from "../../test/harness/memories.ts";
import { testDatabase } from "../../test/harness/table.ts";
import { deleteMemories } from "./delete-memories.ts";

const question = "Where does Ada live, in Kyiv?";
const near = Array.from("abcdefghijklmnopqrst", (letter) => `${question} ${letter}`);

test.each([
  ["another namespace", "bob"],
  ["its namespace before it was erased", "ada"],
])(
  "facts of %s that are nearer to the prompt do not displace its facts",
  { tags: "nightly" },
  async (_, other) => {
    let found: string[] = [];
    let seen = "";
    const world = testMemories(await testDatabase(), (_prompt, { system, messages }) => {
      if (system?.includes("long-term memory")) return JSON.stringify({ facts: found });
      seen = JSON.stringify(messages);
      return "Fine.";
    });
    await world.deployWith("friend", { topK: 1 });
    for (const facts of [near.slice(0, 10), near.slice(10)]) {
      found = facts;
      await world.runTurn("friend", other, "All about me.");
    }
    if (other === "ada") {
      const { ctx } = world.tenant;
      const place = { tenantId: world.tenantId, agentId: "friend", namespace: "ada" };
      await deleteMemories({ ...world.deps, runtime: ctx }, place);
    }
    found = ["Ada drinks tea."];
    await world.runTurn("friend", "ada", "I drink tea.");
    expect(world.countVectors()).toBe(near.length + 1);
    found = [];
    await world.runTurn("friend", "ada", question);
    expect(seen).toContain("Ada drinks tea.");
  },
);
