import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWharf } from "./run-wharf.ts";
import { json, type StandIn, startStandIn } from "./stand-in.ts";

/** The experiment of an agent named like the status that it ends with. */
const buildExperiment = (status: string) => ({
  id: status,
  status,
  error: status === "CostLimit" ? "The maximum cost was reached." : null,
  revisions: [1],
  progress: { total: 3, completed: 2, failed: 0 },
  totalCost: 0.5,
  priced: false,
  endedAt: 2_000,
  summary: [
    {
      revision: 1,
      scorer: "correct",
      mean: 0.9 - 1e-12,
      interval: [0.71234, 1],
      passRate: 2 / 3,
      count: 3,
      failures: 0,
      unscored: 0,
      totalCost: 0.5,
      priced: true,
      p50Ms: 900,
      p95Ms: 1_500,
    },
    {
      revision: 1,
      scorer: "polite",
      mean: null,
      interval: null,
      passRate: null,
      count: 0,
      failures: 3,
      unscored: 3,
      totalCost: 0,
      priced: false,
      p50Ms: null,
      p95Ms: null,
    },
  ],
});

let api: StandIn;
let status = "";

beforeAll(async () => {
  api = await startStandIn(({ method, url: { pathname } }, response) => {
    if (pathname.endsWith("/agents/empty")) return json(response, { latestRevision: null });
    if (pathname.endsWith("/agents/desk")) return json(response, { latestRevision: 1 });
    if (method === "GET") return json(response, buildExperiment(pathname.split("/").at(-1) ?? ""));
    json(response, { ...buildExperiment(status), status: "Queued", endedAt: null }, 202);
  });
});
afterAll(() => api.close());

const run = (...options: string[]) =>
  runWharf(
    [
      ...["experiments", "run", "--dataset", "cases", "--agent", "desk", "--revision", "1"],
      ...["--scorer", "correct", "--scorer", "polite", ...options],
    ],
    { env: { WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" } },
  );

describe("wharf experiments run", () => {
  it("accepts a mean that is below its minimum only by rounding, and no lower one", async () => {
    status = "Succeeded";
    expect(await run("--min", "correct=0.9")).toEqual({
      exitCode: 0,
      stdout: [
        "REVISION  SCORER   MEAN  95 % INTERVAL  PASSED  FAILURES  COST      P50     P95",
        "1         correct  0.9   0.712 to 1     66.7 %  0         $0.50     900 ms  1.5 s",
        "1         polite   none  none           none    3         no price  none    none",
        "",
      ].join("\n"),
      stderr:
        "Started the experiment Succeeded.\nSucceeded: 2 of 3 runs, 0 failed, cost $0.50 + no price\n",
    });
    expect(await run("--min", "polite=0")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(
        "wharf: Revision 1 fell short: polite has no score, its minimum is 0.\n",
      ),
    });
  });

  it("runs the latest revision, and starts nothing for an agent that has none", async () => {
    status = "Succeeded";
    const latest = await run("--revision", "latest");
    expect(latest.exitCode).toBe(0);
    const sent = api.requests.length;
    const empty = await run("--agent", "empty", "--revision", "latest");
    expect(empty).toMatchObject({
      exitCode: 1,
      stderr: "wharf: The agent empty has no revision.\n",
    });
    expect(api.requests.slice(sent).map(({ method }) => method)).toEqual(["GET"]);
    const misspelled = await run("--revision", "lates");
    expect(misspelled).toMatchObject({ exitCode: 2, stdout: "" });
  });

  it.each(["Failed", "Cancelled", "CostLimit"])("exits with 1 when it ends as %s", async (end) => {
    status = end;
    const ended = await run("--min", "polite=1", "--json");
    expect(ended.exitCode).toBe(1);
    expect(JSON.parse(ended.stdout)).toEqual(buildExperiment(end));
    expect(ended.stderr).toMatch(
      new RegExp(`^${end}: 2 of 3 runs, 0 failed, cost \\$0.50 \\+ no price$`, "m"),
    );
  });

  it.each([
    [["--min", "correct"], "--min must be scorer=mean"],
    [["--min", "other=1"], "--min names other"],
    [["--min", "correct=1", "--no-wait"], "Remove --no-wait"],
    [["--max-cost", "0"], "It must be a positive number"],
  ])("refuses %j before anything is sent", async (options, message) => {
    const sent = api.requests.length;
    const refused = await run(...options);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(api.requests).toHaveLength(sent);
  });
});
