import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem, newOrganization } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const revision = (comment: string, model: string) => ({
  comment,
  flow: {
    steps: [
      {
        id: "ask",
        type: "Prompt",
        llm: { providerId: "echo", parameters: { model } },
        prompt: "12345678",
      },
    ],
    edges: [],
  },
});

describe("history, cost and model usage", () => {
  let own: Organization;
  const get = async (path: string) => (await own.send("GET", `/agents/a/${path}`)).body;

  beforeAll(async () => {
    own = await newOrganization();
    await own.deployAgent("a", revision("first", "echo-1"));
    await own.send("POST", "/agents/a/revisions", revision("second", "echo-2"));
    await own.send("POST", "/agents/a/revisions", revision("never run", "echo-1"));
    const run = (number: number) => own.send("POST", "/agents/a:execute", { revision: number });
    await Promise.all([run(1), run(1), run(1), run(2)]);
  });

  test("the history is oldest first, and pages", { tags: "nightly" }, async () => {
    expect(await get("history?PageSize=2")).toMatchObject({
      items: [
        { agentId: "a", agentRevision: 1, comment: "first", createdBy: "someone@example.com" },
        { agentRevision: 2, comment: "second" },
      ],
      nextPageToken: "2",
    });
    expect(await get("history?PageSize=2&PageToken.Skip=2")).toMatchObject({
      items: [{ agentRevision: 3 }],
      nextPageToken: null,
    });
  });

  test("a revision's cost counts its executions and tokens; * adds all up under revision 0", async () => {
    const tokens = (count: number) => ({ inputTokens: 2 * count, outputTokens: 2 * count });
    const free = { agentId: "a", inputCost: 0, outputCost: 0, totalCost: 0, unpricedCount: 0 };
    expect(await get("revisions/1/cost")).toEqual({
      ...free,
      revision: 1,
      executionCount: 3,
      ...tokens(3),
    });
    expect(await get("revisions/*/cost")).toEqual({
      ...free,
      revision: 0,
      executionCount: 4,
      ...tokens(4),
    });
    expect(await get("revisions/3/cost")).toEqual({
      ...free,
      revision: 3,
      executionCount: 0,
      ...tokens(0),
    });
  });

  test("model usage has one entry a model", { tags: "nightly" }, async () => {
    const entry = (number: number, modelId: string, count: number) => ({
      revision: number,
      modelId,
      providerId: "echo",
      inputTokens: 2 * count,
      outputTokens: 2 * count,
      cachedTokens: 0,
      thinkingTokens: 0,
      executionCount: count,
      unpricedCount: 0,
      inputCost: 0,
      outputCost: 0,
      totalCost: 0,
    });
    expect(await get("revisions/2/model-usages")).toEqual([entry(2, "echo-2", 1)]);
    expect(await get("revisions/*/model-usages")).toEqual([
      entry(0, "echo-1", 3),
      entry(0, "echo-2", 1),
    ]);
    expect(await get("revisions/3/model-usages")).toEqual([]);
  });

  test("unknown agents and revisions are 404; * is for cost and usage alone", {
    tags: "nightly",
  }, async () => {
    for (const path of [
      "b/history",
      "b/revisions/*/cost",
      "a/revisions/4/cost",
      "a/revisions/4/model-usages",
    ]) {
      expect((await own.try("GET", `/agents/${path}`)).status, path).toBe(404);
    }
    for (const [method, path] of [
      ["GET", "revisions/*"],
      ["POST", "revisions/*:deploy"],
    ] as const) {
      const response = await own.try(method, `/agents/a/${path}`);
      expect(expectProblem(response)).toMatchObject({ slug: "validation-failed", status: 400 });
    }
  });
});
