import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import * as z from "zod";
import { call, newOrganization } from "../harness/api.ts";
import { listen as listenAt } from "../harness/listen.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const extension = "io.modelcontextprotocol/tasks";

const Exposed = z.object({ id: z.string(), mcpKey: z.object({ key: z.string() }) });
const Response = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});

const asking = {
  flow: {
    steps: [
      { id: "ask", type: "Approval", title: "Refund?", allowStarter: true },
      { id: "out", type: "Output", value: { decided: "{% steps.ask.output.action %}" } },
    ],
    edges: [{ source: "ask", target: "out" }],
  },
};
const waiting = {
  flow: { steps: [{ id: "pause", type: "Wait", seconds: 86_400 }], edges: [] },
};

type McpPlace = { path: string; key?: string; token?: string };

/** Posts a request of the revision 2026-07-28 to a server, as a client that takes tasks. */
const post = (
  server: McpPlace,
  method: string,
  params: Record<string, unknown>,
  {
    capabilities = { extensions: { [extension]: {} } },
    accept = "application/json, text/event-stream",
  }: { capabilities?: object; accept?: string } = {},
) =>
  call("POST", server.path, {
    ...(server.token !== undefined && { token: server.token }),
    headers: {
      ...(server.key !== undefined && { "x-api-key": server.key }),
      accept,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof params.name === "string" && { "mcp-name": params.name }),
      ...(typeof params.taskId === "string" && { "mcp-name": params.taskId }),
    },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
          [capabilitiesKey]: capabilities,
        },
      },
    },
  });

const send = async (
  server: McpPlace,
  method: string,
  params: Record<string, unknown>,
  capabilities?: object,
) => {
  const { status, body } = await post(server, method, params, {
    ...(capabilities && { capabilities }),
  });
  return { status, ...Response.parse(body) };
};

/** Subscribes to notifications; returns the messages of the stream after its end. */
const listen = async (server: McpPlace, notifications: object) => {
  const { status, headers, text } = await post(server, "subscriptions/listen", { notifications });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(headers.get("x-accel-buffering")).toBe("no");
  return readMessages(text);
};

/** Returns the messages of a stream that has ended. */
const readMessages = (text: string): unknown[] =>
  text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));

let own: Organization;
let server: { path: string; key: string };
let other: { path: string; key: string };

const expose = async (agents: readonly string[]) => {
  const created = await own.send("POST", "/integration-configs", {
    integrationId: "system",
    exposeMcp: true,
    parameters: { tools: [], agents },
  });
  const { id, mcpKey } = Exposed.parse(created.body);
  await own.send("POST", `/integration-configs/${id}:publish`);
  return { path: `${own.base}/mcp/${id}`, key: mcpKey.key };
};

beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("asking", asking);
  await own.deployAgent("waiting", waiting);
  server = await expose(["asking", "waiting"]);
  other = await expose(["waiting"]);
});

const taskId = (result: Record<string, unknown> | undefined) =>
  z.object({ taskId: z.string() }).parse(result).taskId;

