import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

const Ran = z.looseObject({ executionId: z.string() });
const List = z.object({
  items: z.array(z.looseObject({ id: z.string() })),
  nextPageToken: z.string().nullable(),
});

const worker = {
  parametersMetadata: [{ name: "number", type: "String", required: true }],
  flow: {
    steps: [{ id: "out", type: "Output", value: "{% $number(input.number) %}" }],
    edges: [],
  },
};

let own: Awaited<ReturnType<typeof newOrganization>>;

beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("worker", worker);
});

const run = async (path: string, number: string, metadata: Record<string, string> = {}) => {
  const response = await own.try("POST", `/agents/worker${path}`, {
    body: { input: { number }, metadata },
  });
  return Ran.parse(response.body).executionId;
};

describe("a list of executions", () => {
  const list = async (query: string) => {
    const { body } = await own.send("GET", `/agents/worker/execution-records${query}`);
    return List.parse(body);
  };
  const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
  let good: string;
  let bad: string;
  let tested: string;

  beforeAll(async () => {
    good = await run(":execute", "1", { ticket: "7" });
    bad = await run(":execute", "no number", { ticket: "8" });
    await own.send("POST", "/agents/worker/revisions", worker);
    tested = await run("/revisions/2:test", "2", { ticket: "7" });
  });

  test("shows the status of executions, and the problem of failed ones", async () => {
    const { items } = await list("");
    expect(items).toMatchObject([
      { id: tested, status: "Succeeded", errorType: null },
      { id: bad, status: "Failed", errorType: "execution-failed" },
      { id: good, status: "Succeeded", errorType: null },
    ]);
  });

  test("is filtered by status, revision, trigger type and metadata, together", {
    tags: "nightly",
  }, async () => {
    expect(await ids("?status=Failed")).toEqual([bad]);
    expect(await ids("?status=Running")).toEqual([]);
    expect(await ids("?revision=1")).toEqual([bad, good]);
    expect(await ids("?triggerType=5")).toEqual([tested]);
    expect(await ids("?metadata.ticket=7")).toEqual([tested, good]);
    expect(await ids("?metadata.ticket=7&status=Succeeded&triggerType=0")).toEqual([good]);
    expect(await ids("?metadata.toString=7")).toEqual([]);
  });

  test("continues by the token of a filtered page", async () => {
    const first = await list("?status=Succeeded&PageSize=1");
    expect(first).toMatchObject({ items: [{ id: tested }], nextPageToken: "1" });
    expect(await list("?status=Succeeded&PageSize=1&PageToken.Skip=1")).toMatchObject({
      items: [{ id: good }],
      nextPageToken: null,
    });
  });

  test("refuses an unknown filter, and a duplicate one", async () => {
    const refused = async (query: string) =>
      expectProblem(await own.try("GET", `/agents/worker/execution-records${query}`));
    expect(await refused("?state=Failed&metadata.=1")).toMatchObject({
      errors: [{ pointer: "query/state" }, { pointer: "query/metadata." }],
    });
    expect(await refused("?metadata.a=1&metadata.a=2")).toMatchObject({
      errors: [{ pointer: "query/metadata.a", detail: "is given more than once" }],
    });
  });

  test("is filtered by the trace that started an execution, or its own", {
    tags: "nightly",
  }, async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const start = async (traceparent: string) => {
      const headers = { traceparent: `00-${traceparent}-01` };
      const body = { input: { number: "no number" } };
      const caller = { token: own.token, headers, body };
      await call("POST", `${own.base}/agents/worker:execute`, caller);
      return (await list("?PageSize=1")).items[0];
    };
    const traced = await start(`${traceId}-00f067aa0ba902b7`);
    const untraced = await start(`${traceId}-0000000000000000`);
    const ownTrace = untraced?.id.replaceAll("-", "");
    expect([traced, untraced]).toMatchObject([{ traceId }, { traceId: ownTrace }]);
    expect(await ids(`?traceId=${traceId}`)).toEqual([traced?.id]);
    expect(await ids(`?traceId=${ownTrace}`)).toEqual([untraced?.id]);
    for (const wrong of [traceId.toUpperCase(), "0".repeat(32), traceId.slice(1)]) {
      const response = await own.try("GET", `/agents/worker/execution-records?traceId=${wrong}`);
      expect(expectProblem(response)).toMatchObject({ errors: [{ pointer: "query/traceId" }] });
    }
  });

  test("is filtered by metadata with names such as `__proto__`, which are stored as any other", {
    tags: "nightly",
  }, async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    const sent = JSON.parse(`{${names.map((name) => `"${name}":"of ${name}"`).join(",")}}`);
    const odd = await run(":execute", "no number", sent);
    for (const name of names) {
      const filter = (value: string) => ids(`?metadata.${name}=${encodeURIComponent(value)}`);
      expect(await filter(`of ${name}`), name).toEqual([odd]);
      expect(await filter("1"), name).toEqual([]);
    }
    const { text } = await own.send("GET", `/agents/worker/execution-records/${odd}`);
    for (const name of names) expect(text).toContain(`"${name}":"of ${name}"`);
    const input = '{"input":{"number":"1","__proto__":"2"}}';
    const refused = await own.try("POST", "/agents/worker:execute", { body: JSON.parse(input) });
    expect(expectProblem(refused)).toMatchObject({ errors: [{ pointer: "/input/__proto__" }] });
    expect(expectProblem(await own.try("GET", "/agents?__proto__=1"))).toMatchObject({
      errors: [{ pointer: "query/__proto__" }],
    });
  });
});

