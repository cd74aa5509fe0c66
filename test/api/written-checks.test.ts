import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem, newOrganization } from "../harness/api.ts";

let own: Awaited<ReturnType<typeof newOrganization>>;

beforeAll(async () => {
  own = await newOrganization();
  await own.send("POST", "/agents", { id: "writer", displayName: "Writer" });
  await own.send("POST", "/llm-providers", {
    id: "our-models",
    type: "openai-compatible",
    baseUrl: "https://models.example.com/v1",
  });
});

const output = { id: "out", type: "Output", value: "hi" };
const buildFlow = (...steps: unknown[]) => ({ flow: { steps, edges: [] } });
const city = { name: "city", type: "String" };
const create = async (body: unknown) => own.try("POST", "/agents/writer/revisions", { body });

describe("a revision is refused where it is written", () => {
  const prompt = { id: "ask", type: "Prompt", prompt: "go" };
  test.each<[string, unknown, string, string]>([
    [
      "an unknown member of a step",
      buildFlow({
        id: "each",
        type: "ForEach",
        items: [1],
        concurency: 2,
        step: { type: "Transform", value: 1 },
      }),
      "/flow/steps/0/concurency",
      'did you mean "concurrency"?',
    ],
    [
      "an unknown member of an inner step",
      buildFlow({ id: "each", type: "ForEach", items: [1], step: { type: "Transform", valu: 1 } }),
      "/flow/steps/0/step/valu",
      'did you mean "value"?',
    ],
    [
      "retrys",
      buildFlow({ ...output, retrys: {} }),
      "/flow/steps/0/retrys",
      'did you mean "retry"?',
    ],
    [
      "an unknown member of retry",
      buildFlow({ ...output, retry: { maxAttempts: 1, backof: 1 } }),
      "/flow/steps/0/retry/backof",
      "is not known here",
    ],
    [
      "an unknown member of llm",
      buildFlow({ ...prompt, llm: { providerId: "echo", params: {} } }),
      "/flow/steps/0/llm/params",
      "is not known here",
    ],
    [
      "an unknown member of the flow",
      { flow: { steps: [output], edges: [], edge: [] } },
      "/flow/edge",
      'did you mean "edges"?',
    ],
    [
      "an unknown member of an edge",
      {
        flow: {
          steps: [output, { ...output, id: "b" }],
          edges: [{ source: "out", target: "b", when: "true" }],
        },
      },
      "/flow/edges/0/when",
      "is not known here",
    ],
    [
      "an unknown member of parametersMetadata",
      { parametersMetadata: [{ ...city, requird: true }] },
      "/parametersMetadata/0/requird",
      'did you mean "required"?',
    ],
    [
      "an unknown member of a job policy",
      { jobPolicyConfigs: [{ scheduleFrequency: "hourly", timezon: "UTC" }] },
      "/jobPolicyConfigs/0/timezon",
      'did you mean "timezone"?',
    ],
    [
      "a misspelled member of the body",
      { paramsMetadata: [city] },
      "/paramsMetadata",
      'did you mean "parametersMetadata"?',
    ],
    [
      "an input that is not declared",
      { parametersMetadata: [city], ...buildFlow({ ...output, value: "{% input.ctiy %}" }) },
      "/flow/steps/0/value",
      'did you mean "city"?',
    ],
    [
      "a parameter that is not declared",
      buildFlow({ ...output, value: "{% $uppercase(parameters.city) %}" }),
      "/flow/steps/0/value",
      "parameters.city",
    ],
    [
      "a step that does not exist",
      buildFlow({ ...output, value: "{% steps.nobody.output %}" }),
      "/flow/steps/0/value",
      "no such step",
    ],
    [
      "braces",
      buildFlow({ ...output, value: { a: "Hi {{ input.city }}" } }),
      "/flow/steps/0/value/a",
      "{% … %}",
    ],
    ["a Prompt without a model", buildFlow(prompt), "/flow/steps/0/llm", "llmConfigs"],
    [
      "a provider that does not exist",
      { llmConfigs: [{ providerId: "our-model", parameters: {} }], ...buildFlow(prompt) },
      "/llmConfigs/0/providerId",
      'did you mean "our-models"?',
    ],
    [
      "a provider without a default model",
      buildFlow({ ...prompt, llm: { providerId: "our-models" } }),
      "/flow/steps/0/llm/parameters/model",
      "default model",
    ],
    ["a flow without a step", { flow: { steps: [], edges: [] } }, "/flow/steps", "at least 1"],
  ])("%s", async (_, body, pointer, words) => {
    const response = await create(body);
    expect(response.status, response.text).toBe(400);
    expect(expectProblem(response)).toMatchObject({
      errors: expect.arrayContaining([{ pointer, detail: expect.stringContaining(words) }]),
    });
  });

  test("and a response may be sent back as a request, with further members at the top", async () => {
    const body = {
      parametersMetadata: [city],
      llmConfigs: [{ providerId: "our-models", parameters: { model: "m" } }],
      ...buildFlow({ id: "ask", type: "Prompt", prompt: "Go to {% input.city %}" }),
    };
    const created = await create(body);
    expect(created.status, created.text).toBe(201);
    const read = await own.send("GET", "/agents/writer/revisions/1");
    const again = await create({ ...Object(read.body), somethingElse: 1 });
    expect(again.status, again.text).toBe(201);
  });
});

