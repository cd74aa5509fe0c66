import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { call, newOrganization } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

const echo = { llmConfigs: [{ providerId: "echo", parameters: {} }] };
const say = { id: "say", type: "Prompt", prompt: "{% input.message %}" };
const message = { name: "message", type: "String", required: true };
const helper = { ...echo, parametersMetadata: [message], flow: { steps: [say], edges: [] } };

const buildFlow = (step: object) => ({
  parametersMetadata: [message],
  flow: { steps: [step], edges: [] },
});

/** Fails after a minute. */
const slow = buildFlow({
  id: "try",
  type: "Transform",
  value: "{% $error('not yet') %}",
  retry: { maxAttempts: 2, backoffSeconds: 60, on: ["execution-failed"] },
});
const failing = buildFlow({
  id: "fail",
  type: "Transform",
  value: "{% $error('no such order') %}",
});
/** Runs for about a second. */
const brief = buildFlow({
  id: "try",
  type: "Transform",
  value: "{% $error('late') %}",
  retry: { maxAttempts: 2, backoffSeconds: 1, on: ["execution-failed"] },
});
const asking = {
  parametersMetadata: [message],
  flow: {
    steps: [
      { id: "ask", type: "Approval", title: "Refund?", allowStarter: true },
      { id: "end", type: "Output", value: "Decided: {% steps.ask.output.action %}" },
    ],
    edges: [{ source: "ask", target: "end" }],
  },
};
/** Asks two people. */
const askingTwo = {
  ...asking,
  flow: {
    ...asking.flow,
    steps: asking.flow.steps.map((step) =>
      step.type === "Approval" ? { ...step, minApprovals: 2 } : step,
    ),
  },
};
const cities = {
  parametersMetadata: [
    { name: "city", type: "String", required: true, description: "Where." },
    { name: "days", type: "Integer", required: true },
  ],
  flow: {
    steps: [
      { id: "end", type: "Output", value: { place: "{% input.city %}", n: "{% input.days %}" } },
    ],
    edges: [],
  },
};
const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);
/** Returns the files that it was sent. */
const viewer = {
  parametersMetadata: [
    { name: "message", type: "String" },
    { name: "photo", type: "File", accept: ["image/*"], maxBytes: 1_000 },
    { name: "papers", type: "File", accept: ["text/*"], multiple: true },
  ],
  flow: {
    steps: [
      {
        id: "out",
        type: "Output",
        value: "{% {'text': input.message, 'photo': input.photo, 'papers': input.papers} %}",
      },
    ],
    edges: [],
  },
};
const guarded = { ...helper, guardrails: ["no-cats"] };

type Organization = Awaited<ReturnType<typeof newOrganization>>;

/** Creates the official client of an agent, from its card, for one of its bindings. */
const clientFor = async (
  own: Organization,
  agent: string,
  { key, binding, ask }: { key: string; binding: "JSONRPC" | "HTTP+JSON"; ask?: typeof fetch },
): Promise<Client> => {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${key}`);
    return (ask ?? fetch)(input, { ...init, headers });
  };
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl }),
      new RestTransportFactory({ fetchImpl }),
    ],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${inject("stack").baseUrl}${own.base}/agents/${agent}/a2a/`);
};

const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});
const dataPart = (value: unknown): Part => ({
  ...textPart(""),
  content: { $case: "data", value },
});

const filePart = (content: Part["content"], { mediaType = "", filename = "" } = {}): Part => ({
  ...textPart(""),
  content,
  mediaType,
  filename,
});

/** A request with a message of these parts; a text is one part. */
const ask = (
  parts: string | Part[],
  {
    taskId = "",
    contextId = "",
    ...configuration
  }: {
    taskId?: string;
    contextId?: string;
    returnImmediately?: boolean;
    historyLength?: number;
    acceptedOutputModes?: string[];
  } = {},
) => ({
  tenant: "",
  message: {
    messageId: randomUUID(),
    contextId,
    taskId,
    role: Role.ROLE_USER,
    parts: typeof parts === "string" ? [textPart(parts)] : parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately: false,
    ...configuration,
  },
  metadata: { ticket: "7" },
});

const toTask = (result: Awaited<ReturnType<Client["sendMessage"]>>): Task => {
  if (!("status" in result)) throw new Error("a message, and no task");
  return result;
};

/** Returns the contents of a task's artifacts. */
const outputs = ({ artifacts }: Pick<Task, "artifacts">) =>
  artifacts.flatMap(({ parts }) => parts.map(({ content }) => content?.value));

const readNote = ({ status }: Task): string =>
  (status?.message?.parts ?? [])
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join("");

const listStates = (events: readonly StreamResponse[]) =>
  events.flatMap(({ payload }) => {
    if (payload?.$case === "task" || payload?.$case === "statusUpdate") {
      return [payload.value.status?.state];
    }
    return [];
  });

/** Puts the artifact of a stream together, as the protocol says. */
const assemble = (events: readonly StreamResponse[]): unknown => {
  let output: unknown;
  for (const { payload } of events) {
    if (payload?.$case !== "artifactUpdate") continue;
    const [value] = outputs({ artifacts: payload.value.artifact ? [payload.value.artifact] : [] });
    output = payload.value.append ? `${output}${value}` : value;
  }
  return output;
};