describe("a list of the executions of all agents", () => {
  const secret = "s3cret-of-the-caller";
  const failing = {
    parametersMetadata: [{ name: "token", type: "String", secret: true }],
    flow: {
      steps: [
        { id: "out", type: "Output", value: `{% $error(input.token & "${" long".repeat(60)}") %}` },
      ],
      edges: [],
    },
  };
  const guarded = {
    parametersMetadata: [{ name: "text", type: "String" }],
    guardrails: ["no-codes"],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input.text & '-7' %}" }], edges: [] },
  };
  const parent = {
    flow: {
      steps: [
        { id: "ask", type: "SubAgent", agentId: "failing", input: {}, onError: { value: "none" } },
        { id: "out", type: "Output", value: "done" },
      ],
      edges: [{ source: "ask", target: "out" }],
    },
  };
  let tenant: typeof own;
  const ran: string[] = [];

  const execute = async (agent: string, body: object) => {
    const response = await tenant.try("POST", `/agents/${agent}:execute`, { body });
    ran.push(Ran.parse(response.body).executionId);
  };
  const listAll = async (query = "") =>
    List.parse((await tenant.send("GET", `/execution-records${query}`)).body);
  const ids = async (query: string) => (await listAll(query)).items.map(({ id }) => id);

  beforeAll(async () => {
    tenant = await newOrganization();
    await tenant.send("POST", "/guardrails", {
      id: "no-codes",
      displayName: "No codes",
      checks: [
        { id: "code", type: "Pattern", on: ["output"], pattern: "code-[0-9]", action: "block" },
      ],
    });
    await tenant.deployAgent("failing", failing);
    await tenant.deployAgent("guarded", guarded);
    await tenant.deployAgent("parent", parent);
    await execute("failing", { input: { token: secret }, metadata: { ticket: "7" } });
    await execute("guarded", { input: { text: "code" } });
    await execute("parent", {});
  });

  test("has those of sub-agents, and shows errors without secrets and without what a guardrail blocked", async () => {
    const { items } = await listAll();
    const [failed, blocked, called] = ran;
    expect(items).toMatchObject([
      { agentId: "failing", trigger: { type: 4, id: called }, status: "Failed" },
      { id: called, agentId: "parent", status: "Succeeded", errorDetail: null },
      { id: blocked, agentId: "guarded", errorType: "guardrail-blocked" },
      { id: failed, agentId: "failing", errorType: "execution-failed" },
    ]);
    const details = items.map(({ errorDetail }) => z.string().nullable().parse(errorDetail));
    expect(details[3]).toHaveLength(200);
    expect(details[3]).toContain("********");
    expect(details[2]).toContain("no-codes");
    expect(JSON.stringify(items)).not.toMatch(new RegExp(`${secret}|code-7`));
    const { body } = await tenant.send("GET", `/agents/failing/execution-records/${failed}`);
    const record = z.looseObject({ error: z.looseObject({ detail: z.string() }) }).parse(body);
    expect(record.error.detail.slice(0, 200)).toBe(details[3]);
    expect(record).not.toHaveProperty("errorDetail");
    const own = List.parse((await tenant.send("GET", "/agents/failing/execution-records")).body);
    expect(own.items).toEqual(items.filter(({ agentId }) => agentId === "failing"));
  });

  test("is filtered, also by agent, and continues by its token", async () => {
    const [failed, blocked, called] = ran;
    const [inner] = await ids("?triggerType=4");
    expect(await ids("?status=Failed")).toEqual([inner, blocked, failed]);
    expect(await ids("?metadata.ticket=7")).toEqual([failed]);
    expect(await ids("?agentId=failing")).toEqual([inner, failed]);
    expect(await ids("?agentId=failing&metadata.ticket=7")).toEqual([failed]);
    expect(await ids(`?traceId=${blocked?.replaceAll("-", "")}`)).toEqual([blocked]);
    expect(await listAll("?PageSize=3")).toMatchObject({ nextPageToken: "3" });
    expect(await ids("?PageSize=3&PageToken.Skip=3")).toEqual([failed]);
    expect(await ids("?startTime=1&endTime=2")).toEqual([]);
    const refused = async (query: string) =>
      expectProblem(await tenant.try("GET", `/execution-records${query}`));
    expect(await refused("?agentId=unknown")).toMatchObject({ slug: "not-found" });
    expect(await refused("?startTime=2&endTime=1")).toMatchObject({
      errors: [{ pointer: "query/startTime" }],
    });
    expect((await ids("")).includes(called ?? "")).toBe(true);
  });

  test("is filtered by a text of inputs and outputs, and finds neither a secret nor what a guardrail blocked", async () => {
    const [, blocked, called] = ran;
    expect(await ids("?text=CODE")).toEqual([blocked]);
    expect(await ids("?text=Done&status=Succeeded")).toEqual([called]);
    expect(await ids("?agentId=guarded&text=cod")).toEqual([blocked]);
    expect(await ids("?text=code-7")).toEqual([]);
    expect(await ids(`?text=${secret}`)).toEqual([]);
  });

  test("needs executions:read, and has nothing of another tenant", async () => {
    const get = async (key: string) => call("GET", `${tenant.base}/execution-records`, { key });
    expect(expectProblem(await get(await tenant.mintKey(["agents:execute"]))).slug).toBe(
      "insufficient-scope",
    );
    expect((await get(await tenant.mintKey(["executions:read"]))).status).toBe(200);
    const { body } = await own.send("GET", "/execution-records?PageSize=200");
    expect(List.parse(body).items.filter(({ id }) => ran.includes(id))).toEqual([]);
  });
});