describe("tasks over MCP", () => {
  test("are declared by the server", async () => {
    const { result } = await send(server, "server/discover", {});
    expect(result).toMatchObject({ capabilities: { extensions: { [extension]: {} } } });
  });

  test("an agent that waits for people is a task that needs input, with the id of the execution", {
    tags: "nightly",
  }, async () => {
    const created = await send(server, "tools/call", { name: "asking", arguments: {} });
    expect(created.result).toMatchObject({
      resultType: "task",
      status: "input_required",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      ttlMs: 400 * 86_400_000,
      pollIntervalMs: expect.any(Number),
    });
    expect(created.result).not.toHaveProperty("content");
    const id = taskId(created.result);
    const record = await own.send("GET", `/agents/asking/execution-records/${id}`);
    expect(record.body).toMatchObject({ id, status: "Waiting" });
    const read = await send(server, "tasks/get", { taskId: id });
    expect(read.result).toMatchObject({ resultType: "complete", status: "input_required" });
    const { inputRequests } = z
      .object({ inputRequests: z.record(z.string(), z.unknown()) })
      .parse(read.result);
    const [[key, request] = ["", undefined]] = Object.entries(inputRequests);
    expect(request).toMatchObject({ method: "elicitation/create", params: { mode: "url" } });
    await own.send("POST", `/approvals/${key}:decide`, { action: "approve" });
    const readResult = async () => (await send(server, "tasks/get", { taskId: id })).result;
    await expect.poll(readResult).toMatchObject({
      status: "completed",
      result: { structuredContent: { decided: "approve" } },
    });
  });

  test("a user who may decide is asked by a form, and their response continues the execution", async () => {
    const asUser = { path: server.path, token: own.token };
    const { result } = await send(asUser, "tools/call", { name: "asking", arguments: {} });
    const { taskId: id, status } = z
      .object({ taskId: z.string(), status: z.string() })
      .parse(result);
    expect(status).toBe("input_required");
    const asked = z
      .object({
        inputRequests: z.record(z.string(), z.object({ params: z.object({ mode: z.string() }) })),
      })
      .parse((await send(asUser, "tasks/get", { taskId: id })).result);
    const [[key, request] = ["", undefined]] = Object.entries(asked.inputRequests);
    expect(request?.params.mode).toBe("form");
    const inputResponses = { [key]: { action: "accept", content: { action: "approve" } } };
    const updated = await send(asUser, "tasks/update", { taskId: id, inputResponses });
    expect(updated.result).toMatchObject({ resultType: "complete" });
    const readResult = async () => (await send(asUser, "tasks/get", { taskId: id })).result;
    await expect.poll(readResult).toMatchObject({
      status: "completed",
      result: { structuredContent: { decided: "approve" } },
    });
  });

  test("a task that waits for a time is working, and says until when", async () => {
    const { result } = await send(server, "tools/call", { name: "waiting", arguments: {} });
    expect(result).toMatchObject({
      resultType: "task",
      status: "working",
      statusMessage: expect.stringContaining("it waits until"),
    });
  });

  test("a cancelled task is cancelled; cancelling it again changes nothing", async () => {
    const { result } = await send(server, "tools/call", { name: "waiting", arguments: {} });
    const id = taskId(result);
    for (const _attempt of [1, 2]) {
      const cancelled = await send(server, "tasks/cancel", { taskId: id });
      expect(cancelled.result).toMatchObject({ resultType: "complete" });
    }
    const read = await send(server, "tasks/get", { taskId: id });
    expect(read.result).toMatchObject({ status: "cancelled" });
  });

  test("a client that does not declare them gets the wait as a result, and -32021 for their methods", async () => {
    const called = await send(server, "tools/call", { name: "waiting", arguments: {} }, {});
    expect(called.result).toMatchObject({ resultType: "complete", isError: true });
    for (const [method, params] of [
      ["tasks/get", {}],
      ["tasks/update", { inputResponses: {} }],
      ["tasks/cancel", {}],
    ] as const) {
      const taskId = "0193f0a0-7c4b-7000-8000-000000000000";
      const refused = await send(server, method, { taskId, ...params }, {});
      expect(refused.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      });
    }
  });

  test("do not exist for another server, for another key or for an id of no task", {
    tags: "nightly",
  }, async () => {
    const { result } = await send(server, "tools/call", { name: "asking", arguments: {} });
    const id = taskId(result);
    const stranger = {
      path: server.path,
      key: await own.mintKey(["mcp:invoke", "agents:execute"]),
    };
    const places = [
      [other, id],
      [stranger, id],
      [server, "0193f0a0-7c4b-7000-8000-000000000000"],
      [server, "a task"],
    ] as const;
    for (const [at, taskId] of places) {
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const params = { taskId, ...(method === "tasks/update" && { inputResponses: {} }) };
        expect((await send(at, method, params)).error).toMatchObject({ code: -32602 });
      }
    }
    const reader = {
      path: server.path,
      key: await own.mintKey(["mcp:invoke", "agents:execute", "executions:read"]),
    };
    expect((await send(reader, "tasks/get", { taskId: id })).result).toMatchObject({ taskId: id });
  });
});

