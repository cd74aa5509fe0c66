import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runWharf } from "./run-wharf.ts";
import { json, page, problem, type StandIn, startStandIn } from "./stand-in.ts";

const session = {
  id: "ticket/1",
  agentId: "host",
  endUserId: "ada",
  status: "Idle",
  executionId: null,
  queuedCount: 0,
  turnCount: 2,
  createdAt: 0,
  modifiedAt: 1_000,
  expiresAt: null,
};
const said = { executionId: "e-1", files: [], toolCalls: [], results: [], createdAt: 1 };
const messages = [
  {
    ...said,
    role: "user",
    text: "How much?",
    files: [{ id: "f-1", name: "bill.png", mediaType: "image/png", bytes: 9 }],
  },
  {
    ...said,
    role: "assistant",
    text: "",
    toolCalls: [{ id: "c1", name: "calculate", arguments: { expression: "1 + 1" } }],
  },
  {
    ...said,
    role: "tool",
    text: null,
    results: [{ id: "c1", name: "calculate", output: 2, isError: false }],
  },
  { ...said, role: "assistant", text: "It is 2." },
];

const failedRecord = {
  id: "e-2",
  agentRevision: 1,
  startTime: 1_000,
  endTime: 2_000,
  status: "Failed",
  ...{ inputTokens: 0, outputTokens: 0, totalCost: 0, priced: true },
  session: { id: "new-1" },
  output: null,
  citations: [],
  error: { title: "Failed", status: 422, detail: "No model." },
};

let api: StandIn;
let count = 0;
beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    const { method, url } = arrived;
    const { pathname } = url;
    if (pathname.endsWith(":execute")) {
      count += 1;
      const result = {
        executionId: `e-${count}`,
        agentRevision: 1,
        startTime: 1_000,
        endTime: 2_000,
        status: count === 2 ? "Failed" : "Succeeded",
        session: { id: "new-1" },
        output: `answer ${count}`,
        citations: [],
      };
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const isFailed = count === 2;
      const failure = { type: "/problems/execution-failed", title: "Failed", status: 422 };
      const last = isFailed
        ? ["execution.failed", { ...failure, detail: "No model.", executionId: result.executionId }]
        : ["execution.completed", result];
      return response.end(
        [["execution.started", { ...result, status: "Running", endTime: null }], last]
          .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          .join(""),
      );
    }
    if (pathname.endsWith("/trace")) return json(response, { executionId: "e-2", spans: [] });
    if (pathname.endsWith("/execution-records/e-2")) return json(response, failedRecord);
    if (pathname.endsWith("/messages")) return page(response, arrived, messages);
    if (pathname.endsWith("/sessions")) return page(response, arrived, [session]);
    if (method === "DELETE") return response.writeHead(204).end();
    if (pathname.includes("/sessions/")) return json(response, session);
    problem(response, 404, "not-found");
  });
});
beforeEach(() => {
  count = 0;
  api.requests.length = 0;
});
afterAll(() => api.close());

const env = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });
const run = (args: string[], stdin = "") => runWharf(args, { env: env(), stdin });

it("sessions are listed, those of one end user too", async () => {
  const { stdout, exitCode } = await run(["sessions", "list", "host", "--end-user", "ada"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^ID +STATUS +END USER +TURNS +CHANGED +EXPIRES *\nticket\/1 +Idle +ada +2 /,
  );
  expect(api.requests[0]?.url.searchParams.get("endUserId")).toBe("ada");
});

it("a session is shown with its messages, the calls of tools and their results", async () => {
  const { stdout } = await run(["sessions", "get", "host", "ticket/1"]);
  expect(stdout).toContain("How much?");
  expect(stdout).toMatch(/^file +bill\.png f-1$/m);
  expect(stdout).toContain('calculate {"expression":"1 + 1"}');
  expect(stdout).toContain("calculate 2");
  expect(stdout).toContain("It is 2.");
  expect(api.requests[0]?.url.pathname).toMatch(/\/agents\/host\/sessions\/ticket%2F1$/);
  const inJson = await run(["sessions", "get", "host", "ticket/1", "--json"]);
  expect(JSON.parse(inJson.stdout)).toEqual({ session, messages });
});

it("a session is deleted after a confirmation only", async () => {
  const refused = await run(["sessions", "delete", "host", "ticket/1"]);
  expect(refused.exitCode).not.toBe(0);
  expect(api.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  const done = await run(["sessions", "delete", "host", "ticket/1", "--yes"]);
  expect(done).toMatchObject({ exitCode: 0, stderr: "Deleted ticket/1.\n" });
});

it("a chat sends each line to one session, which it begins, and continues after a failed execution", async () => {
  const { exitCode, stdout, stderr } = await run(["chat", "host"], "one\n\ntwo\nthree\n");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "answer 1\nanswer 3\n" });
  expect(stderr).toContain("Session new-1\n");
  expect(stderr).toContain("Failed");
  expect(count).toBe(3);
});

it("a chat prints JSON lines, with the session that it continues", async () => {
  const { stdout } = await run(["chat", "host", "--session", "s-1", "--json"], "one\n");
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    session: "s-1",
    executionId: "e-1",
    output: "answer 1",
  });
});
