import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization } from "../harness/api.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

/** One of the two that the setup allows. */
const allowed = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const other = "anthropic.claude-opus-4-1-20250805-v1:0";

/** A deployment that allows two models of Bedrock. */
describe("BEDROCK_MODELS", () => {
  let models: ModelServer;
  let own: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    models = await startModelServer();
    own = await newOrganization();
  });
  afterAll(() => models.close());

  const send = (method: string, path: string, body: unknown = {}) =>
    own.try(method, path, { body });
  const refusedAt = (...pointers: string[]) => ({
    status: 400,
    body: {
      type: "/problems/validation-failed",
      errors: pointers.map((pointer) => ({
        pointer,
        detail: expect.stringContaining("BEDROCK_MODELS"),
      })),
    },
  });

  test("limits the models of Bedrock, wherever one is named", async () => {
    const provider = { type: "bedrock", region: "eu-west-1", baseUrl: models.url, apiKey: "k" };
    const create = (more: object) => send("POST", "/llm-providers", { ...provider, ...more });
    expect(await create({ id: "no", defaultModel: other })).toMatchObject(
      refusedAt("/defaultModel"),
    );
    expect(await create({ id: "aws", defaultModel: allowed })).toMatchObject({ status: 201 });
    expect(await send("PATCH", "/llm-providers/aws", { defaultModel: other })).toMatchObject(
      refusedAt("/defaultModel"),
    );

    const ask = (model: string) => send("POST", "/llm-providers/aws:test", { model });
    expect(await ask(other)).toMatchObject(refusedAt("/model"));
    expect(await ask(`us.${allowed}`)).toMatchObject(refusedAt("/model"));
    expect(models.requests).toEqual([]);
    expect(await ask(allowed)).toMatchObject({ status: 200 });
    const arn = "arn:aws:bedrock:eu-west-1:000000000000:inference-profile/eu.amazon.nova-pro-v1:0";
    expect(await ask(arn)).toMatchObject({ status: 200 });
    expect(models.requests).toHaveLength(2);

    await send("POST", "/agents", { id: "bot", displayName: "Bot" });
    const llm = (model?: string) => ({ providerId: "aws", parameters: { model } });
    const prompt = (id: string, model: string) => ({
      id,
      type: "Prompt",
      prompt: "Hi",
      llm: llm(model),
    });
    const revise = (steps: object[], llmConfigs: object[] = []) =>
      send("POST", "/agents/bot/revisions", {
        parametersMetadata: [{ name: "model", type: "String" }],
        flow: { steps, edges: [] },
        llmConfigs,
      });
    const loop = { id: "loop", type: "ForEach", items: "{% [1] %}", step: prompt("in", other) };
    const refused = await revise([prompt("a", allowed), prompt("b", other), loop], [llm(other)]);
    expect(refused).toMatchObject(
      refusedAt(
        "/llmConfigs/0/parameters/model",
        "/flow/steps/1/llm/parameters/model",
        "/flow/steps/2/step/llm/parameters/model",
      ),
    );
    expect(await revise([prompt("a", allowed)], [llm()])).toMatchObject({ status: 201 });

    expect(await revise([prompt("a", "{% input.model %}")])).toMatchObject({ status: 201 });
    await send("POST", "/agents/bot/revisions/2:deploy");
    const run = (model: string) => send("POST", "/agents/bot:execute", { input: { model } });
    expect(await run(other)).toMatchObject({
      status: 422,
      body: { type: "/problems/execution-failed", step: "a" },
    });
    expect(models.requests).toHaveLength(2);
    expect(await run(allowed)).toMatchObject({ status: 200 });
    expect(models.requests).toHaveLength(3);
  });
});
