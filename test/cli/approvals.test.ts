import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createWaitingPrinter } from "../../cli/commands/run/print-waiting.ts";
import { createClient } from "../../client/client.ts";
import { runWharf } from "./run-wharf.ts";
import { json, type StandIn, startStandIn } from "./stand-in.ts";

const hour = 3_600_000;
const until = Date.parse("2126-01-01T00:00:00Z");
const decision = { fields: {}, comment: null, decidedBy: "ada@example.com", decidedAt: 2 };
const approval = {
  id: "a-1",
  kind: "Step",
  agentId: "pay",
  agentRevision: 1,
  executionId: "e-1",
  stepId: "ask",
  title: "Pay?",
  message: null,
  data: null,
  fields: [],
  actions: [{ id: "approve" }, { id: "reject" }],
  toolId: null,
  arguments: null,
  connectionId: null,
  authorizeUrl: null,
  approvers: {
    users: ["ada@example.com"],
    roles: ["Owner"],
    emails: null,
    chat: { connectorId: "team", conversationId: "C1" },
  },
  minApprovals: 2,
  decisions: [{ ...decision, action: "approve" }],
  status: "Pending",
  createdAt: 0,
  expiresAt: until,
  decidedAt: null,
};
const execution = {
  executionId: "e-1",
  agentRevision: 1,
  startTime: 1_000,
  endTime: null,
  status: "Waiting",
};
const record = {
  id: "e-1",
  agentRevision: 1,
  startTime: 1_000,
  endTime: 3_000,
  status: "Succeeded",
  ...{ inputTokens: 0, outputTokens: 0, totalCost: 0, priced: true },
  output: "paid",
  citations: [],
  error: null,
};

/** The approval of a consent that a tool of another execution needs. */
const authorizeUrl = "https://api.example.com/connection-links/x";
const consent = { ...approval, id: "a-2", kind: "Authorization", authorizeUrl };

let api: StandIn;
let polls = 0;
beforeAll(async () => {
  api = await startStandIn(({ method, url: { pathname, searchParams }, headers }, response) => {
    if (pathname.endsWith("/approvals")) {
      const items = searchParams.get("executionId") === "e-2" ? [consent] : [approval];
      return json(response, { items, nextPageToken: null });
    }
    if (pathname.endsWith("/approvals/a-2")) return json(response, consent);
    if (pathname.endsWith(":decide")) {
      return json(response, { ...approval, status: "Decided", createdAt: 0, decidedAt: 26 * hour });
    }
    if (pathname.endsWith("/approvals/a-1")) return json(response, approval);
    if (method === "POST" && headers.accept === "text/event-stream") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const started = `event: execution.started\ndata: ${JSON.stringify(execution)}\n\n`;
      const waiting = JSON.stringify({ ...execution, approvals: ["a-1"], until });
      return response.end(`${started}event: execution.waiting\ndata: ${waiting}\n\n`);
    }
    // The execution is handed over before it waits.
    if (method === "POST") return json(response, { ...execution, status: "Running" }, 202);
    if (pathname.endsWith("/trace")) return json(response, { executionId: "e-1", spans: [] });
    polls += 1;
    json(response, polls === 1 ? { ...record, status: "Waiting", endTime: null } : record);
  });
});
beforeEach(() => {
  polls = 0;
});
afterAll(() => api.close());

const env = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });
const asked = "ada@example.com, Owner, the chat of team";

it.each([
  [["--stream"], "Waiting until 2126-01-01T00:00:00.000Z\n"],
  [[], ""],
])(
  "a run %j shows once whom it waits for, and continues to the end",
  { tags: "nightly" },
  async (options, first) => {
    const run = await runWharf(["run", "pay", ...options], { env: env() });
    expect(run).toMatchObject({ exitCode: 0, stdout: "paid\n" });
    const waiting = `Waiting for an approval: Pay? (${asked}; until 2126-01-01T00:00:00Z)\n`;
    expect(run.stderr).toContain(
      `${first}${waiting}  wharf approvals decide a-1 approve|reject\nSucceeded: `,
    );
    expect(run.stderr.split("Waiting for")).toHaveLength(2);
  },
);

it("approvals are listed with the time they have waited and their approvers; --mine asks the API", async () => {
  const list = await runWharf(["approvals", "list", "--mine"], { env: env() });
  expect(list.stdout).toMatch(/ID +STATUS +AGENT +TITLE +WAITED +EXPIRES +APPROVERS +DECISION\n/);
  expect(list.stdout).toMatch(/Pay\? +\d+ d \d+ h /);
  expect(list.stdout).toContain(asked);
  expect(api.requests.at(-1)?.url.searchParams.get("mayDecide")).toBe("true");
  const get = await runWharf(["approvals", "get", "a-1"], { env: env() });
  expect(get.stdout).toMatch(/Waits for +\d+ d \d+ h\n/);
  expect(get.stdout).toMatch(new RegExp(`Approvers +${asked}\n`));
  expect(get.stdout).toMatch(/Needed +2 people\n/);
});

it("a consent that an execution waits for is shown with its address", async () => {
  const get = await runWharf(["approvals", "get", "a-2"], { env: env() });
  expect(get.stdout).toMatch(new RegExp(`Give consent at +${authorizeUrl}\n`));
  const stderr = new PassThrough();
  const client = createClient({ baseUrl: api.url, credentials: () => ({ token: "a-token" }) });
  const print = createWaitingPrinter({ client, tenant: "demo" }, { stderr });
  await print("e-2");
  expect(await text(stderr.end())).toContain(`  Give consent at ${authorizeUrl}\n`);
});

it("a decision says after which time it was made", async () => {
  const decided = await runWharf(["approvals", "decide", "a-1", "approve"], { env: env() });
  expect(decided.stderr).toBe(
    "Decided after 1 d 2 h: approve. The execution e-1 of pay continues.\n",
  );
});
