import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { ExecutionResult } from "../../../lib/executions/schemas.ts";
import { newOrganization } from "../../harness/api.ts";
import { callForEvents } from "../../harness/events.ts";
import { type ModelServer, startModelServer } from "../../harness/model-server.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

/** Provider types: the path at the stand-in, a model with a list price, and further settings. */
const providers = [
  { type: "openai", path: "/v1", model: "gpt-5" },
  { type: "anthropic", path: "/v1", model: "claude-sonnet-4-5" },
  { type: "google", path: "/v1beta", model: "gemini-2.5-pro" },
  {
    type: "bedrock",
    path: "",
    model: "anthropic.claude-sonnet-4-5-20250929-v1:0",
    region: "us-east-1",
  },
  { type: "openai-compatible", path: "/v1", model: "priced" },
] as const;

const usage = { inputTokens: 20, outputTokens: 5, cachedTokens: 30, thinkingTokens: 0 };
const Delta = z.looseObject({ text: z.string() });

let own: Organization;
let models: ModelServer;
beforeAll(async () => {
  own = await newOrganization();
  models = await startModelServer();
  for (const { type, path, model, ...more } of providers) {
    await own.send("POST", "/llm-providers", {
      id: `a-${type}`,
      type,
      displayName: type,
      baseUrl: `${models.url}${path}`,
      apiKey: "sk-a-key",
      ...more,
    });
    await own.deployAgent(`over-${type}`, {
      llmConfigs: [{ providerId: `a-${type}`, parameters: { model } }],
      flow: {
        steps: [{ id: "ask", type: "Prompt", prompt: "What now?", tools: ["calculate"] }],
        edges: [],
      },
    });
  }
});
afterAll(() => models.close());

describe.each(providers)("a $type model, called by the built functions", ({ type }) => {
  test("calls a tool, and its tokens and cost are counted", async () => {
    models.script(
      { toolCalls: [{ name: "calculate", arguments: { expression: "6 * 7" } }], usage },
      { text: "It is 42.", usage },
    );
    const ran = await own.try("POST", `/agents/over-${type}:execute`, { body: { input: {} } });
    expect(ran.status, ran.text).toBe(200);
    const result = ExecutionResult.parse(ran.body);
    expect(result).toMatchObject({
      output: "It is 42.",
      usage: { inputTokens: 40, outputTokens: 10, cachedTokens: 60, thinkingTokens: 0 },
    });
    expect(result.cost.totalCost).toBeGreaterThan(0);
    expect(JSON.stringify(models.requests.at(-1)?.body)).toContain("42");
  });

  test("streams its text to a caller who accepts events", async () => {
    models.script({ text: ["Good ", "day"], usage });
    const path = `${own.base}/agents/over-${type}:execute`;
    const { events } = await callForEvents(path, { token: own.token, body: { input: {} } });
    const all = await Array.fromAsync(events);
    const deltas = all.filter(({ event }) => event === "output.delta");
    expect(deltas.map(({ data }) => Delta.parse(data).text).join("")).toBe("Good day");
    expect(all.at(-1)).toMatchObject({
      event: "execution.completed",
      data: { output: "Good day", usage },
    });
  });
});

test("the echo model, called by the built functions, responds and streams without a provider", async () => {
  await own.deployAgent("over-echo", {
    llmConfigs: [{ providerId: "echo", parameters: {} }],
    flow: { steps: [{ id: "ask", type: "Prompt", prompt: "Say this" }], edges: [] },
  });
  const ran = await own.try("POST", "/agents/over-echo:execute", { body: { input: {} } });
  expect(ExecutionResult.parse(ran.body).output).toBe("Say this");
  const path = `${own.base}/agents/over-echo:execute`;
  const { events } = await callForEvents(path, { token: own.token, body: { input: {} } });
  expect((await Array.fromAsync(events)).at(-1)).toMatchObject({
    event: "execution.completed",
    data: { output: "Say this" },
  });
});