describe("examples made of executions", () => {
  test("have their inputs without secrets, and the outputs of those that succeeded", async () => {
    await own.deployAgent("keeper", {
      parametersMetadata: [
        { name: "number", type: "String" },
        { name: "token", type: "String", secret: true },
      ],
      flow: {
        steps: [{ id: "out", type: "Output", value: "{% $number(input.number) %}" }],
        edges: [],
      },
    });
    const executed = async (number: string) => {
      const body = { input: { number, token: "hidden" } };
      return Ran.parse((await own.try("POST", "/agents/keeper:execute", { body })).body)
        .executionId;
    };
    const executionIds = [await executed("1"), await executed("no number")];
    await own.send("POST", "/datasets", { id: "cases", displayName: "Cases" });
    const add = (options: { ids?: string[]; key?: string; agentId?: string } = {}) => {
      const { ids = executionIds, agentId = "keeper", key } = options;
      const path = `${own.base}/datasets/cases/examples:from-executions`;
      const caller = key ? { key } : { token: own.token };
      return call("POST", path, { ...caller, body: { agentId, executionIds: ids } });
    };
    const first = await add();
    expect(first).toMatchObject({ status: 201, body: { version: 1, ids: executionIds } });
    const metadata = (executionId: string) => ({
      agentId: "keeper",
      agentRevision: 1,
      executionId,
    });
    const { body } = await own.send("GET", "/datasets/cases/examples");
    expect(body).toMatchObject({
      items: [
        { id: executionIds[0], input: { number: "1" }, expected: 1 },
        { id: executionIds[1], input: { number: "no number" }, expected: null },
      ].map((example, at) => ({ ...example, metadata: metadata(executionIds[at] ?? "") })),
    });
    expect(JSON.stringify(body)).not.toMatch(/token|hidden|\*\*/);
    // Those that the dataset has already change nothing.
    expect((await add()).body).toEqual(first.body);

    const other = await run(":execute", "1");
    expect(expectProblem(await add({ ids: [executionIds[0] ?? "", other] }))).toMatchObject({
      errors: [{ pointer: "/executionIds/1", detail: "is not an execution of this agent" }],
    });
    const writer = await own.mintKey(["datasets:write"]);
    expect(expectProblem(await add({ key: writer }))).toMatchObject({
      slug: "insufficient-scope",
      requiredScope: "executions:read",
    });
  });
});

