import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, problemOf } from "../harness/api.ts";

const megabyte = 1_000_000;

describe("what a tenant wrote", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    own = await newOrganization();
  });

  test("a catastrophic pattern of an input's schema is answered with its pointer, and others run on", async () => {
    const metadata = (pattern: string) => [
      { name: "x", type: "String", jsonSchema: JSON.stringify({ pattern }) },
    ];
    const flow = { steps: [{ id: "out", type: "Output", value: "{% input.x %}" }], edges: [] };
    await own.deployAgent("slow", { parametersMetadata: metadata("^(a+)+$"), flow });
    await own.deployAgent("quick", { parametersMetadata: metadata("^a+b$"), flow });
    const body = { input: { x: `${"a".repeat(40)}b` } };
    const [slow, quick] = await Promise.all([
      own.try("POST", "/agents/slow:execute", { body }),
      own.try("POST", "/agents/quick:execute", { body }),
    ]);
    expect(problemOf(slow)).toMatchObject({
      errors: [{ pointer: "/input/x", detail: expect.stringContaining("takes too long") }],
    });
    expect(quick.status).toBe(200);
  });

  test.each([
    ["markdown", `# A\n\n${"a **".repeat(megabyte / 8)}`],
    ["nested quotes", ">".repeat(megabyte / 2)],
  ])("hostile %s of a skill is answered with a problem or a draft", async (_name, markdown) => {
    const path = "/skills:generate-from-markdown";
    const body = { markdownContent: markdown, fileName: "SKILL.md" };
    const answer = await own.try("POST", path, { body });
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) {
      expect(problemOf(answer)).toMatchObject({
        errors: [
          {
            pointer: "/markdownContent",
            detail: expect.stringMatching(/needs more .* than it may|nests too deeply/),
          },
        ],
      });
    }
    const plain = { markdownContent: "# A\n\nB", fileName: "a.md" };
    expect((await own.try("POST", path, { body: plain })).status).toBe(200);
  });
});
