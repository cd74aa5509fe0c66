import { afterAll, beforeAll, expect, it } from "vitest";
import { runWharf } from "./run-wharf.ts";
import { json, problem, type StandIn, startStandIn } from "./stand-in.ts";

let api: StandIn;
let polls = 0;

const event = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
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
  output: "the end",
  error: null,
};

beforeAll(async () => {
  api = await startStandIn(({ method, url: { pathname } }, response) => {
    if (method === "POST" && pathname.endsWith("/denied:execute")) {
      return problem(response, 402, "budget-exceeded");
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

it("goes on with record and trace when the stream hands over, and exits by the status", async () => {
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
