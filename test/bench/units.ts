import { randomUUID } from "node:crypto";
import * as z from "zod";
import { schedules } from "../../functions/workers/schedules.ts";
import { schedulesPath } from "../../infra/local/storage/endpoint.ts";
import { executionKey } from "../../lib/executions/record/keys.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { startChatServer } from "../harness/chat-apis/chat-server.ts";
import { startModelServer } from "../harness/model-server.ts";
import type { CollaboratorStack } from "./collaborator.ts";
import type { CountedStack } from "./counted-stack.ts";
import { newPushHeaders, pushSigned, pushTogether } from "./github-pushes.ts";
import {
  createConnector,
  createGuardrail,
  createProvider,
  createWebhook,
  githubPush,
  parseId,
} from "./objects.ts";

/** A unit of work to count the cost of, up to its end in the background. */
export type Unit = {
  name: string;
  /** Too much work to repeat often. */
  isLarge?: boolean;
  /** Work before each call that is not counted. */
  prepare?: () => Promise<unknown>;
  work: () => Promise<unknown>;
};

const echo = { providerId: "echo", parameters: {} };
/** A flow of three steps without a model. */
export const threeSteps = {
  parametersMetadata: [{ name: "name", type: "String" }],
  flow: {
    steps: [
      { id: "greeting", type: "Transform", value: "Hello, {% input.name %}!" },
      { id: "loud", type: "Transform", value: "{% $uppercase(steps.greeting.output) %}" },
      { id: "result", type: "Output", value: { message: "{% steps.loud.output %}" } },
    ],
    edges: [
      { source: "greeting", target: "loud" },
      { source: "loud", target: "result" },
    ],
  },
};
/** The same flow with a guardrail. */
const guardedBy = (guardrail: string) => ({ ...threeSteps, guardrails: [guardrail] });
/** Checks of inputs and outputs that ask no service, in each of the types. */
const ownChecks = [
  { id: "personal", type: "Pii", action: "mask" },
  { id: "project", type: "Pattern", pattern: "PROJECT-[0-9]{4}", action: "block" },
  { id: "long", type: "Expression", value: "$length($string(value)) > 10000", action: "block" },
].map((check) => ({ ...check, on: ["input", "output"] }));
/** A check of outputs by a model. */
const judgedBy = (llm: object) => ({
  ...{ id: "advice", type: "Judge", rubric: "The text gives medical advice.", llm },
  ...{ on: ["output"], action: "block" },
});
/** A response of a model that judges, by which nothing is blocked. */
const harmless = JSON.stringify({ reason: "It greets.", score: 0 });
const withModel = (llm: object) => ({
  ...threeSteps,
  llmConfigs: [llm],
  flow: {
    ...threeSteps.flow,
    steps: threeSteps.flow.steps.map((step) =>
      step.id === "loud"
        ? { id: "loud", type: "Prompt", llm, prompt: "{% steps.greeting.output %}" }
        : step,
    ),
  },
});
/** A flow of one Prompt that remembers, and has a fact from its second run on. */
const withMemory = {
  ...threeSteps,
  llmConfigs: [echo],
  flow: {
    steps: [{ id: "ask", type: "Prompt", prompt: "I drink tea.", memory: { namespace: "ada" } }],
    edges: [],
  },
};
/** A flow of one step that reads the event of a push. */
export const onPush = {
  parametersMetadata: [{ name: "event", type: "Json" }],
  flow: { steps: [{ id: "out", type: "Output", value: "{% input.event.ref %}" }], edges: [] },
};
/** A flow of one Prompt with the event of a push, which workers run. */
const promptOnPush = {
  parametersMetadata: [{ name: "event", type: "Json" }],
  llmConfigs: [echo],
  flow: { steps: [{ id: "out", type: "Prompt", prompt: "{% input.event.ref %}" }], edges: [] },
};
const onMessage = {
  parametersMetadata: [
    { name: "message", type: "String" },
    { name: "history", type: "Json" },
  ],
  flow: { steps: [{ id: "say", type: "Output", value: "{% input.message %}" }], edges: [] },
};
const onSchedule = {
  flow: { steps: [{ id: "out", type: "Output", value: "done" }], edges: [] },
  jobPolicyConfigs: [
    {
      id: "0193f0a0-7c4b-7000-8000-000000000001",
      scheduleFrequency: "hourly",
      scheduleMinute: "17",
    },
  ],
};
/** Sizes of batches; a function takes at most ten pushes in a call. */
const batchSizes = [2, 5, 10];
/** Pushes to agents that call a model, by their number. */
const modelPushes = { "push, model call": 1, "push, 10 model calls": 10 };
const pageSize = 50;
const runsOfExperiment = 20;

