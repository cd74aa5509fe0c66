import { expect, inject, onTestFinished, test } from "vitest";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { versionParameter } from "../../lib/edge/a2a-error.ts";
import { expectProblem, newOrganization, type TestResponse } from "../harness/api.ts";
import { fillSlots } from "../harness/fill-slots.ts";
import { startModelServer } from "../harness/model-server.ts";

/*
 * The stack runs at most 25 functions of execute-agent at a time, two of them for one tenant. A tenant's calls that wait
 * for a model are more than all of them.
 */
const tenantSlots = 2;
const manyCalls = 30;
const pollOptions = { timeout: 120_000, interval: 500 };

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const thinker = {
  parametersMetadata: [{ name: "message", type: "String" }],
  llmConfigs: [{ providerId: "stand-in", parameters: { model: "any" } }],
  flow: { steps: [{ id: "think", type: "Prompt", prompt: "Think." }], edges: [] },
};

const deployAgent = async (own: Organization, url: string) => {
  await own.send("POST", "/llm-providers", {
    id: "stand-in",
    type: "openai-compatible",
    displayName: "Stand-in",
    baseUrl: `${url}/v1`,
    apiKey: "sk-test",
  });
  await own.deployAgent("thinker", thinker);
};

/** Two organizations: the models of one wait until the test ends the wait, those of the other do not. */
const startOrganizations = async () => {
  const gate = Promise.withResolvers<void>();
  const slow = await startModelServer({
    fallback: { after: gate.promise, reply: { text: "Done." } },
  });
  const fast = await startModelServer();
  onTestFinished(async () => {
    gate.resolve();
    await Promise.all([slow.close(), fast.close()]);
  });
  const [loud, quiet] = [await newOrganization(), await newOrganization()];
  await deployAgent(loud, slow.url);
  await deployAgent(quiet, fast.url);
  return { loud, quiet, slow, endWait: () => gate.resolve() };
};

const execute = (own: Organization, headers: Record<string, string> = {}) =>
  own.try("POST", "/agents/thinker:execute", { body: {}, headers });
const countStatuses = (responses: readonly TestResponse[]) =>
  Object.fromEntries(
    Map.groupBy(responses, ({ status }) => status)
      .entries()
      .map(([status, { length }]) => [status, length]),
  );
/**
 * Starts calls in waves of ten. A wave starts once all calls before it have responded, except those
 * that wait in their slots.
 */
const startInWaves = async <Result>(start: () => Promise<Result>, waiting = tenantSlots) => {
  const calls: Promise<Result>[] = [];
  let ended = 0;
  while (calls.length < manyCalls) {
    for (let at = 0; at < 10; at += 1) {
      const call = start();
      calls.push(call);
      void call.finally(() => {
        ended += 1;
      });
    }
    await expect.poll(() => ended, pollOptions).toBeGreaterThanOrEqual(calls.length - waiting);
  }
  return calls;
};
const Records = z.object({ items: z.array(z.looseObject({ status: z.string() })) });

/** A slot is for the tenant, so nothing of the tenant can free it before the test ends. */
const requireFull = (response: TestResponse) => {
  expect(expectProblem(response)).toMatchObject({ status: 429, slug: "rate-limit-exceeded" });
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
};

test("a tenant with more calls of a slow agent than there are functions does not delay another's first call, and all its calls end once", {
  tags: "nightly",
}, async () => {
  const { loud, quiet, slow, endWait } = await startOrganizations();
  const calls = await startInWaves(() => execute(loud));
  await expect.poll(() => slow.requests.length, pollOptions).toBeGreaterThanOrEqual(tenantSlots);
  expect((await execute(quiet)).status).toBe(200);
  endWait();
  expect(countStatuses(await Promise.all(calls))).toEqual({ 200: tenantSlots, 202: manyCalls - 2 });
  const statuses = async () => {
    const path = `/agents/thinker/execution-records?PageSize=${manyCalls}`;
    return Records.parse((await loud.send("GET", path)).body).items.map(({ status }) => status);
  };
  await expect.poll(statuses, pollOptions).toEqual(Array(manyCalls).fill("Succeeded"));
  expect(slow.requests).toHaveLength(manyCalls);
});