describe("an execution", () => {
  beforeAll(async () => {
    await own.deployAgent("traveller", {
      parametersMetadata: [{ ...city, required: true }],
      ...buildFlow({ ...output, value: "{% input.city %}" }),
    });
  });
  const execute = (body: unknown) => own.try("POST", "/agents/traveller:execute", { body });

  test("names a member next to input: an input at the wrong place, a misspelling, or a stray", async () => {
    expect(expectProblem(await execute({ city: "Oslo" }))).toMatchObject({
      errors: [{ pointer: "/city", detail: "is an input of the agent: send it as /input/city" }],
    });
    expect(expectProblem(await execute({ inputs: { city: "Oslo" } }))).toMatchObject({
      errors: [{ pointer: "/inputs", detail: expect.stringContaining('did you mean "input"?') }],
    });
    expect(expectProblem(await execute({ input: {}, stray: 1 }))).toMatchObject({
      errors: [{ pointer: "/input/city" }, { pointer: "/stray" }],
    });
    expect((await execute({ input: { city: "Oslo" }, stray: 1 })).status).toBe(200);
  });
});

describe("an integration config is refused where it is written", () => {
  const post = (body: object) => own.try("POST", "/integration-configs", { body });

  test("with an agent or a tool that does not exist in its MCP offer", async () => {
    const parameters = { tools: ["calculat"], agents: ["nobody"] };
    const offer = { integrationId: "system", parameters, exposeMcp: true };
    expect(expectProblem(await post(offer))).toMatchObject({
      errors: [
        { pointer: "/parameters/agents/0", detail: 'there is no agent "nobody"' },
        {
          pointer: "/parameters/tools/0",
          detail: expect.stringContaining('did you mean "calculate"?'),
        },
      ],
    });
  });

  test("with a parameter that its integration does not have, or a credential among the parameters", async () => {
    const refused = await post({
      integrationId: "openapi",
      parameters: { documentURI: "https://api.example.com/openapi.json", token: "secret" },
    });
    expect(expectProblem(refused)).toMatchObject({
      errors: [
        {
          pointer: "/parameters/documentURI",
          detail: 'is not a parameter of openapi; did you mean "documentUrl"?',
        },
        {
          pointer: "/parameters/token",
          detail: "is a credential: send it as /auth/parameters/token",
        },
      ],
    });
  });

  test("with a member that auth does not have, when it is created and when it is changed", async () => {
    const auth = { type: "oauth2", issuer: "https://login.example.com", clientId: "ours" };
    const { body } = await post({
      integrationId: "mcp",
      parameters: { url: "https://mcp.example.com" },
      auth,
    });
    const { id, auth: shown } = Object(body);
    const path = `/integration-configs/${id}`;
    const wrong = { auth: { ...shown, ownr: "endUser" } };
    const whole = {
      integrationId: "mcp",
      parameters: { url: "https://mcp.example.com" },
      ...wrong,
    };
    for (const refused of [await post(whole), await own.try("PATCH", path, { body: wrong })]) {
      expect(expectProblem(refused)).toMatchObject({
        errors: [{ pointer: "/auth/ownr", detail: 'is not known here; did you mean "owner"?' }],
      });
    }
    expect((await own.try("PATCH", path, { body: { auth: shown } })).status).toBe(200);
  });

  test.each([
    ["JSON", '{"swagger": "2.0", "paths": {}}'],
    ["YAML", 'swagger: "2.0"\npaths: {}\n'],
  ])("with a Swagger 2.0 document in %s", async (_, document) => {
    const refused = await post({ integrationId: "openapi", parameters: { document } });
    expect(expectProblem(refused)).toMatchObject({
      errors: [{ pointer: "/parameters/document", detail: expect.stringContaining("Swagger 2.0") }],
    });
  });

  test("and an MCP server of an unpublished config says so", async () => {
    const { body } = await post({ integrationId: "system", parameters: {}, exposeMcp: true });
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const response = await own.try("POST", `/mcp/${Object(body).id}`, { body: message });
    expect(expectProblem(response)).toMatchObject({
      slug: "not-found",
      detail: expect.stringContaining("is not published"),
    });
  });
});