describe("the starter of an execution", () => {
  test("reads its record at the Location of the 202, and cancels it, with agents:execute alone", {
    tags: "nightly",
  }, async () => {
    const key = await own.mintKey(["agents:execute"]);
    const other = await own.mintKey(["agents:execute"]);
    const started = await call("POST", `${own.base}/agents/worker:execute`, {
      key,
      body: { input: { number: "1" } },
      headers: { Prefer: "respond-async" },
    });
    expect(started.status).toBe(202);
    const location = started.headers.get("location") ?? "";
    const read = await call("GET", location, { key });
    expect(read.body).toMatchObject({ id: Ran.parse(started.body).executionId });
    for (const path of [location, `${location.slice(0, -12)}000000000000`]) {
      const refused = await call("GET", path, { key: other });
      expect(expectProblem(refused)).toMatchObject({
        slug: "insufficient-scope",
        requiredScope: "executions:read",
      });
    }
    const trace = await call("GET", `${location}/trace`, { key });
    expect(expectProblem(trace)).toMatchObject({ requiredScope: "traces:read" });
    for (const path of [location, `${location.slice(0, -12)}000000000000`]) {
      const refused = await call("POST", `${path}:cancel`, { key: other });
      expect(expectProblem(refused)).toMatchObject({
        slug: "insufficient-scope",
        requiredScope: "executions:read",
      });
    }
    const reader = await own.mintKey(["executions:read"]);
    const unable = await call("POST", `${location}:cancel`, { key: reader });
    expect(expectProblem(unable)).toMatchObject({ requiredScope: "agents:execute" });
    const cancelled = await call("POST", `${location}:cancel`, { key });
    expect([202, 409]).toContain(cancelled.status);
    const both = await own.mintKey(["agents:execute", "executions:read"]);
    expect((await call("POST", `${location}:cancel`, { key: both })).status).toBe(409);
  });
});