/** A service that responds to a request when it is released. */
const startSlowService = async () => {
  const released = new Map<string, PromiseWithResolvers<void>>();
  const find = (path: string) => {
    const gate = released.get(path) ?? Promise.withResolvers<void>();
    released.set(path, gate);
    return gate;
  };
  const service = await listenAt(
    createServer(async ({ url = "" }, response) => {
      await find(url).promise;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ path: url }));
    }),
  );
  onTestFinished(service.close);
  return { url: service.url, release: (path: string) => find(path).resolve() };
};

test("a call that outlasts 20 s is a task of a client that takes them, with its result later, and another client waits for its result", {
  tags: "nightly",
  timeout: 90_000,
}, async () => {
  const service = await startSlowService();
  const parametersMetadata = [{ name: "path", type: "String", required: true }];
  const ask = {
    id: "ask",
    type: "Tool",
    integrationId: "system",
    toolId: "http_get",
    parameters: { url: `${service.url}{% input.path %}` },
  };
  const out = { id: "out", type: "Output", value: { found: "{% steps.ask.output.body %}" } };
  const flow = { steps: [ask, out], edges: [{ source: "ask", target: "out" }] };
  await own.deployAgent("lasting", { parametersMetadata, flow });
  const place = await expose(["lasting"]);
  const callAgent = async (path: string, capabilities?: object) => {
    const params = { name: "lasting", arguments: { path } };
    const given = capabilities && { capabilities };
    const { headers, text } = await post(place, "tools/call", params, given);
    const isStream = headers.get("content-type")?.startsWith("text/event-stream");
    const messages = isStream ? readMessages(text) : [JSON.parse(text)];
    return Response.parse(messages.at(-1)).result;
  };
  const waitingCall = callAgent("/waiting", {});
  const created = await callAgent("/task");
  expect(created).toMatchObject({ resultType: "task", status: "working" });
  const id = taskId(created);
  const record = await own.send("GET", `/agents/lasting/execution-records/${id}`);
  expect(record.body).toMatchObject({ id, agentId: "lasting" });
  const read = async () => (await send(place, "tasks/get", { taskId: id })).result;
  expect(await read()).toMatchObject({ status: "working" });

  service.release("/waiting");
  const waited = await waitingCall;
  expect(waited).toMatchObject({
    resultType: "complete",
    structuredContent: { found: { path: "/waiting" } },
  });
  expect(waited?.isError).not.toBe(true);

  service.release("/task");
  await expect.poll(read, { timeout: 20_000 }).toMatchObject({
    status: "completed",
    taskId: id,
    result: { structuredContent: { found: { path: "/task" } } },
  });
});