test("a tenant that opens more event streams than there are functions delays no other's first call", async () => {
  const { loud, quiet, slow, endWait } = await startOrganizations();
  const open = async () => {
    const path = `${inject("stack").baseUrl}${loud.base}/agents/thinker:execute`;
    const response = await fetch(path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${loud.token}`,
        Accept: "text/event-stream",
        "Content-Type": "application/json",
      },
      body: "{}",
    });
    const { status, headers } = response;
    return { status, retryAfter: headers.get("retry-after"), end: () => response.text() };
  };
  const streams = await Promise.all(await startInWaves(open, 0));
  const opened = streams.filter(({ status }) => status === 200);
  expect(opened).toHaveLength(tenantSlots);
  const refused = streams.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(manyCalls - tenantSlots);
  for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
  expect((await execute(quiet)).status).toBe(200);
  endWait();
  for (const { end } of opened) expect(await end()).toContain("event: execution.completed");
  expect(slow.requests).toHaveLength(tenantSlots);
});

const heavy = "{% $sum([1..20000].($ * 2)) %}";

test("while all slots are taken, an agent without external calls runs in its call, unless it takes long", {
  tags: "nightly",
}, async () => {
  const own = await newOrganization();
  const steps = Array.from({ length: 60 }, (_, at) => ({
    id: `s${at}`,
    type: "Transform",
    value: heavy,
  }));
  const edges = steps.slice(1).map(({ id }, at) => ({ source: `s${at}`, target: id }));
  await own.deployAgent("quick", {
    parametersMetadata: [],
    flow: {
      steps: [{ id: "say", type: "Prompt", llm: { providerId: "echo" }, prompt: "Hello" }],
      edges: [],
    },
  });
  await own.deployAgent("busy", { parametersMetadata: [], flow: { steps, edges } });
  const free = await fillSlots("execute-agent", own.tenantId, tenantSlots);
  expect((await own.try("POST", "/agents/quick:execute", { body: {} })).status).toBe(200);
  expect((await own.try("POST", "/agents/busy:execute", { body: {} })).status).toBe(202);
  const streamed = { body: {}, headers: { Accept: "text/event-stream" } };
  requireFull(await own.try("POST", "/agents/quick:execute", streamed));
  await free();
  const status = async () =>
    Records.parse((await own.send("GET", "/agents/busy/execution-records")).body).items[0]?.status;
  await expect.poll(status, pollOptions).toBe("Succeeded");
});

/** Requires the refusal of a call for which no slot is free, in OpenAI's format. */
const requireFullOpenAi = ({ body, headers }: TestResponse): void => {
  expect(body).toMatchObject({ error: { type: "too_many_requests", code: "rate-limit-exceeded" } });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
};

/** Requires the refusal of a call for which no slot is free, in the format of one of A2A's bindings. */
const requireFullA2a = ({ body, headers }: TestResponse): void => {
  expect(JSON.stringify(body)).toContain('"problem":"rate-limit-exceeded"');
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
};

/** A message of A2A for an agent without inputs. */
const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ data: {} }] };

const waiting = routes.filter(({ slots }) => slots !== undefined);

test("every row that calls other systems, or takes longer than a plain call may, has slots", () => {
  expect(waiting.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(["execute-agent", "test-revision", "call-mcp", "run-tool"]),
  );
  for (const { operation, problems, timeoutSeconds, slots } of routes) {
    const callsOut = problems.some((slug) => slug.startsWith("upstream-")) || timeoutSeconds > 29;
    if (callsOut) expect(slots, operation).toBeDefined();
  }
});

const variables: Readonly<Record<string, string>> = {
  agent: "thinker",
  integration: "system",
  tool: "current_time",
  llmProvider: "stand-in",
  revision: "1",
};
const unknown = "0193f0a0-7c4b-7000-8000-000000000002";
/** Calls of them reach nothing outside of this machine. */
const harmless = [
  "run-tool",
  "test-llm-provider",
  "list-llm-models",
  "test-revision",
  "test-draft",
  "search-assets",
  "call-mcp",
];

test("while all slots of an operation are taken, all but :execute are refused with 429 before they call another system", {
  tags: "nightly",
}, async () => {
  const [own, other] = [await newOrganization(), await newOrganization()];
  const models = await startModelServer();
  onTestFinished(() => models.close());
  for (const tenant of [own, other]) await deployAgent(tenant, models.url);
  // Pages of consents show the refusal: see consent-limits.test.ts.
  const refusing = waiting.filter(
    ({ operation, scope }) => operation !== "execute-agent" && scope !== "public",
  );
  for (const { operation, method, path, body, protocol } of refusing) {
    const free = await fillSlots(operation, own.tenantId, tenantSlots);
    const place = path
      .slice("/v1/tenants/{tenant}".length)
      .replace(/\{(\w+)\}/g, (_, name: string) => variables[name] ?? unknown);
    const example =
      operation === "test-llm-provider" || operation === "test-revision"
        ? {}
        : body?.meta()?.example;
    const ofRow: Readonly<Record<string, object>> = {
      "run-tool": { parameters: {} },
      "test-draft": { revision: thinker },
      "send-a2a-message": { message },
      "stream-a2a-message": { message },
      "call-a2a": { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
    };
    const asked = { ...z.looseObject({}).optional().parse(example), model: "thinker" };
    const sent = ofRow[operation] ?? (protocol === "openai" ? asked : example);
    const headers = { [versionParameter]: "1.0" };
    const call = (who: Organization) =>
      who.try(method, place, sent === undefined ? { headers } : { body: sent, headers });
    const before = models.requests.length;
    const refused = await call(own);
    expect(refused.status, `${operation}: ${refused.text}`).toBe(429);
    if (protocol === "openai") requireFullOpenAi(refused);
    else if (protocol) requireFullA2a(refused);
    else requireFull(refused);
    expect(models.requests).toHaveLength(before);
    if (harmless.includes(operation)) {
      expect((await call(other)).status, operation).not.toBe(429);
    }
    await free();
    if (harmless.includes(operation)) {
      await expect.poll(async () => (await call(own)).status, pollOptions).not.toBe(429);
    }
  }
  expect(models.requests.length).toBeGreaterThan(0);
});

test("streams of subscriptions over MCP have half of the slots of calls: while they are taken calls are answered, and the end of a stream frees its slot", async () => {
  const own = await newOrganization();
  const steps = [{ id: "pause", type: "Wait", seconds: 86_400 }];
  await own.deployAgent("pausing", { flow: { steps, edges: [] } });
  const created = await own.send("POST", "/integration-configs", {
    integrationId: "system",
    exposeMcp: true,
    parameters: { tools: [], agents: ["pausing"] },
  });
  const { id } = z.object({ id: z.string() }).parse(created.body);
  await own.send("POST", `/integration-configs/${id}:publish`);
  const request = (method: string, name: string | undefined, params: object) => ({
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {
            extensions: { "io.modelcontextprotocol/tasks": {} },
          },
        },
      },
    },
  });
  const send = (method: string, name: string | undefined, params: object) =>
    own.try("POST", `/mcp/${id}`, request(method, name, params));
  const Task = z.object({ result: z.object({ taskId: z.string() }) });
  const start = async () => {
    const called = await send("tools/call", "pausing", { name: "pausing", arguments: {} });
    return Task.parse(called.body).result.taskId;
  };
  const cancel = (taskId: string) => send("tasks/cancel", taskId, { taskId });
  /** Opens a stream; returns when it has begun. */
  const subscribe = (taskId: string) => {
    const wanted = { notifications: { taskIds: [taskId] } };
    const { headers, body } = request("subscriptions/listen", undefined, wanted);
    const authorization = `Bearer ${own.token}`;
    return fetch(`${inject("stack").baseUrl}${own.base}/mcp/${id}`, {
      method: "POST",
      headers: { ...headers, authorization, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  };
  const followed = await start();
  const limit = tenantSlots / 2;
  const streams = await Promise.all(Array.from({ length: limit }, () => subscribe(followed)));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const refused = await send("subscriptions/listen", undefined, {
    notifications: { taskIds: [followed] },
  });
  requireFull(refused);
  const next = await start();
  await cancel(followed);
  for (const stream of streams) expect(await stream.text()).toContain('"status":"cancelled"');
  // For a second after a refusal, the slots count as taken.
  const begun: Response[] = [];
  const trySubscribe = async () => {
    begun.push(await subscribe(next));
    return begun.at(-1)?.status;
  };
  await expect.poll(trySubscribe, pollOptions).toBe(200);
  await cancel(next);
  expect(await begun.at(-1)?.text()).toContain('"status":"cancelled"');
});
