import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { noCost, noTokens } from "../../lib/engine/models/sums.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { transact } from "../../lib/platform/db/transact.ts";
import { uuidAt } from "../../lib/platform/runtime/runtime.ts";
import { type CountedExecution, countUsage } from "../../lib/spending/usage/count-usage.ts";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { tableOfStack } from "../harness/stack-table.ts";

const Report = z.strictObject({
  items: z.array(z.looseObject({ date: z.string(), key: z.string() })),
});

describe("usage over time", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  const today = new Date().toISOString().slice(0, 10);

  const get = async (query: string) =>
    Report.parse((await own.send("GET", `/usage?${query}`)).body).items;
  /** Counts an execution of a past day, as its end would have. */
  const count = (
    day: string,
    models: readonly string[],
    change: Partial<CountedExecution> = {},
  ) => {
    const startTime = Date.parse(day);
    return transact(tableOfStack(), [
      countUsage(
        TenantId.parse(own.tenantId),
        {
          id: uuidAt(startTime, crypto.getRandomValues(new Uint8Array(16))),
          agentId: "a",
          agentRevision: 1,
          startTime,
          status: "Succeeded",
          trigger: { type: 0 },
          ...change,
        },
        {
          models: models.map((modelId) => ({
            providerId: "p",
            modelId,
            tokens: { inputTokens: 10, outputTokens: 5, cachedTokens: 2, thinkingTokens: 1 },
            cost: { ...noCost, inputCost: 0.1, outputCost: 0.2, totalCost: 0.3 },
            priced: true,
          })),
        },
      ),
    ]);
  };
  const counts = (executionCount: number, calls: number, failedCount = 0) => ({
    executionCount,
    failedCount,
    unpricedCount: 0,
    inputTokens: 10 * calls,
    outputTokens: 5 * calls,
    cachedTokens: 2 * calls,
    thinkingTokens: calls,
    inputCost: calls === 3 ? 0.3 : 0.1 * calls,
    outputCost: calls === 3 ? 0.6 : 0.2 * calls,
    totalCost: calls === 3 ? 0.9 : 0.3 * calls,
  });

  beforeAll(async () => {
    own = await newOrganization();
    await own.deployAgent("hello", {
      flow: {
        steps: [
          { id: "ask", type: "Prompt", llm: { providerId: "echo" }, prompt: "12345678" },
          { id: "end", type: "Output", value: "{% steps.ask.output %}" },
        ],
        edges: [{ source: "ask", target: "end" }],
      },
    });
    await own.send("POST", "/agents/hello:execute", {});
    await count("2025-01-31T23:59:59.999Z", ["m"]);
    await count("2025-02-01T00:00:00.000Z", ["m", "n"]);
    await count("2025-02-01T12:00:00.000Z", ["m"], { status: "Failed", agentRevision: 2 });
    await count("2025-02-01T12:00:00.000Z", [], { agentId: "b", trigger: { type: 2 } });
    await count("2025-02-03T00:00:00.000Z", ["m"], { status: "TimedOut" });
  });

  test("has the usage of an execution on the day of its start", async () => {
    expect(await get(`from=${today}&to=${today}&groupBy=agent`)).toEqual([
      {
        date: today,
        key: "hello",
        executionCount: 1,
        failedCount: 0,
        unpricedCount: 0,
        ...{ ...noTokens, inputTokens: 2, outputTokens: 2 },
        inputCost: 0,
        outputCost: 0,
        totalCost: 0,
      },
    ]);
    expect(await get(`from=${today}&to=${today}&groupBy=model`)).toMatchObject([
      { key: expect.stringMatching(/^echo\/./), executionCount: 1, inputTokens: 2 },
    ]);
  });

  test.each([
    [
      "agent",
      [
        { date: "2025-01-31", key: "a", ...counts(1, 1) },
        { date: "2025-02-01", key: "a", ...counts(2, 3, 1) },
        { date: "2025-02-01", key: "b", ...counts(1, 0) },
        { date: "2025-02-03", key: "a", ...counts(1, 1, 1) },
      ],
    ],
    [
      "model",
      [
        { date: "2025-01-31", key: "p/m", ...counts(1, 1) },
        { date: "2025-02-01", key: "p/m", ...counts(2, 2, 1) },
        { date: "2025-02-01", key: "p/n", ...counts(1, 1) },
        { date: "2025-02-03", key: "p/m", ...counts(1, 1, 1) },
      ],
    ],
    [
      "revision",
      [
        { date: "2025-01-31", key: "a/1", ...counts(1, 1) },
        { date: "2025-02-01", key: "a/1", ...counts(1, 2) },
        { date: "2025-02-01", key: "a/2", ...counts(1, 1, 1) },
        { date: "2025-02-01", key: "b/1", ...counts(1, 0) },
        { date: "2025-02-03", key: "a/1", ...counts(1, 1, 1) },
      ],
    ],
    [
      "trigger",
      [
        { date: "2025-01-31", key: "0", ...counts(1, 1) },
        { date: "2025-02-01", key: "0", ...counts(2, 3, 1) },
        { date: "2025-02-01", key: "2", ...counts(1, 0) },
        { date: "2025-02-03", key: "0", ...counts(1, 1, 1) },
      ],
    ],
  ])("groups days by %s", async (groupBy, items) => {
    expect(await get(`from=2025-01-01&to=2025-12-31&groupBy=${groupBy}`)).toEqual(items);
  });

  test("has both ends of its range, and is narrowed to an agent", async () => {
    const dates = async (query: string) => (await get(query)).map(({ date }) => date);
    expect(await dates("from=2025-01-31&to=2025-02-01&groupBy=agent&agent=a")).toEqual([
      "2025-01-31",
      "2025-02-01",
    ]);
    expect(await dates("from=2025-02-02&to=2025-02-03&groupBy=trigger")).toEqual(["2025-02-03"]);
    expect(await dates("from=2025-01-01&to=2025-12-31&groupBy=agent&agent=b")).toEqual([
      "2025-02-01",
    ]);
    expect(await get("from=2025-01-01&to=2025-12-31&groupBy=agent&agent=none")).toEqual([]);
  });

  test.each([
    ["query/from", "to=2025-01-01&groupBy=agent"],
    ["query/to", "from=2025-01-01&groupBy=agent"],
    ["query/from", "from=2025-02-30&to=2025-03-01&groupBy=agent"],
    ["query/from", "from=2025-03-02&to=2025-03-01&groupBy=agent"],
    ["query/to", "from=2024-01-01&to=2025-01-01&groupBy=agent"],
    ["query/groupBy", "from=2025-01-01&to=2025-01-01&groupBy=day"],
    ["query/agent", "from=2025-01-01&to=2025-01-01&groupBy=agent&agent=%20"],
    ["query/day", "from=2025-01-01&to=2025-01-01&groupBy=agent&day=1"],
  ])("is refused with the pointer %s: %s", async (pointer, query) => {
    expect(expectProblem(await own.try("GET", `/usage?${query}`))).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer }],
    });
  });

  test("may have 366 days", async () => {
    expect(await get("from=2024-01-01&to=2024-12-31&groupBy=agent")).toEqual([]);
  });
});
