import { afterAll, beforeAll, expect, it } from "vitest";
import { runWharf } from "./run-wharf.ts";
import { json, problem, type StandIn, startStandIn } from "./stand-in.ts";

let api: StandIn;
let polls = 0;

const event = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const clearScreen = "\u001b[2J";
const span = (stepId: string, status = "Succeeded") => ({
  id: stepId,
  parentId: null,
  stepId,
  status,
  error: null,
});
const record = {
  id: "e-1",
  agentRevision: 1,
  startTime: 1_000,
  inputTokens: 3,
  outputTokens: 4,
  totalCost: 0.012,
  priced: true,
  output: "the end",
  citations: [],
  error: null,
};

const cited = {
  ...{ stepId: "out", assetId: "docs", documentId: "d", documentName: `a${clearScreen}.md` },
  ...{ link: "https://example.com/a", text: "A passage.", score: 1 },
};

const delta = (stepId: string, text: string) => ["output.delta", { stepId, text }] as const;
const started = (stepId: string) => ["step.started", { stepId, attempt: 1 }] as const;
const completed = (stepId: string) => ["step.completed", { stepId, output: "" }] as const;
/** The events of an execution with parallel steps that stream concurrently. */
const parallel = [
  ["execution.started", { executionId: "e-2" }],
  started("en"),
  started("es"),
  delta("en", "One "),
  delta("es", "Uno "),
  started("de"),
  delta("en", "two "),
  delta("de", "Eins "),
  delta("es", "dos"),
  delta("en", "three"),
  [
    "step.failed",
    {
      stepId: "es",
      error: { type: "upstream-failed", detail: "Too busy." },
      willRetry: false,
      handled: false,
    },
  ],
  completed("en"),
  delta("de", "zwei"),
  completed("de"),
  started("out"),
  completed("out"),
  [
    "execution.completed",
    {
      executionId: "e-2",
      status: "Succeeded",
      output: "Both",
      agentRevision: 1,
      startTime: 1_000,
      endTime: 2_000,
      usage: { inputTokens: 1, outputTokens: 1 },
      cost: { totalCost: 0 },
      priced: false,
      citations: [cited, { ...cited, text: "Another passage." }, { ...cited, link: null }],
    },
  ],
] as const;

/** The events of an execution with a step that is retried after some of its text. */
const failedOnce = {
  ...{ stepId: "a", willRetry: true, handled: false },
  error: { type: "upstream-failed", detail: "Too busy." },
};
const retried = [
  ["execution.started", { executionId: "e-3" }],
  started("a"),
  delta("a", "Half of"),
  ["step.failed", failedOnce],
  ["output.reset", { stepId: "a" }],
  ["step.started", { stepId: "a", attempt: 2 }],
  delta("a", "The whole"),
  completed("a"),
] as const;

beforeAll(async () => {
  api = await startStandIn(({ method, url: { pathname } }, response) => {
    if (method === "POST" && pathname.endsWith("/denied:execute")) {
      return problem(response, 402, "budget-exceeded");
    }
    if (method === "POST" && pathname.endsWith("/background:execute")) {
      return json(response, { executionId: `e-1${clearScreen}`, endTime: null }, 202);
    }
    if (pathname.endsWith("/agents/a/execution-records")) {
      const hostile = {
        ...record,
        id: `e-1${clearScreen}`,
        status: `Done${clearScreen}`,
        endTime: 2,
        errorType: null,
      };
      return json(response, { items: [hostile], nextPageToken: null });
    }
    if (method === "POST" && pathname.endsWith("/retried:execute")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      return response.end(retried.map(([name, data]) => event(name, data)).join(""));
    }
    if (method === "POST" && pathname.endsWith("/parallel:execute")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      return response.end(parallel.map(([name, data]) => event(name, data)).join(""));
    }
    if (method === "POST") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const started = event("execution.started", { executionId: "e-1" });
      const step = event("step.started", { stepId: "a", attempt: 1 });
      const text = event("output.delta", { stepId: "a", text: "Hi \u001b[2J" });
      const done = event("step.completed", { stepId: "a", output: "Hi" });
      return response.end(started + step + text + done);
    }
    if (pathname.endsWith("/trace")) {
      return json(response, {
        executionId: "e-1",
        spans: [span("a"), span("b"), span("c", "Skipped")],
      });
    }
    polls += 1;
    const status = polls === 1 ? "Running" : "TimedOut";
    json(response, { ...record, status, endTime: polls === 1 ? null : 3_000 });
  });
});
afterAll(() => api.close());

