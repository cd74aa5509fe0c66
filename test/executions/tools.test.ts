import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";
import { startToolApi } from "../harness/tool-api.ts";

const Created = z.looseObject({ id: z.string() });
const Result = z.looseObject({ executionId: z.string(), output: z.unknown() });
const secret = "s3cret-of-the-config";

const document = JSON.stringify({
  openapi: "3.1.0",
  servers: [{ url: "https://elsewhere.example.com" }],
  security: [{ key: [] }],
  paths: {
    "/weather/{city}": {
      get: {
        operationId: "weather/get",
        summary: "The weather of a city",
        parameters: [{ name: "days", in: "query", schema: { type: "integer" } }],
      },
    },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
});

describe("tools of an OpenAPI document", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let api: Awaited<ReturnType<typeof startToolApi>>;
  let models: ModelServer;
  let configId: string;

  beforeAll(async () => {
    api = await startToolApi(({ path }) => ({ body: JSON.stringify({ path }) }));
    models = await startModelServer();
    own = await newOrganization();
    const config = await own.send("POST", "/integration-configs", {
      integrationId: "openapi",
      parameters: { document, baseUrl: api.url },
      auth: { parameters: { apiKey: secret } },
    });
    configId = Created.parse(config.body).id;
    await own.send("POST", `/integration-configs/${configId}:publish`);
    await own.send("POST", "/llm-providers", {
      id: "stand-in",
      type: "openai-compatible",
      baseUrl: `${models.url}/v1`,
    });
  });
  beforeEach(() => {
    api.requests.length = 0;
  });
  afterAll(() => Promise.all([api.close(), models.close()]));

  const run = (parameters: object = { city: "Bonn", days: "2" }, more: object = {}) =>
    own.try("POST", "/integrations/openapi/tools/weather_get:run", {
      body: { configId, parameters, ...more },
    });

  test("run with the config's credentials, which are in no response", async () => {
    const response = await run();
    expect(response.body).toMatchObject({ jsonValue: { path: "/weather/Bonn?days=2" } });
    expect(api.requests).toMatchObject([{ method: "GET", headers: { "x-api-key": secret } }]);
    expect(response.text).not.toContain(secret);
    const selected = await run({ city: "Ulm" }, { resultSelect: "$uppercase(path)" });
    expect(selected.body).toMatchObject({ response: "/WEATHER/ULM", resultType: "String" });
  });

  test.each([401, 404, 429, 500])(
    "an API that responds with %d is a 502 that contains only the status",
    async (status) => {
      api.script({ status, body: `{"token":"${secret}"}` });
      const response = await run();
      expect(expectProblem(response)).toMatchObject({
        status: 502,
        slug: "upstream-failed",
        upstream: new URL(api.url).host,
        upstreamStatus: status,
      });
      expect(response.text).not.toContain(secret);
    },
  );

  test("broken JSON is a 502; invalid parameters are a 422", async () => {
    api.script({ body: '{"a":' });
    expect(expectProblem(await run()).slug).toBe("upstream-failed");
    expect(expectProblem(await run({ city: "Bonn", days: "two" }))).toMatchObject({
      slug: "execution-failed",
      detail: '"days" must be a whole number, such as 3.',
    });
    expect(expectProblem(await run({ city: ".." })).slug).toBe("execution-failed");
  });

  test("a tool that never ends is a 504 before the gateway's timeout", {
    tags: "nightly",
  }, async () => {
    api.script("hang");
    expect(expectProblem(await run())).toMatchObject({ status: 504, upstream: "openapi" });
  });

  test("are steps of a flow, and another published revision counts from then on", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("forecast", {
      parametersMetadata: [{ name: "city", type: "String", required: true }],
      flow: {
        steps: [
          {
            id: "ask",
            type: "Tool",
            integrationId: "openapi",
            toolId: "weather_get",
            configId,
            parameters: { city: "{% input.city %}" },
          },
        ],
        edges: [],
      },
    });
    const execute = () =>
      own.try("POST", "/agents/forecast:execute", { body: { input: { city: "a/b" } } });
    expect(Result.parse((await execute()).body).output).toEqual({ path: "/weather/a%2Fb" });
    api.script({ status: 500 });
    expect(expectProblem(await execute())).toMatchObject({ slug: "upstream-failed", step: "ask" });
    await own.send("PATCH", `/integration-configs/${configId}`, {
      parameters: { document, baseUrl: `${api.url}/v2` },
      auth: { parameters: { apiKey: secret } },
    });
    expect(Result.parse((await execute()).body).output).toEqual({ path: "/weather/a%2Fb" });
    await own.send("POST", `/integration-configs/${configId}:publish`);
    expect(Result.parse((await execute()).body).output).toEqual({ path: "/v2/weather/a%2Fb" });
    await own.send("POST", `/integration-configs/${configId}:publish`, { revision: 1 });
  });

  test("are offered to models, and no credential is in the trace", async () => {
    await own.deployAgent("thinker", {
      llmConfigs: [{ providerId: "stand-in", parameters: { model: "m" } }],
      flow: {
        steps: [
          {
            id: "ask",
            type: "Prompt",
            prompt: "How is the weather?",
            tools: [{ integrationId: "openapi", toolId: "weather_get", configId }],
          },
        ],
        edges: [],
      },
    });
    models.script(
      { toolCalls: [{ name: "weather_get", arguments: { city: "Köln", days: 3 } }] },
      { text: "Fine." },
    );
    const response = await own.try("POST", "/agents/thinker:execute", { body: { input: {} } });
    const { executionId, output } = Result.parse(response.body);
    expect(output).toBe("Fine.");
    expect(api.requests).toMatchObject([{ path: "/weather/K%C3%B6ln?days=3" }]);
    const trace = await own.send("GET", `/agents/thinker/execution-records/${executionId}/trace`);
    expect(trace.text).toContain("openapi/weather_get");
    expect(trace.text).not.toContain(secret);
    expect(JSON.stringify(models.requests)).not.toContain(secret);
  });
});