describe("scores of an execution", () => {
  test("are created by a key or once by a link, shown by the record, and counted by name", {
    tags: "nightly",
  }, async () => {
    const id = await run(":execute", "1");
    const record = `/agents/worker/execution-records/${id}`;
    const [writer, reader] = [
      await own.mintKey(["traces:write"]),
      await own.mintKey(["traces:read"]),
    ];
    const send = (key: string, method: string, path: string, body?: unknown) =>
      call(method, own.base + path, { key, ...(body !== undefined && { body }) });
    const review = { id: "review", name: "correct", value: 0.5 };
    expect((await send(reader, "POST", `${record}/scores`, review)).status).toBe(403);
    expect(await send(writer, "POST", `${record}/scores`, review)).toMatchObject({
      status: 201,
      body: { ...review, source: "Api", comment: null, spanId: null },
    });
    const outside = { ...review, value: 1e10 };
    const refused = await send(writer, "POST", `${record}/scores`, outside);
    expect(expectProblem(refused)).toMatchObject({ errors: [{ pointer: "/value" }] });

    const linked = { names: ["helpful"], expiresInSeconds: 60 };
    const { url } = z
      .object({ url: z.url() })
      .parse((await send(writer, "POST", `${record}:feedback-link`, linked)).body);
    const { pathname } = new URL(url);
    const give = (path: string) => call("POST", path, { body: { value: true, comment: "Thanks" } });
    const wrong = await give(`${pathname.slice(0, -1)}!`);
    expect(expectProblem(wrong)).toMatchObject({
      slug: "not-found",
      instance: `${own.base}/feedback`,
    });
    expect(wrong.text).not.toContain(pathname.slice(-20, -1));
    const limit = Number(wrong.headers.get("x-ratelimit-limit"));
    expect(Number(wrong.headers.get("x-ratelimit-remaining"))).toBeLessThan(limit);
    const given = await give(pathname);
    expect([given.status, given.text]).toEqual([204, ""]);
    expect(expectProblem(await give(pathname)).slug).toBe("conflict");
    expect((await call("GET", pathname)).status).toBe(405);

    expect((await own.send("GET", record)).body).toMatchObject({
      scores: [review, { name: "helpful", value: true, source: "FeedbackLink" }],
    });
    expect((await send(writer, "DELETE", `${record}/scores/review`)).status).toBe(204);
    expect((await send(reader, "GET", `${record}/scores`)).body).toMatchObject({
      items: [{ name: "helpful", comment: "Thanks" }],
    });
    const today = new Date().toISOString().slice(0, 10);
    const usage = await own.send("GET", `/usage?from=${today}&to=${today}&groupBy=score`);
    expect(usage.body).toMatchObject({
      items: [{ date: today, key: "helpful", executionCount: 1, totalCost: 0, meanScore: 1 }],
    });
  });

  test("are changed by their caller, and by others with agents:write alone", {
    tags: "nightly",
  }, async () => {
    const scores = `${own.base}/agents/worker/execution-records/${await run(":execute", "1")}/scores`;
    const [writer, other, manager] = [
      await own.mintKey(["traces:write"]),
      await own.mintKey(["traces:write"]),
      await own.mintKey(["traces:write", "agents:write"]),
    ];
    const put = (key: string, value: number, id = "review") =>
      call("POST", scores, { key, body: { id, name: "correct", value } });
    const remove = (key: string, id = "review") => call("DELETE", `${scores}/${id}`, { key });
    expect((await put(writer, 0.1)).status).toBe(201);
    expect((await put(writer, 0.2)).status).toBe(201);
    expect(expectProblem(await put(other, 0.3)).slug).toBe("conflict");
    expect(expectProblem(await remove(other)).slug).toBe("conflict");
    expect((await own.send("GET", scores.slice(own.base.length))).body).toMatchObject({
      items: [{ id: "review", value: 0.2 }],
    });
    expect((await put(manager, 0.4)).status).toBe(201);
    expect(expectProblem(await put(writer, 0.5)).slug).toBe("conflict");
    expect((await remove(manager)).status).toBe(204);
    for (const id of ["evaluation-0123456789abcdef", "thumbs-0123456789abcdef"]) {
      expect(expectProblem(await put(manager, 1, id))).toMatchObject({
        slug: "validation-failed",
        errors: [{ pointer: "/id" }],
      });
    }
  });

  test("of a feedback link are neither taken before it is used, nor changed by its creator", {
    tags: "nightly",
  }, async () => {
    const record = `${own.base}/agents/worker/execution-records/${await run(":execute", "1")}`;
    const key = await own.mintKey(["traces:write"]);
    const link = async () => {
      const body = { names: ["helpful"], expiresInSeconds: 60 };
      const created = await call("POST", `${record}:feedback-link`, { key, body });
      const { pathname } = new URL(z.looseObject({ url: z.url() }).parse(created.body).url);
      const [claims = ""] = pathname.slice(pathname.lastIndexOf("/") + 1).split(".");
      const read = JSON.parse(Buffer.from(claims, "base64url").toString());
      return { pathname, id: z.tuple([z.string()]).rest(z.unknown()).parse(read)[0] };
    };
    const give = (pathname: string) => call("POST", pathname, { body: { value: false } });
    const [used, taken] = [await link(), await link()];
    expect((await give(used.pathname)).status).toBe(204);
    const flattering = { id: used.id, name: "helpful", value: true };
    const replaced = await call("POST", `${record}/scores`, { key, body: flattering });
    expect(expectProblem(replaced).slug).toBe("conflict");
    const removed = await call("DELETE", `${record}/scores/${used.id}`, { key });
    expect(expectProblem(removed).slug).toBe("conflict");
    const body = { ...flattering, id: taken.id };
    expect((await call("POST", `${record}/scores`, { key, body })).status).toBe(201);
    expect(expectProblem(await give(taken.pathname)).slug).toBe("conflict");
  });

  test("are created in the background by the scorers of the agent's online evaluation", {
    tags: "nightly",
  }, async () => {
    const scorer = { id: "one", displayName: "One", type: "Expression", value: "output = 1" };
    await own.send("POST", "/scorers", scorer);
    // A judge's rating is JSON, which echo does not return.
    const judge = { type: "Judge", llm: { providerId: "echo" }, rubric: "Is it kind?" };
    await own.send("POST", "/scorers", { id: "kind", displayName: "Kind", ...judge });
    await own.deployAgent("evaluated", worker);
    const evaluation = { scorers: ["one", "kind"], sampleRate: 1, monthlyLimit: 1 };
    await own.send("PUT", "/agents/evaluated/online-evaluation", evaluation);
    const body = { input: { number: "1" } };
    const executed = await own.send("POST", "/agents/evaluated:execute", body);
    const { executionId } = Ran.parse(executed.body);
    await expect
      .poll(
        async () =>
          (await own.send("GET", `/agents/evaluated/execution-records/${executionId}`)).body,
        { timeout: 20_000, interval: 200 },
      )
      .toMatchObject({ scores: [{ name: "one", value: 1, source: "Evaluation" }] });
    const read = async () => (await own.send("GET", "/agents/evaluated/online-evaluation")).body;
    const failures = [{ scorer: "kind", failedThisMonth: 1, executionId }];
    await expect
      .poll(read, { timeout: 20_000, interval: 200 })
      .toMatchObject({ ...evaluation, evaluatedThisMonth: 1, failures });
    const today = new Date().toISOString().slice(0, 10);
    const days = `from=${today}&to=${today}&agent=evaluated`;
    expect((await own.send("GET", `/usage?${days}&groupBy=trigger`)).body).toMatchObject({
      items: [{ key: "(evaluation)", executionCount: 0 }, { key: "0" }],
    });
    await own.send("DELETE", "/agents/evaluated/online-evaluation");
    const missing = await own.try("GET", "/agents/evaluated/online-evaluation");
    expect(expectProblem(missing).slug).toBe("not-found");
  });
});

test("a change of a tenant's retention is shown by the tenant, and recorded", async () => {
  const changed = await own.send("PATCH", "", { retention: { executionDays: 90 } });
  const retention = { executionDays: 90, traceDays: 30, deliveryDays: 30 };
  expect(changed.body).toMatchObject({ id: own.tenantId, retention });
  expect((await own.send("GET", "")).body).toEqual(changed.body);
  const records = await call("GET", "/v1/auditEvents?resourceType=Tenant", {
    token: own.token,
  });
  expect(records.body).toMatchObject({
    items: [
      {
        action: "updateTenant",
        resource: { type: "Tenant", id: own.tenantId },
        changes: ["retention"],
      },
      { action: "createTenant" },
    ],
  });
});