describe("a subscription over MCP", () => {
  const _meta = { "io.modelcontextprotocol/subscriptionId": 1 };
  const acknowledged = (notifications: object) => ({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { notifications, _meta },
  });
  const ended = {
    jsonrpc: "2.0",
    id: 1,
    result: { resultType: "complete", _meta: expect.objectContaining(_meta) },
  };

  const connect = async ({ path, token }: { path: string; token: string }) => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "auto" }, capabilities: { extensions: { [extension]: {} } } },
    );
    onTestFinished(() => client.close());
    const errors: Error[] = [];
    client.onerror = (error) => void errors.push(error);
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    const url = new URL(inject("stack").baseUrl + path);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return { client, errors };
  };

  test("of the official client follows a task through what it asks to its result, and ends gracefully", async () => {
    const asUser = { path: server.path, token: own.token };
    const { result } = await send(asUser, "tools/call", { name: "asking", arguments: {} });
    const id = taskId(result);
    const { client } = await connect(asUser);
    const Task = z.looseObject({ taskId: z.string(), status: z.string() });
    const tasks: z.output<typeof Task>[] = [];
    client.setNotificationHandler("notifications/tasks", { params: Task }, (task) => {
      tasks.push(task);
    });
    // The client's own types have no kinds of extensions.
    const filter = { toolsListChanged: true, taskIds: [id] };
    const subscription = await client.listen(filter);
    expect(subscription.honoredFilter).toEqual({});
    await expect.poll(() => tasks).toHaveLength(1);
    const [asked] = tasks;
    expect(asked).toMatchObject({ taskId: id, status: "input_required" });
    const [key = ""] = Object.keys(z.record(z.string(), z.unknown()).parse(asked?.inputRequests));
    await own.send("POST", `/approvals/${key}:decide`, { action: "approve" });
    expect(await subscription.closed).toBe("graceful");
    const read = await send(asUser, "tasks/get", { taskId: id });
    const { resultType, _meta: _server, ...task } = read.result ?? {};
    expect(tasks.at(-1)).toEqual(expect.objectContaining(task));
    expect(task).toMatchObject({ taskId: id, status: "completed" });
  });

  test("ends when the official client closes it, and the task continues", async () => {
    const asUser = { path: server.path, token: own.token };
    const { result } = await send(asUser, "tools/call", { name: "waiting", arguments: {} });
    const { client, errors } = await connect(asUser);
    const filter = { toolsListChanged: true, taskIds: [taskId(result)] };
    const subscription = await client.listen(filter);
    await subscription.close();
    expect(await subscription.closed).toBe("local");
    expect(errors).toEqual([]);
    const read = await send(asUser, "tasks/get", { taskId: taskId(result) });
    expect(read.result).toMatchObject({ status: "working" });
    // Its function is not notified of the client's leave, and ends with the task.
    await send(asUser, "tasks/cancel", { taskId: taskId(result) });
  });

  test("is acknowledged with the tasks that exist for the caller, and ends when all have ended", async () => {
    const { result } = await send(server, "tools/call", { name: "waiting", arguments: {} });
    const id = taskId(result);
    await send(server, "tasks/cancel", { taskId: id });
    const unknown = ["0193f0a0-7c4b-7000-8000-000000000000", "a task"];
    const messages = await listen(server, { taskIds: [id, ...unknown] });
    expect(messages).toEqual([
      acknowledged({ taskIds: [id] }),
      {
        jsonrpc: "2.0",
        method: "notifications/tasks",
        params: expect.objectContaining({ taskId: id, status: "cancelled", _meta }),
      },
      ended,
    ]);
    const stranger = {
      path: server.path,
      key: await own.mintKey(["mcp:invoke", "agents:execute"]),
    };
    expect(await listen(stranger, { taskIds: [id] })).toEqual([acknowledged({}), ended]);
  });

  test("to kinds that the server has not is acknowledged without them, and ends", async () => {
    const { result } = await send(server, "server/discover", {});
    const extensions = { [extension]: {} };
    expect(result?.capabilities).toEqual({ tools: {}, resources: {}, extensions });
    const messages = await listen(server, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["file:///a"],
    });
    expect(messages).toEqual([acknowledged({}), ended]);
  });

  test("is refused to clients that do not declare tasks or accept no stream, and of the revisions of 2025", async () => {
    const params = { notifications: { taskIds: ["0193f0a0-7c4b-7000-8000-000000000000"] } };
    const method = "subscriptions/listen";
    const undeclared = await send(server, method, params, {});
    expect(undeclared).toMatchObject({ status: 400, error: { code: -32021 } });
    const accept = "application/json";
    const json = await post(server, method, params, { accept });
    expect(json).toMatchObject({ status: 406, body: { id: 1, error: { code: -32000 } } });
    const missing = await send(server, method, {});
    expect(missing.error).toMatchObject({ code: -32602 });
    const { body } = await call("POST", server.path, {
      key: server.key,
      body: { jsonrpc: "2.0", id: 1, method, params },
    });
    expect(body).toMatchObject({ error: { code: -32601 } });
  });
});