/** Returns the error of a call. That of a stream by JSON-RPC is the cause of the client's error. */
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && error.cause) || error,
  );

let own: Organization;
let key: string;
beforeAll(async () => {
  own = await newOrganization();
  await own.send("POST", "/guardrails", {
    id: "no-cats",
    displayName: "No cats",
    checks: [{ id: "cats", type: "Pattern", pattern: "cat", on: ["input"], action: "block" }],
  });
  await own.deployAgent("helper", helper, "Helper");
  await own.deployAgent("talk", { ...helper, useSession: true });
  await own.deployAgent("slow", slow);
  await own.deployAgent("brief", brief);
  await own.deployAgent("failing", failing);
  await own.deployAgent("asking", asking);
  await own.deployAgent("asking-two", askingTwo);
  await own.deployAgent("cities", cities);
  await own.deployAgent("guarded", guarded);
  await own.deployAgent("viewer", viewer);
  key = await own.mintKey(["agents:execute"]);
});

describe.each(["JSONRPC", "HTTP+JSON"] as const)("the official client, by %s", (binding) => {
  const open = (agent: string, more: { key?: string } = {}) =>
    clientFor(own, agent, { key, binding, ...more });

  test("resolves the card, sends a message and reads its task again", async () => {
    const client = await open("helper");
    expect(await client.getAgentCard()).toMatchObject({
      name: "Helper",
      version: "1",
      capabilities: { streaming: true, pushNotifications: false },
      skills: [
        {
          id: "helper",
          description: expect.stringContaining("- message (String, required, text)"),
        },
      ],
    });
    const request = ask("Hello there");
    const task = toTask(await client.sendMessage(request));
    expect(task.status).toMatchObject({ state: TaskState.TASK_STATE_COMPLETED });
    expect(outputs(task)).toEqual(["Hello there"]);
    const { messageId } = request.message;
    const read = await client.getTask({ tenant: "", id: task.id });
    expect(read).toEqual({ ...task, history: read.history });
    expect(read.history).toMatchObject([{ messageId, role: Role.ROLE_USER, taskId: task.id }]);
    const bare = await client.getTask({ tenant: "", id: task.id, historyLength: 0 });
    expect(bare.history).toEqual([]);
    const record = await own.send("GET", `/agents/helper/execution-records/${task.id}`);
    expect(record.body).toMatchObject({
      input: { message: "Hello there" },
      metadata: { ticket: "7" },
    });
  });

  test("streams a task: its text as the model writes it, which together is the artifact", async () => {
    const client = await open("helper");
    const events = await Array.fromAsync(client.sendMessageStream(ask("one two three")));
    const { TASK_STATE_WORKING, TASK_STATE_COMPLETED } = TaskState;
    expect(listStates(events)).toEqual([TASK_STATE_WORKING, TASK_STATE_COMPLETED]);
    expect(events.filter(({ payload }) => payload?.$case === "artifactUpdate").length).toBe(4);
    expect(assemble(events)).toBe("one two three");
    const [first] = events;
    if (first?.payload?.$case !== "task") throw new Error("the first event is no task");
    const read = await client.getTask({ tenant: "", id: first.payload.value.id });
    expect(outputs(read)).toEqual(["one two three"]);
  });

  test("sends inputs as data and gets JSON; a client that accepts only text gets it as text", {
    tags: "nightly",
  }, async () => {
    const client = await open("cities");
    const data = [dataPart({ city: "Oslo", days: 3 })];
    const task = toTask(await client.sendMessage(ask(data)));
    expect(outputs(task)).toEqual([{ place: "Oslo", n: 3 }]);
    const events = await Array.fromAsync(client.sendMessageStream(ask(data)));
    expect(assemble(events)).toEqual({ place: "Oslo", n: 3 });
    const both = [textPart("Oslo"), dataPart({ days: 3 })];
    expect(outputs(toTask(await client.sendMessage(ask(both))))).toEqual([{ place: "Oslo", n: 3 }]);
    const asText = ask(data, { acceptedOutputModes: ["text/plain"] });
    expect(outputs(toTask(await client.sendMessage(asText)))).toEqual(['{"place":"Oslo","n":3}']);
    const wrong = await caught(client.sendMessage(ask([dataPart({ city: "Oslo", days: "3" })])));
    expect(wrong).toMatchObject({ message: expect.stringContaining("/input/days") });
    if (binding === "JSONRPC") expect(wrong).toBeInstanceOf(RequestMalformedError);
  });

  test("sends files as inputs, and gets links to those of the output", async () => {
    const client = await open("viewer");
    expect(await client.getAgentCard()).toMatchObject({
      defaultInputModes: ["text/plain", "application/json", "image/*", "text/*"],
    });
    const server = await listen(createServer((_, response) => void response.end("Hello")));
    const parts = [
      textPart("Look"),
      filePart({ $case: "raw", value: png }, { filename: "cat.png", mediaType: "image/png" }),
      filePart({ $case: "url", value: `${server.url}/1` }, { filename: "a.txt" }),
    ];
    const task = toTask(await client.sendMessage(ask(parts)));
    const [photo, paper] = [
      { id: expect.any(String), name: "cat.png", mediaType: "image/png", bytes: png.byteLength },
      { id: expect.any(String), name: "a.txt", mediaType: "text/plain", bytes: 5 },
    ];
    expect(outputs(task)[0]).toEqual({ text: "Look", photo, papers: [paper] });
    const [, ...links] = task.artifacts[0]?.parts ?? [];
    expect(links).toMatchObject([
      { mediaType: "image/png", filename: "cat.png" },
      { mediaType: "text/plain", filename: "a.txt" },
    ]);
    const events = await Array.fromAsync(client.sendMessageStream(ask(parts)));
    await server.close();
    const [update] = events.flatMap(({ payload }) =>
      payload?.$case === "artifactUpdate" ? [payload.value.artifact?.parts] : [],
    );
    expect(update).toHaveLength(3);
    const read = await client.getTask({ tenant: "", id: task.id });
    expect(read.artifacts).toEqual(task.artifacts);
    expect(read.history[0]?.parts.map(({ filename }) => filename)).toEqual([
      ...["", "", "cat.png", "a.txt"],
    ]);
    const url = links[0]?.content?.$case === "url" ? links[0].content.value : "";
    const content = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    expect(Buffer.from(await content.arrayBuffer())).toEqual(png);
    expect((await fetch(url)).status).toBe(401);
    const texts = ask(parts.slice(0, 2), { acceptedOutputModes: ["application/json", "text/*"] });
    expect(outputs(toTask(await client.sendMessage(texts)))).toHaveLength(1);
  });

  test("is refused files that the agent has no input for, by their part", async () => {
    const client = await open("viewer");
    const image = filePart({ $case: "raw", value: png });
    const two = await caught(client.sendMessage(ask([image, image])));
    expect(two).toBeInstanceOf(ContentTypeNotSupportedError);
    expect(two).toMatchObject({ message: expect.stringContaining("/message/parts/1") });
    const large = filePart({ $case: "raw", value: Buffer.concat([png, Buffer.alloc(1_000)]) });
    const refused = await caught(client.sendMessage(ask([textPart("x"), large])));
    expect(refused).toMatchObject({
      message: expect.stringMatching(/^\/message\/parts\/1: .*1080 bytes/),
    });
  });

  test("continues a context, which is the session of the agent", { tags: "nightly" }, async () => {
    const client = await open("talk");
    const contextId = `ticket-${randomUUID()}`;
    const first = toTask(await client.sendMessage(ask("one", { contextId })));
    expect(first.contextId).toBe(contextId);
    const second = toTask(await client.sendMessage(ask("two", { contextId })));
    expect(second.id).not.toBe(first.id);
    const path = `/agents/talk/sessions/${contextId}/messages`;
    expect((await own.send("GET", path)).body).toMatchObject({
      items: [{ text: "one" }, { text: "one" }, { text: "two" }, { text: "two" }],
    });
    const begun = toTask(await client.sendMessage(ask("three")));
    const listed = await client.listTasks({
      tenant: "",
      contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    });
    expect(listed.tasks.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(listed.tasks.map(outputs)).toEqual([["two"], ["one"]]);
    expect(begun.contextId).not.toBe(contextId);
  });

  test("groups tasks of an agent without sessions by the context that their messages name", async () => {
    const client = await open("helper");
    const first = toTask(await client.sendMessage(ask("one")));
    const second = toTask(await client.sendMessage(ask("two", { contextId: first.contextId })));
    expect(second.contextId).toBe(first.contextId);
    const query = {
      tenant: "",
      contextId: first.contextId,
      status: TaskState.TASK_STATE_COMPLETED,
      pageSize: 1,
      statusTimestampAfter: new Date(0).toISOString(),
    };
    const page = await client.listTasks({ ...query, pageToken: "" });
    expect(page).toMatchObject({ tasks: [{ id: second.id, artifacts: [] }], pageSize: 1 });
    const next = await client.listTasks({ ...query, pageToken: page.nextPageToken });
    expect(next.tasks.map(({ id }) => id)).toEqual([first.id]);
  });

  test("returns immediately, follows a task and cancels it", { tags: "nightly" }, async () => {
    const client = await open("slow");
    const { id, status } = toTask(await client.sendMessage(ask("x", { returnImmediately: true })));
    expect(status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
    const running = async () => (await client.getTask({ tenant: "", id })).status?.state;
    await expect.poll(running).toBe(TaskState.TASK_STATE_WORKING);
    const events: StreamResponse[] = [];
    const followed = (async () => {
      for await (const event of client.resubscribeTask({ tenant: "", id })) {
        if (events.push(event) === 1)
          await client.cancelTask({ tenant: "", id, metadata: undefined });
      }
    })();
    await followed;
    const { TASK_STATE_WORKING, TASK_STATE_CANCELED } = TaskState;
    expect(listStates(events)).toEqual([TASK_STATE_WORKING, TASK_STATE_CANCELED]);
    const again = await caught(client.cancelTask({ tenant: "", id, metadata: undefined }));
    expect(again).toBeInstanceOf(TaskNotCancelableError);
    const over = await caught(Array.fromAsync(client.resubscribeTask({ tenant: "", id })));
    expect(over).toBeInstanceOf(UnsupportedOperationError);
  });

  test("follows a task to its end", { tags: "nightly" }, async () => {
    const client = await open("brief");
    const { id } = toTask(await client.sendMessage(ask("x", { returnImmediately: true })));
    const events = await Array.fromAsync(client.resubscribeTask({ tenant: "", id }));
    expect(listStates(events).at(-1)).toBe(TaskState.TASK_STATE_FAILED);
  });

  test("gets a failed and a rejected task with their reasons, and no errors", {
    tags: "nightly",
  }, async () => {
    const client = await open("failing");
    const failed = toTask(await client.sendMessage(ask("x")));
    expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(readNote(failed)).toContain("no such order");
    expect(await client.getTask({ tenant: "", id: failed.id })).toEqual(failed);
    const events = await Array.fromAsync(client.sendMessageStream(ask("x")));
    const { TASK_STATE_WORKING, TASK_STATE_FAILED } = TaskState;
    expect(listStates(events)).toEqual([TASK_STATE_WORKING, TASK_STATE_FAILED]);
    const rejecting = await open("guarded");
    const rejected = toTask(await rejecting.sendMessage(ask("a cat")));
    expect(rejected.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(JSON.stringify(rejected)).not.toContain("a cat");
    const stream = await Array.fromAsync(rejecting.sendMessageStream(ask("a cat")));
    expect(listStates(stream)).toEqual([TaskState.TASK_STATE_REJECTED]);
  });

  test("gets what a task waits for, and decides it by a message", { tags: "nightly" }, async () => {
    const client = await open("asking");
    const task = toTask(await client.sendMessage(ask("x")));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(readNote(task)).toContain("Refund?");
    const data = task.status?.message?.parts[1]?.content?.value;
    expect(data).toMatchObject({
      approvals: [{ title: "Refund?", actions: ["approve", "reject"] }],
    });
    const read = await client.getTask({ tenant: "", id: task.id });
    expect(read.status?.message?.parts[1]?.content?.value).toMatchObject({
      approvals: [{ title: "Refund?" }],
    });
    const { id: taskId, contextId } = task;
    const unclear = await caught(client.sendMessage(ask("hm?", { taskId })));
    expect(unclear).toMatchObject({ message: expect.stringContaining('"approve", "reject"') });
    const decided = toTask(await client.sendMessage(ask("Approve", { taskId, contextId })));
    expect(decided).toMatchObject({
      id: taskId,
      status: { state: TaskState.TASK_STATE_COMPLETED },
    });
    expect(outputs(decided)).toEqual(["Decided: approve"]);
    const ended = await caught(client.sendMessage(ask("Approve", { taskId })));
    expect(ended).toBeInstanceOf(UnsupportedOperationError);
    const other = await Array.fromAsync(client.sendMessageStream(ask("x")));
    const { TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED } = TaskState;
    expect(listStates(other)).toEqual([TASK_STATE_WORKING, TASK_STATE_INPUT_REQUIRED]);
    const [start] = other;
    const next = start?.payload?.$case === "task" ? start.payload.value.id : "";
    const rest = [dataPart({ action: "approve", comment: "Go ahead." })];
    const streamed = await Array.fromAsync(client.sendMessageStream(ask(rest, { taskId: next })));
    expect(listStates(streamed).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(assemble(streamed)).toBe("Decided: approve");
  });

  test("gets the end of a stream with a decision after which its task waits for others", {
    tags: "nightly",
  }, async () => {
    const client = await open("asking-two");
    const { id: taskId } = toTask(await client.sendMessage(ask("x")));
    const events = await Array.fromAsync(client.sendMessageStream(ask("Approve", { taskId })));
    expect(listStates(events)).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED]);
  });

  test("gets the errors of the protocol", async () => {
    const client = await open("helper");
    const id = randomUUID();
    for (const unknown of [id, "no-uuid"]) {
      const error = await caught(client.getTask({ tenant: "", id: unknown }));
      expect(error).toBeInstanceOf(TaskNotFoundError);
    }
    expect(await caught(client.sendMessage(ask("x", { taskId: id })))).toBeInstanceOf(
      TaskNotFoundError,
    );
    const file: Part = { ...textPart(""), content: { $case: "url", value: "https://a.example/x" } };
    expect(await caught(client.sendMessage(ask([file])))).toBeInstanceOf(
      ContentTypeNotSupportedError,
    );
    const images = ask("x", { acceptedOutputModes: ["image/png"] });
    expect(await caught(client.sendMessage(images))).toBeInstanceOf(ContentTypeNotSupportedError);
  });

  test("sees only tasks that its key started, unless it may read executions", {
    tags: "nightly",
  }, async () => {
    const client = await open("helper");
    const { id } = toTask(await client.sendMessage(ask("mine")));
    const other = await open("helper", { key: await own.mintKey(["agents:execute"]) });
    for (const use of [
      () => other.getTask({ tenant: "", id }),
      () => other.cancelTask({ tenant: "", id, metadata: undefined }),
      () => other.sendMessage(ask("x", { taskId: id })),
      () => Array.fromAsync(other.resubscribeTask({ tenant: "", id })),
    ]) {
      expect(await caught(use())).toBeInstanceOf(TaskNotFoundError);
    }
    const every = {
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      statusTimestampAfter: undefined,
    };
    expect((await other.listTasks(every)).tasks).toEqual([]);
    const reader = await open("helper", {
      key: await own.mintKey(["agents:execute", "executions:read"]),
    });
    expect((await reader.getTask({ tenant: "", id })).id).toBe(id);
    expect((await reader.listTasks(every)).tasks.map((task) => task.id)).toContain(id);
  });
});

/** The cheap beginnings of flows that the nightly run goes through by both bindings. */
describe("the official client", () => {
  const open = (agent: string, more: { key?: string } = {}) =>
    clientFor(own, agent, { key, binding: "JSONRPC", ...more });

  test("gets what a task waits for, and decides it by the text of a message", async () => {
    const client = await open("asking");
    const task = toTask(await client.sendMessage(ask("x")));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(readNote(task)).toContain("Refund?");
    const decided = toTask(await client.sendMessage(ask("Approve", { taskId: task.id })));
    expect(decided).toMatchObject({
      id: task.id,
      status: { state: TaskState.TASK_STATE_COMPLETED },
    });
    expect(outputs(decided)).toEqual(["Decided: approve"]);
  });

  test("continues the session of the agent by the id of a context", async () => {
    const client = await open("talk");
    const contextId = `ticket-${randomUUID()}`;
    for (const text of ["one", "two"]) {
      const task = toTask(await client.sendMessage(ask(text, { contextId })));
      expect(task.contextId).toBe(contextId);
    }
    const path = `/agents/talk/sessions/${contextId}/messages`;
    expect((await own.send("GET", path)).body).toMatchObject({
      items: [{ text: "one" }, { text: "one" }, { text: "two" }, { text: "two" }],
    });
  });

  test("gets a task that failed or was rejected with its state and its reason", async () => {
    const { TASK_STATE_FAILED, TASK_STATE_REJECTED } = TaskState;
    const failed = toTask(await (await open("failing")).sendMessage(ask("x")));
    expect(failed.status?.state).toBe(TASK_STATE_FAILED);
    expect(readNote(failed)).toContain("no such order");
    const rejected = toTask(await (await open("guarded")).sendMessage(ask("a cat")));
    expect(rejected.status?.state).toBe(TASK_STATE_REJECTED);
  });

  test("does not see a task that another key started", async () => {
    const { id } = toTask(await (await open("helper")).sendMessage(ask("mine")));
    const other = await open("helper", { key: await own.mintKey(["agents:execute"]) });
    expect(await caught(other.getTask({ tenant: "", id }))).toBeInstanceOf(TaskNotFoundError);
  });
});

describe("the endpoints", () => {
  const version = { "A2A-Version": "1.0" };
  const sent = (text = "x") => ({
    message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] },
  });
  const post = (path: string, options: Parameters<typeof call>[2] = {}) =>
    call("POST", `${own.base}/agents/helper/a2a${path}`, {
      key,
      ...options,
      headers: { ...version, ...options.headers },
    });
  const rpc = (method: string, params: unknown, more: object = {}) =>
    post("", { body: { jsonrpc: "2.0", id: "a", method, params, ...more } });
  const findReason = (body: unknown): unknown => {
    const reason = /"reason":"(\w+)"/.exec(JSON.stringify(body));
    return reason?.[1];
  };

  test("the card has a tag, and is not sent again to a client that has it", async () => {
    const path = `${own.base}/agents/helper/a2a/.well-known/agent-card.json`;
    const card = await call("GET", path, { key });
    expect(card.headers.get("cache-control")).toBe("private, max-age=60");
    const etag = card.headers.get("etag") ?? "";
    const again = await call("GET", path, { key, headers: { "If-None-Match": etag } });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: "" });
    const anonymous = await call("GET", path);
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get("www-authenticate")).toContain("Bearer");
    await own.send("POST", "/agents", { id: "draft", displayName: "Draft" });
    const draft = path.replace("helper", "draft");
    expect((await call("GET", draft, { key })).status).toBe(409);
    expect((await call("GET", path.replace("helper", "nobody"), { key })).status).toBe(404);
  });

  test("a request without the version is one of 0.3, which is refused; a query may name it", async () => {
    for (const headers of [{ "A2A-Version": "" }, { "A2A-Version": "0.3" }]) {
      const refused = await post("/message:send", { body: sent(), headers });
      expect(refused.status).toBe(400);
      expect(findReason(refused.body)).toBe("VERSION_NOT_SUPPORTED");
      const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: sent() };
      const byRpc = await post("", { body, headers });
      expect(byRpc.body).toMatchObject({ error: { code: -32_009 } });
    }
    const named = await post("/message:send?A2A-Version=1.0", {
      body: sent(),
      headers: { "A2A-Version": "" },
    });
    expect(named.status).toBe(200);
    expect(named.headers.get("content-type")).toBe("application/a2a+json");
  });

  test("media types of A2A and of JSON are accepted, no others", async () => {
    const accepted = { "Content-Type": "application/a2a+json; charset=utf-8" };
    const body = sent();
    expect((await post("/message:send", { body, headers: accepted })).status).toBe(200);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const refused = await post("/message:send", { body, headers: form });
    expect({ status: refused.status, reason: findReason(refused.body) }).toEqual({
      status: 415,
      reason: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  test("errors of JSON-RPC have its codes, and those of methods the id of the request", async () => {
    expect((await rpc("message/send", sent())).body).toMatchObject({
      id: "a",
      error: { code: -32_601 },
    });
    expect((await rpc("SendMessage", {})).body).toMatchObject({
      id: "a",
      error: { code: -32_602, data: [{}, { fieldViolations: [{ field: "/message" }] }] },
    });
    expect((await rpc("GetExtendedAgentCard", {})).body).toMatchObject({
      error: { code: -32_004 },
    });
    const push = await rpc("CreateTaskPushNotificationConfig", { url: "https://a.example" });
    expect(push.body).toMatchObject({ error: { code: -32_003 } });
    const withPush = { ...sent(), configuration: { taskPushNotificationConfig: { url: "x" } } };
    expect((await rpc("SendMessage", withPush)).body).toMatchObject({ error: { code: -32_003 } });
    const malformed = await post("", { raw: "{" });
    expect(malformed.body).toMatchObject({ id: null, error: { code: -32_700 } });
    expect(malformed.status).toBe(400);
    for (const body of [[], {}, { jsonrpc: "2.0", method: "GetTask" }, "x"]) {
      const refused = await post("", { body });
      expect(refused.body).toMatchObject({ id: null, error: { code: -32_600 } });
    }
    const anonymous = await call("POST", `${own.base}/agents/helper/a2a`, { body: {} });
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 } });
  });

  describe("requests as official SDKs send them", () => {
    const asGo = { Accept: "application/json" };
    /** The request of the SDK for Java, which has the default of every field. */
    const fromJava = (text: string) => ({
      tenant: "",
      message: {
        messageId: randomUUID(),
        contextId: "",
        taskId: "",
        role: "ROLE_USER",
        parts: [{ text, filename: "", mediaType: "" }],
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: { acceptedOutputModes: [], returnImmediately: false },
    });

    test("Go reads errors of the type application/json, which it accepts alone", async () => {
      const path = `${own.base}/agents/helper/a2a/tasks/${randomUUID()}`;
      const types = async (accept: string, method = "GET", verb = "") => {
        const response = await call(method, `${path}${verb}`, {
          key,
          headers: { ...version, Accept: accept },
        });
        expect(findReason(response.body)).toBe("TASK_NOT_FOUND");
        return response.headers.get("content-type");
      };
      expect(await types(asGo.Accept)).toBe("application/json");
      expect(await types("text/event-stream", "POST", ":subscribe")).toBe("application/json");
      expect(await types("application/a2a+json, application/json")).toBe("application/a2a+json");
      const got = await post("/message:send", { body: sent(), headers: asGo });
      expect([got.status, got.headers.get("content-type")]).toEqual([200, "application/json"]);
    });

    test("Go lists tasks since a time of its own zone, by a name of its own", async () => {
      await post("/message:send", { body: sent() });
      const list = (after: string) =>
        call("GET", `${own.base}/agents/helper/a2a/tasks?lastUpdatedAfter=${after}&pageSize=2`, {
          key,
          headers: { ...version, ...asGo },
        });
      const before = await list(encodeURIComponent("2026-01-01T02:00:00+02:00"));
      expect(before.status, before.text).toBe(200);
      expect((before.body as { tasks: unknown[] }).tasks).not.toEqual([]);
      const later = await list(encodeURIComponent("2199-01-01T02:00:00-05:00"));
      expect((later.body as { tasks: unknown[] }).tasks).toEqual([]);
      const byRpc = await rpc("ListTasks", {
        statusTimestampAfter: "2199-01-01T02:00:00.123456789+02:00",
      });
      expect(byRpc.body).toMatchObject({ id: "a", result: { tasks: [] } });
    });

    test.each([
      ["SubscribeToTask", { id: "none" }, -32_001],
      ["SendStreamingMessage", { message: {} }, -32_602],
    ])("Go reads the error of %s from an event", async (method, params, code) => {
      const response = await rpc(method, params);
      expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
      const [, data = "", rest] = /^data: (.*)\n\n(.*)$/s.exec(response.text) ?? [];
      expect(JSON.parse(data)).toMatchObject({ id: "a", error: { code } });
      expect(rest).toBe("");
    });

    test("Java sends the defaults of all fields, and a body where none is read", async () => {
      const done = await rpc("SendMessage", fromJava("Ada"));
      expect(done.body).toMatchObject({
        result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
      });
      const { id } = (done.body as { result: { task: { id: string } } }).result.task;
      expect((await rpc("GetTask", { tenant: "", id })).body).toMatchObject({ result: { id } });
      const every = { tenant: "", contextId: "", status: "TASK_STATE_UNSPECIFIED", pageToken: "" };
      const listed = await rpc("ListTasks", every);
      expect(JSON.stringify(listed.body)).toContain(id);
      const byQuery = await call(
        "GET",
        `${own.base}/agents/helper/a2a/tasks?status=TASK_STATE_UNSPECIFIED`,
        { key, headers: version },
      );
      expect(byQuery.text).toContain(id);
      const file = { ...fromJava(""), message: { ...fromJava("").message } };
      file.message.parts = [{ raw: png.toString("base64"), filename: "", mediaType: "" }] as never;
      const seen = await call("POST", `${own.base}/agents/viewer/a2a`, {
        key,
        headers: version,
        body: { jsonrpc: "2.0", id: "b", method: "SendMessage", params: file },
      });
      expect(seen.text).toContain("TASK_STATE_COMPLETED");
    });

    test("Python and Java cancel by HTTP with a body", async () => {
      const started = await call("POST", `${own.base}/agents/slow/a2a/message:send`, {
        key,
        headers: version,
        body: { ...sent(), configuration: { returnImmediately: true } },
      });
      const { id } = (started.body as { task: { id: string } }).task;
      const cancelled = await call("POST", `${own.base}/agents/slow/a2a/tasks/${id}:cancel`, {
        key,
        headers: version,
        body: { id, metadata: { why: "x" } },
      });
      expect(cancelled.body).toMatchObject({ status: { state: "TASK_STATE_CANCELED" } });
    });

    test("an invalid request has the reason by which SDKs know it", async () => {
      const refused = await post("/message:send", { body: { message: {} } });
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        error: {
          status: "INVALID_ARGUMENT",
          details: [{ reason: "INVALID_PARAMS", domain: "a2a-protocol.org" }, {}],
        },
      });
    });

    test("an error by JSON-RPC has the id of the request, whatever its status", async () => {
      const body = { jsonrpc: "2.0", id: 7, method: "SendMessage", params: sent() };
      const unknown = await call("POST", `${own.base}/agents/nobody/a2a`, {
        key,
        headers: version,
        body,
      });
      expect([unknown.status, unknown.body]).toMatchObject([404, { id: 7, error: {} }]);
      const old = await post("", { body, headers: { "A2A-Version": "0.3" } });
      expect([old.status, old.body]).toMatchObject([400, { id: 7, error: { code: -32_009 } }]);
    });
  });

  test("push notifications and the extended card are refused with the errors of the protocol", async () => {
    const configs = `/tasks/${randomUUID()}/pushNotificationConfigs`;
    for (const [method, path, reason] of [
      ["POST", configs, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["GET", configs, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["GET", `${configs}/c-1`, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["DELETE", `${configs}/c-1`, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
      ["GET", "/extendedAgentCard", "UNSUPPORTED_OPERATION"],
    ] as const) {
      const refused = await call(method, `${own.base}/agents/helper/a2a${path}`, {
        key,
        headers: version,
        ...(method === "POST" && { body: { url: "https://a.example" } }),
      });
      expect(refused.body, path).toMatchObject({
        error: {
          code: 400,
          status: "FAILED_PRECONDITION",
          details: [{ reason, domain: "a2a-protocol.org" }],
        },
      });
      expect([refused.status, refused.headers.get("content-type")]).toEqual([
        400,
        "application/a2a+json",
      ]);
    }
    for (const method of ["Create", "Get", "Delete"]) {
      const refused = await rpc(`${method}TaskPushNotificationConfig`, { id: "c-1" });
      expect(refused.body).toMatchObject({ id: "a", error: { code: -32_003 } });
    }
    const list = await rpc("ListTaskPushNotificationConfigs", { taskId: "t" });
    expect(list.body).toMatchObject({ id: "a", error: { code: -32_003 } });
    const withPush = { ...sent(), configuration: { taskPushNotificationConfig: { url: "x" } } };
    for (const path of ["/message:send", "/message:stream"]) {
      const refused = await post(path, { body: withPush });
      expect(findReason(refused.body)).toBe("PUSH_NOTIFICATION_NOT_SUPPORTED");
    }
    const unknown = await call("GET", `${own.base}/agents/helper/a2a/nothing`, { key });
    expect([unknown.status, unknown.body]).toMatchObject([404, { error: { status: "NOT_FOUND" } }]);
    const elsewhere = await call("GET", `${own.base}/agents/helper/b2b/extendedAgentCard`, { key });
    expect(elsewhere.headers.get("content-type")).toBe("application/problem+json");
  });

  test("a key without the scope, and a task of another tenant, are refused alike on all paths", async () => {
    const other = await newOrganization();
    await other.deployAgent("helper", helper);
    const theirs = await other.try("POST", "/agents/helper:execute", {
      body: { input: { message: "a" } },
    });
    const { executionId } = theirs.body as { executionId: string };
    const reader = await own.mintKey(["agents:read"]);
    const one = await post("/message:send", { body: sent(), key: reader });
    expect({ status: one.status, reason: findReason(one.body) }).toEqual({
      status: 403,
      reason: "INSUFFICIENT_SCOPE",
    });
    for (const [method, path] of [
      ["GET", `/tasks/${executionId}`],
      ["POST", `/tasks/${executionId}:cancel`],
      ["POST", `/tasks/${executionId}:subscribe`],
      ["GET", `/tasks/${executionId}:subscribe`],
    ] as const) {
      const url = `${own.base}/agents/helper/a2a${path}`;
      const refused = await call(method, url, { token: own.token, headers: version });
      expect({ status: refused.status, reason: findReason(refused.body) }).toEqual({
        status: 404,
        reason: "TASK_NOT_FOUND",
      });
      expect(refused.text).not.toContain(other.tenantId);
    }
    // An execution of another agent of the tenant is no task of this one.
    const elsewhere = await own.try("POST", "/agents/brief:execute", {
      body: { input: { message: "a" } },
      headers: { Prefer: "respond-async" },
    });
    const id = (elsewhere.body as { executionId: string }).executionId;
    expect((await rpc("GetTask", { id })).body).toMatchObject({ error: { code: -32_001 } });
  });

  test.each(["GET", "POST"])(
    "a client subscribes by %s without a body, and follows its task alone",
    async (method) => {
      const started = await call("POST", `${own.base}/agents/slow/a2a/message:send`, {
        key,
        headers: version,
        body: { ...sent(), configuration: { returnImmediately: true } },
      });
      const { id } = (started.body as { task: { id: string } }).task;
      const path = `${own.base}/agents/slow/a2a/tasks/${id}`;
      const subscribe = (credentials: string) =>
        fetch(`${inject("stack").baseUrl}${path}:subscribe`, {
          method,
          headers: {
            ...version,
            Authorization: `Bearer ${credentials}`,
            Accept: "text/event-stream",
            "Cache-Control": "no-store",
          },
        });
      const response = await subscribe(key);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const first = await reader?.read();
      expect(first?.value).toMatch(/^data: \{"task":\{"id":/);
      expect((await subscribe(await own.mintKey(["agents:execute"]))).status).toBe(404);
      expect((await subscribe(await own.mintKey(["agents:read"]))).status).toBe(403);
      await call("POST", `${path}:cancel`, { key, headers: version });
      let rest = "";
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        rest += next.value;
      }
      expect(rest).toContain('"state":"TASK_STATE_CANCELED"');
      const over = await subscribe(key);
      expect({ status: over.status, reason: findReason(await over.json()) }).toEqual({
        status: 400,
        reason: "UNSUPPORTED_OPERATION",
      });
      const put = await call("PUT", `${path}:subscribe`, { key });
      expect({ status: put.status, allow: put.headers.get("allow") }).toEqual({
        status: 405,
        allow: "GET, POST",
      });
    },
  );

  test("messages that are too large, deep or many are refused before they run", async () => {
    const deep = `${'{"a":'.repeat(101)}1${"}".repeat(101)}`;
    const part = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":${deep}}]}}`;
    expect(findReason((await post("/message:send", { raw: part })).body)).toBe("MALFORMED_JSON");
    const huge = await post("/message:send", { body: sent("x".repeat(4 * 1_048_576)) });
    expect(huge.status).toBe(413);
    const parts = Array.from({ length: 101 }, () => ({ text: "x" }));
    const many = { message: { ...sent().message, parts } };
    expect((await post("/message:send", { body: many })).status).toBe(400);
    const both = {
      message: { ...sent().message, parts: [{ text: "x", url: "https://a.example" }] },
    };
    expect((await post("/message:send", { body: both })).status).toBe(400);
    const agent = { message: { ...sent().message, role: "ROLE_AGENT" } };
    expect((await post("/message:send", { body: agent })).status).toBe(400);
    const long = { message: { ...sent().message, contextId: "c".repeat(129) } };
    expect((await post("/message:send", { body: long })).status).toBe(400);
  });

  test("a task continues when the client leaves its stream", { tags: "nightly" }, async () => {
    const left = new AbortController();
    const response = await fetch(
      `${inject("stack").baseUrl}${own.base}/agents/brief/a2a/message:stream`,
      {
        method: "POST",
        headers: { ...version, "X-API-KEY": key, "Content-Type": "application/json" },
        body: JSON.stringify(sent()),
        signal: left.signal,
      },
    );
    const first = await response.body?.getReader().read();
    const text = Buffer.from(first?.value ?? []).toString();
    const [, id = ""] = /"id":"([\w-]{36})"/.exec(text) ?? [];
    left.abort();
    const state = async () => {
      const path = `${own.base}/agents/brief/a2a/tasks/${id}`;
      return JSON.stringify((await call("GET", path, { key, headers: version })).body);
    };
    await expect.poll(state).toContain("TASK_STATE_FAILED");
  });
});