const env = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });

it("continues with record and trace when the stream hands over, and exits by the status", {
  tags: "nightly",
}, async () => {
  const run = await runWharf(["run", "a", "--stream"], { env: env() });
  expect(run).toMatchObject({ exitCode: 8, stdout: "Hi �[2J\n" });
  expect(run.stderr.split("\n")).toEqual([
    "▸ a",
    "✓ a",
    "✓ b",
    "TimedOut: 2.0 s, 3 + 4 tokens, cost $0.01, revision 1, execution e-1",
    "",
  ]);
});

it("says that the text before a retry is void, and prints the text after it on a line of its own", async () => {
  const run = await runWharf(["run", "retried", "--stream"], { env: env() });
  expect(run.stdout).toBe("Half of\nThe whole\n");
  expect(run.stderr.split("\n").slice(0, 5)).toEqual([
    "▸ a",
    "✗ a: Too busy.",
    "↺ a: the text so far is void, the step is retried",
    "▸ a, attempt 2",
    "✓ a",
  ]);
});

it("prints the outputs of concurrent steps one after another, not interleaved", async () => {
  const run = await runWharf(["run", "parallel", "--stream"], { env: env() });
  expect(run).toMatchObject({ exitCode: 0, stdout: "One two three\nUno dos\nEins zwei\nBoth\n" });
  expect(run.stderr.split("\n").slice(0, -2)).toEqual([
    ...["▸ en", "▸ es", "▸ en", "✓ en"],
    ...["▸ es", "✗ es: Too busy.", "▸ de", "✓ de", "▸ out", "✓ out"],
    ...["Sources found:", "  a�[2J.md  https://example.com/a", "  a�[2J.md  (docs)"],
  ]);
  expect(run.stderr).toContain("cost no price, revision 1,");
  const both = await runWharf(["run", "parallel", "--stream", "--json"], { env: env() });
  expect(both.stderr).toContain(
    "One two three\n✓ en\n▸ es\nUno dos\n✗ es: Too busy.\n▸ de\nEins zwei\n",
  );
});

it("and commands that follow executions print no control character of a server's ids", async () => {
  const background = await runWharf(["run", "background", "--background"], { env: env() });
  expect(background).toMatchObject({ exitCode: 0, stdout: "e-1\ufffd[2J\n" });
  const interrupt = AbortSignal.abort();
  const tail = ["executions", "tail", "a", "--last", "1"];
  const { stdout, stderr } = await runWharf(tail, { env: env(), interrupt });
  expect(stdout, stderr).toContain("e-1\ufffd[2J  Done\ufffd[2J");
});

it("that is refused ends as any refused request", async () => {
  const run = await runWharf(["run", "denied", "--stream"], { env: env() });
  expect(run).toMatchObject({ exitCode: 4, stdout: "" });
  expect(run.stderr).toContain("budget-exceeded");
});

it.each([
  [["run", "a", "--input", "name"], "--input must be name=value"],
  [["run", "a", "--input-file", "none.json"], "none.json cannot be read"],
  [["knowledge", "upload", "a", "-"], "--name is required"],
  [["knowledge", "upload", "a", "none.txt"], "none.txt cannot be read"],
  [["knowledge", "create", "a", "--embedding", "echo"], "--embedding must be provider/model"],
  [["knowledge", "create", "a", "--parameter", "token"], "--parameter must be name=value"],
])("refuses %j before it sends anything", async (args, words) => {
  const before = api.requests.length;
  const run = await runWharf(args, { env: env() });
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(words);
  expect(api.requests).toHaveLength(before);
});