/** A page of 50 queries 20 items per partition. */
const mostOfPartition = 18;
const Executed = z.looseObject({ executionId: z.string() });
const anyAgent = { tenantId: TenantId.parse(randomUUID()), agentId: "any" };

/** Executes an agent until a page of its list needs no partition twice, as it does by chance at one page in twenty. */
const fillList = async (execute: () => Promise<string>): Promise<void> => {
  const start = async () => Executed.parse(JSON.parse(await execute())).executionId;
  const ids = await Promise.all(Array.from({ length: pageSize + 1 }, start));
  const isUneven = (): boolean =>
    Map.groupBy(
      ids.toSorted().slice(-pageSize - 1),
      (executionId) => executionKey({ ...anyAgent, executionId }).pk,
    )
      .values()
      .some(({ length }) => length > mostOfPartition);
  while (isUneven()) ids.push(await start());
};

/** Creates what the units need; returns them, and a function that stops it. */
export const createUnits = async (
  stack: CollaboratorStack,
  deliveries: readonly number[],
): Promise<{ units: Unit[]; close: () => Promise<void> }> => {
  const { send, tenantPath } = stack;
  const three = await stack.deployAgent("three", threeSteps);
  const model = await stack.deployAgent("model", withModel(echo));
  const talk = await stack.deployAgent("talk", { ...withModel(echo), useSession: true });
  const memory = await stack.deployAgent("memory", withMemory);
  const models = await startModelServer({ fallback: { text: harmless } });
  const llm = { providerId: await createProvider(stack, models.url), parameters: { model: "any" } };
  const remote = await stack.deployAgent("remote", withModel(llm));
  await createGuardrail(stack, "own", ownChecks);
  await createGuardrail(stack, "judge", [judgedBy(llm)]);
  const checked = await stack.deployAgent("checked", guardedBy("own"));
  const judged = await stack.deployAgent("judged", guardedBy("judge"));
  await stack.deployAgent("listener", onPush);
  await stack.deployAgent("reviewer", promptOnPush);
  const input = { input: { name: "you" } };
  const listed = await stack.deployAgent("listed", threeSteps);
  await fillList(() => send("POST", `${listed}:execute`, input));
  const pushes = [];
  for (const count of deliveries) {
    const webhook = await createWebhook(stack, "github", { agentId: "listener", count });
    pushes.push({
      name: `push, ${count} ${count === 1 ? "agent" : "agents"}`,
      isLarge: count >= 10,
      work: () => send("POST", webhook.inbound, githubPush, newPushHeaders()),
    });
  }
  for (const [name, count] of Object.entries(modelPushes)) {
    const webhook = await createWebhook(stack, "github", { agentId: "reviewer", count });
    const isLarge = count > 1;
    pushes.push({
      name,
      isLarge,
      work: () => send("POST", webhook.inbound, githubPush, newPushHeaders()),
    });
  }
  const reviewed = await createWebhook(stack, "github", { agentId: "reviewer", count: 1 });
  pushes.push({
    name: "10 pushes, model calls",
    isLarge: true,
    work: () => pushTogether(stack, reviewed.inbound, 10),
  });
  const { inbound } = await createWebhook(stack, "github", { agentId: "listener", count: 1 });
  for (const size of batchSizes) {
    pushes.push({
      name: `${size} pushes in a batch`,
      isLarge: true,
      work: () => pushTogether(stack, inbound, size),
    });
  }
  const chats = await startChatServer();
  const units: Unit[] = [
    { name: "get key", work: () => send("GET", `${tenantPath}/apiKeys/current`) },
    { name: "execute, 3 steps", work: () => send("POST", `${three}:execute`, input) },
    {
      name: "OpenAI response, 3 steps",
      work: () => send("POST", `${tenantPath}/openai/responses`, { model: "three", input: "you" }),
    },
    { name: "execute, model call", work: () => send("POST", `${model}:execute`, input) },
    {
      name: "execute, session",
      work: () => send("POST", `${talk}:execute`, { ...input, session: { id: randomUUID() } }),
    },
    { name: "execute, memory", work: () => send("POST", `${memory}:execute`, input) },
    // The stand-in responds immediately, but a call to a remote model takes one of the tenant's
    // slots.
    { name: "execute, remote model", work: () => send("POST", `${remote}:execute`, input) },
    { name: "execute, guardrail", work: () => send("POST", `${checked}:execute`, input) },
    { name: "execute, Judge", work: () => send("POST", `${judged}:execute`, input) },
    ...(await withFiles(stack)),
    {
      name: "execute, background",
      work: () => send("POST", `${three}:execute`, input, { prefer: "respond-async" }),
    },
    ...pushes,
    { name: "signed push, 1 agent", work: await pushSigned(stack, "listener") },
    { name: "chat message", work: await chatting(stack, chats, "chat", false) },
    { name: "chat message, session", work: await chatting(stack, chats, "session", true) },
    { name: "execute, approval", work: await askingOn(stack) },
    { name: "decide approval", ...(await decidingOn(stack)) },
    { name: "scheduled run", work: await scheduling(stack) },
    {
      name: `experiment, ${runsOfExperiment} runs`,
      isLarge: true,
      work: await experimenting(stack),
    },
    {
      name: "list 50 executions",
      work: () => send("GET", `${listed}/execution-records?PageSize=${pageSize}`),
    },
    {
      name: "list 50 executions, all agents",
      work: () => send("GET", `${tenantPath}/execution-records?PageSize=${pageSize}`),
    },
    { name: "rotate key", work: await rotating(stack) },
  ];
  const close = async () => {
    await Promise.all([chats.close(), models.close()]);
  };
  return { units, close };
};

