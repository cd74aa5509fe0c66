import { TaskState } from "@a2a-js/sdk";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import * as z from "zod";
import { type A2aServer, buildPart, startA2aServer } from "../harness/a2a-server.ts";
import { newOrganization } from "../harness/api.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const { TASK_STATE_COMPLETED, TASK_STATE_INPUT_REQUIRED } = TaskState;
const Created = z.object({ id: z.string() });
const Result = z.object({ jsonValue: z.looseObject({ taskId: z.string() }) });

let own: Awaited<ReturnType<typeof newOrganization>>;
let models: ModelServer;
let remote: A2aServer;

beforeAll(async () => {
  models = await startModelServer();
  remote = await startA2aServer({
    answer: ({ parts }, isContinued) =>
      isContinued || parts[0]?.content?.value === "Oslo to Bergen"
        ? { state: TASK_STATE_COMPLETED, parts: [buildPart({ train: "F4" })] }
        : { state: TASK_STATE_INPUT_REQUIRED, note: "From where?" },
  });
  own = await newOrganization();
  await own.send("POST", "/llm-providers", {
    id: "stand-in",
    type: "openai-compatible",
    baseUrl: `${models.url}/v1`,
  });
});

afterAll(() => Promise.all([models.close(), remote.close()]));

const publish = async (url: string, token: string) => {
  const created = await own.send("POST", "/integration-configs", {
    integrationId: "a2a",
    parameters: { url },
    auth: { parameters: { token } },
  });
  const { id } = Created.parse(created.body);
  await own.send("POST", `/integration-configs/${id}:publish`);
  return id;
};

/** Deploys an agent of which the model may send messages to the remote agent. */
const deployClerk = async (id: string, token: string) => {
  const configId = await publish(remote.url, token);
  await own.deployAgent(id, {
    llmConfigs: [{ providerId: "stand-in", parameters: { model: "any" } }],
    flow: {
      steps: [
        {
          id: "ask",
          type: "Prompt",
          prompt: "Book a train.",
          tools: [{ integrationId: "a2a", toolId: "send_message", configId }],
        },
      ],
      edges: [],
    },
  });
};

test("a model uses the result of a remote agent", async () => {
  await deployClerk("traveller", "t");
  models.script(
    { toolCalls: [{ name: "send_message", arguments: { message: "Oslo to Bergen" } }] },
    { text: "Train F4." },
  );
  const done = await own.send("POST", "/agents/traveller:execute", { input: {} });
  expect(done.body).toMatchObject({ status: "Succeeded", output: "Train F4." });
  expect(JSON.stringify(models.requests.at(-1)?.body)).toContain("F4");
});

test("a model passes on the question of a remote agent, which is sent the token of its config", {
  tags: "nightly",
}, async () => {
  await deployClerk("clerk", "very-secret");
  const before = remote.requests.length;
  models.script(
    { toolCalls: [{ name: "send_message", arguments: { message: "A train to Bergen" } }] },
    { text: "From where?" },
  );
  const asked = await own.send("POST", "/agents/clerk:execute", { input: {} });
  expect(asked.body).toMatchObject({ status: "Succeeded", output: "From where?" });
  const seen = JSON.stringify(models.requests.at(-1)?.body);
  expect(seen).toContain("input-required");
  expect(seen).toContain("The agent is not done");
  for (const { headers } of remote.requests.slice(before)) {
    expect(headers.authorization).toBe("Bearer very-secret");
  }
  const records = await own.send("GET", "/agents/clerk/execution-records");
  expect(records.text).not.toContain("very-secret");
});

test("a flow calls a remote agent in a step, and uses its output", async () => {
  const configId = await publish(remote.url, "t");
  const step = { type: "Tool", integrationId: "a2a", toolId: "send_message", configId };
  await own.deployAgent("booking", {
    flow: {
      steps: [
        { id: "book", ...step, parameters: { message: "Oslo to Bergen" } },
        { id: "end", type: "Output", value: "{% steps.book.output.output.train %}" },
      ],
      edges: [{ source: "book", target: "end" }],
    },
  });
  const booked = await own.send("POST", "/agents/booking:execute", { input: {} });
  expect(booked.body).toMatchObject({ status: "Succeeded", output: "F4" });
});

test("an agent of this service is a remote agent to another one, which decides what it waits for", {
  tags: "nightly",
}, async () => {
  await own.deployAgent("refunds", {
    parametersMetadata: [{ name: "message", type: "String", required: true }],
    flow: {
      steps: [
        { id: "ask", type: "Approval", title: "Refund?", allowStarter: true },
        {
          id: "end",
          type: "Output",
          value: "{% steps.ask.output.action & ': ' & input.message %}",
        },
      ],
      edges: [{ source: "ask", target: "end" }],
    },
  });
  const url = `${inject("stack").baseUrl}${own.base}/agents/refunds/a2a`;
  const configId = await publish(url, await own.mintKey(["agents:execute"]));
  const run = (parameters: Record<string, string>) =>
    own.send("POST", "/integrations/a2a/tools/send_message:run", { configId, parameters });
  const asked = Result.parse((await run({ message: "250 to Grace" })).body).jsonValue;
  expect(asked).toMatchObject({
    state: "input-required",
    message: [{}, { data: { approvals: [{}] } }],
  });
  const { taskId } = asked;
  const decided = await run({ message: "approve", taskId });
  expect(decided.body).toMatchObject({
    jsonValue: { taskId, state: "completed", output: "approve: 250 to Grace" },
  });
});

test("a config without an address, or with a parameter that it does not have, is refused", async () => {
  for (const [parameters, pointer] of [
    [{}, "/parameters/url"],
    [{ url: "agent.example.com" }, "/parameters/url"],
    [{ url: "https://agent.example.com", wait: 5 }, "/parameters/wait"],
  ] as const) {
    const body = { integrationId: "a2a", parameters };
    const refused = await own.try("POST", "/integration-configs", { body });
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer }] });
  }
});