/** Returns the jobs that run by themselves, on a table where they find no work. */
export const createJobs = (stack: CountedStack): (Unit & { perMonth: number })[] =>
  schedules.map(({ operation, everyMinutes }) => ({
    name: operation,
    perMonth: (30 * 24 * 60) / everyMinutes,
    work: () => stack.invoke(operation),
  }));

/** A flow of one Prompt with a file. */
const withFile = {
  parametersMetadata: [{ name: "document", type: "File" }],
  llmConfigs: [echo],
  flow: {
    steps: [{ id: "read", type: "Prompt", prompt: "Read it.", files: ["{% input.document %}"] }],
    edges: [],
  },
};
const StoredId = z.looseObject({ id: z.string() });

const withFiles = async (stack: CollaboratorStack): Promise<Unit[]> => {
  const agent = await stack.deployAgent("reader", withFile);
  const files = `${stack.tenantPath}/files`;
  const store = () => stack.send("POST", `${files}?name=note.json`, { note: "Hello" });
  const { id } = StoredId.parse(JSON.parse(await store()));
  const input = { document: { fileId: id } };
  return [
    { name: "execute, file", work: () => stack.send("POST", `${agent}:execute`, { input }) },
    { name: "store file", work: store },
    {
      name: "get file content",
      work: () => stack.send("GET", `${files}/${id}/content?redirect=false`),
    },
  ];
};

type ChatServer = Awaited<ReturnType<typeof startChatServer>>;

const chatting = async (
  stack: CollaboratorStack,
  server: ChatServer,
  agentId: string,
  useSession: boolean,
): Promise<Unit["work"]> => {
  await stack.deployAgent(agentId, { ...onMessage, useSession });
  const inbound = await createConnector(stack, agentId, `${server.url}/replies`);
  let sentCount = 0;
  return async () => {
    sentCount += 1;
    const text = `${agentId}-${sentCount}`;
    const replied = new Promise<void>((resolve) => server.waitFor(text, resolve));
    const message = { id: text, user: { id: "u" }, conversation: { id: "c" }, text };
    await stack.send("POST", inbound, message);
    await replied;
  };
};

/** A flow that waits for a decision between two steps. */
const asking = {
  flow: {
    steps: [
      { id: "first", type: "Transform", value: "Hello" },
      { id: "ask", type: "Approval", title: "May it?", allowStarter: true },
      { id: "last", type: "Output", value: "{% steps.ask.output.action %}" },
    ],
    edges: [
      { source: "first", target: "ask" },
      { source: "ask", target: "last" },
    ],
  },
};
const Approvals = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Starts an execution that begins to wait, at each call. */
const askingOn = async (stack: CollaboratorStack): Promise<Unit["work"]> => {
  const asker = await stack.deployAgent("asker", asking);
  return () => stack.send("POST", `${asker}:execute`, {});
};

/** Decides an approval at each call, and its execution continues to its end. */
const decidingOn = async (stack: CollaboratorStack): Promise<Pick<Unit, "prepare" | "work">> => {
  const { send, tenantPath } = stack;
  const decided = await stack.deployAgent("decided", asking);
  let id = "";
  return {
    prepare: async () => {
      await send("POST", `${decided}:execute`, {});
      const path = `${tenantPath}/approvals?status=Pending&agentId=decided`;
      const { items } = Approvals.parse(JSON.parse(await send("GET", path)));
      id = items[0]?.id ?? "";
    },
    work: () => send("POST", `${tenantPath}/approvals/${id}:decide`, { action: "approve" }),
  };
};

const Schedules = z.array(z.object({ description: z.string(), due: z.int() }));
const Report = z.object({ fired: z.int() });

/** Fires the next occurrence of an hourly schedule at each call. */
const scheduling = async (stack: CollaboratorStack): Promise<Unit["work"]> => {
  await stack.deployAgent("clerk", onSchedule);
  await stack.settled();
  const url = stack.services + schedulesPath;
  return async () => {
    const list = await fetch(url, { headers: stack.operatorHeaders });
    const until = Math.min(...Schedules.parse(await list.json()).map(({ due }) => due));
    stack.expectMessages(1);
    const body = JSON.stringify({ until });
    const response = await fetch(url, { method: "POST", body, headers: stack.operatorHeaders });
    const { fired } = Report.parse(await response.json());
    if (fired !== 1) throw new Error(`${fired} schedules were fired`);
  };
};

/** Runs an agent on each example of a dataset at each call. */
const experimenting = async (stack: CollaboratorStack): Promise<Unit["work"]> => {
  const { send, tenantPath } = stack;
  await stack.deployAgent("tested", threeSteps);
  const items = Array.from({ length: runsOfExperiment }, (_, at) => ({
    input: { name: `you-${at}` },
    expected: { message: `HELLO, YOU-${at}!` },
  }));
  await send("POST", `${tenantPath}/datasets`, { id: "questions", displayName: "Questions" });
  await send("POST", `${tenantPath}/datasets/questions/examples`, { items });
  const scorer = { id: "correct", displayName: "Correct", type: "Exact" };
  await send("POST", `${tenantPath}/scorers`, scorer);
  const parts = { datasetId: "questions", agentId: "tested", revisions: [1], scorers: ["correct"] };
  return () => send("POST", `${tenantPath}/experiments`, { ...parts, concurrency: 10 });
};

/** Rotates a key, then the key that replaced it. */
const rotating = async ({ send, tenantPath }: CountedStack): Promise<Unit["work"]> => {
  const keys = `${tenantPath}/apiKeys`;
  let id = parseId(
    await send("POST", `${keys}:generate`, { name: "rotated", preset: "Read-only" }),
  );
  return async () => {
    id = parseId(await send("POST", `${keys}/${id}:rotate`));
  };
};
