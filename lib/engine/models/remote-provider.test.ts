import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type ModelServer,
  type Scripted,
  startModelServer,
} from "../../../test/harness/model-server.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { StepError } from "../step-error.ts";
import type { GenerateRequest, ModelMessage } from "./model.ts";
import { type ProviderType, providerTypes } from "./provider-settings.ts";
import { createRemoteProvider, type RemoteOptions } from "./remote-provider.ts";

const paths: Record<ProviderType, string> = {
  openai: "/v1",
  anthropic: "/v1",
  google: "/v1beta",
  bedrock: "",
  "openai-compatible": "/v1",
};
const models: Record<ProviderType, string> = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
  bedrock: "anthropic.claude-sonnet-4-5-20250929-v1:0",
  "openai-compatible": "llama3.3",
};

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const now = Date.UTC(2026, 10, 20);

const provider = (type: ProviderType, options: RemoteOptions = {}) =>
  createRemoteProvider(
    {
      id: "mine",
      type,
      baseUrl: server.url + paths[type],
      region: type === "bedrock" ? "us-east-1" : null,
      defaultModel: null,
      apiKey: "sk-very-secret",
    },
    { allowPrivateAddresses: true, clock: () => now, ...options },
  );

const requestFor = (type: ProviderType, more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  model: models[type],
  messages: [{ role: "user", text: "Hi" }],
  parameters: {},
  signal: new AbortController().signal,
  ...more,
});

const tool = {
  name: "weather",
  description: "Tells the weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};

const failure = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
};

const lastBody = () => server.requests.at(-1)?.body ?? {};

describe.each(providerTypes)("%s", (type) => {
  describe.each([
    ["plain", false],
    ["streamed", true],
  ] as const)("%s", (_, streamed) => {
    const ask = async (more: Partial<GenerateRequest> = {}) => {
      const parts: string[] = [];
      const onDelta = (text: string) => parts.push(text);
      const result = await provider(type).generate(
        requestFor(type, { ...(streamed && { onDelta }), ...more }),
      );
      return { ...result, parts };
    };

    test("returns the text, and counts every token under one kind", async () => {
      const thinkingTokens = type === "bedrock" ? 0 : 7;
      server.script({
        text: ["Good ", "day"],
        usage: { inputTokens: 20, outputTokens: 5, cachedTokens: 30, thinkingTokens },
      });
      const { message, usage, finishReason, responseModelId, parts } = await ask();
      expect(message.text).toBe("Good day");
      expect(message.toolCalls).toEqual([]);
      expect(finishReason).toBe("stop");
      // The AI SDK does not read the model of Google's response.
      expect(responseModelId).toBe(type === "google" ? undefined : models[type]);
      expect(usage).toEqual({
        inputTokens: 20,
        outputTokens: 5,
        cachedTokens: 30,
        thinkingTokens,
      });
      expect(parts).toEqual(streamed ? ["Good ", "day"] : []);
    });

    test("calls tools, and sends their results with the parts that the service expects back", async () => {
      server.script(
        {
          text: "",
          reasoning: "Let me see",
          toolCalls: [{ name: "weather", arguments: { city: "Kyiv" } }],
        },
        { text: "Sunny" },
      );
      const first = await ask({ tools: [tool] });
      expect(first.finishReason).toBe("tool-calls");
      const [call] = first.message.toolCalls;
      expect(call).toMatchObject({ name: "weather", arguments: { city: "Kyiv" } });
      expect(JSON.stringify(lastBody())).toContain("Tells the weather");
      // As it is after a checkpoint.
      const kept: ModelMessage = JSON.parse(JSON.stringify(first.message));
      const output = { sky: "blue" };
      const second = await ask({
        tools: [tool],
        messages: [
          { role: "user", text: "Hi" },
          kept,
          {
            role: "tool",
            results: [{ id: call?.id ?? "", name: "weather", output, isError: false }],
          },
        ],
      });
      expect(second.message.text).toBe("Sunny");
      const sent = JSON.stringify(lastBody());
      expect(sent).toContain("Kyiv");
      expect(sent).toContain("blue");
      const signatures: Record<ProviderType, string> = {
        openai: "sealed-reasoning",
        anthropic: "signed-thinking",
        google: "signed-thought",
        bedrock: "signed",
        "openai-compatible": "Let me see",
      };
      expect(sent).toContain(signatures[type]);
    });

    test("responds by a schema", async () => {
      server.script({ text: '{"city":"Kyiv"}' });
      const { message } = await ask({ outputSchema: tool.parameters });
      expect(JSON.parse(message.text)).toEqual({ city: "Kyiv" });
      expect(JSON.stringify(lastBody())).toContain('"city"');
    });

    test("reports that the response was cut off", async () => {
      server.script({ text: "Once upon a", finish: "length" });
      expect((await ask()).finishReason).toBe("length");
    });

    test.each(["garbage", "truncated", "reset"] as const)(
      "fails on a %s response",
      async (fault) => {
        server.script({ fault });
        const error = await failure(ask());
        expect(error).toBeInstanceOf(UpstreamError);
        expect(error).toMatchObject({ upstream: "mine", timedOut: false });
        expect(String(error)).not.toContain("html");
      },
    );

    test.each(["hang", "stall"] as const)("a %s ends with the signal's reason", async (fault) => {
      server.script({ fault, reply: { text: ["a", "b", "c"] } });
      const aborter = new AbortController();
      const failed = failure(ask({ signal: aborter.signal }));
      await expect.poll(() => server.requests.length).toBe(1);
      const reason = new Error("enough");
      aborter.abort(reason);
      expect(await failed).toBe(reason);
    });

    test("a service's error is reported without its text", async () => {
      server.script({
        status: 500,
        headers: { "content-type": "application/json", "x-secret": "header-secret" },
        body: '{"error":{"message":"body-secret"}}',
      });
      const error = await failure(ask());
      expect(error).toMatchObject({
        name: "UpstreamError",
        message: 'The model provider "mine" failed: try again later (500).',
        upstream: "mine",
        upstreamStatus: 500,
      });
      expect(JSON.stringify(error) + String(error)).not.toMatch(/secret|127\.0\.0\.1/);
      expect(server.requests).toHaveLength(1);
    });
  });

  test("sends the key, the system prompt and the common parameters", async () => {
    await provider(type).generate(
      requestFor(type, {
        system: "Be brief",
        model: type === "openai" ? "gpt-4.1" : models[type],
        parameters: { model: "x", maxOutputTokens: 77, temperature: 0.25, stopSequences: null },
      }),
    );
    const [request] = server.requests;
    expect(JSON.stringify(request?.headers)).toContain("sk-very-secret");
    const sent = JSON.stringify(request?.body);
    expect(sent).toContain("Be brief");
    expect(sent).toContain("77");
    expect(sent).toContain("0.25");
  });

  test("a parameter of a wrong type is the step's mistake, and nothing is sent", async () => {
    const parameters = { temperature: "hot", maxOutputTokens: 1.5 };
    const error = await failure(provider(type).generate(requestFor(type, { parameters })));
    expect(error).toBeInstanceOf(StepError);
    expect(error).toMatchObject({ slug: "execution-failed" });
    expect(String(error)).toMatch(/llm\.parameters\.temperature.*llm\.parameters\.maxOutputTokens/);
    expect(server.requests).toHaveLength(0);
  });
});

test.each<[ProviderType, string, unknown]>([
  ["openai", "parallelToolCalls", "yes"],
  ["anthropic", "thinking", { type: "wild" }],
  ["google", "thinkingConfig", 5],
  ["bedrock", "reasoningConfig", 5],
  ["openai-compatible", "reasoningEffort", 5],
])("%s: its own parameter %s of a wrong type is the step's mistake", async (type, name, value) => {
  const request = {
    ...requestFor(type),
    parameters: JSON.parse(JSON.stringify({ [name]: value })),
  };
  const error = await failure(provider(type).generate(request));
  expect(error).toBeInstanceOf(StepError);
  expect(String(error)).toContain(`llm.parameters.${name}`);
  expect(server.requests).toHaveLength(0);
});

test("unknown parameters are passed on to the service", async () => {
  const more = { parameters: { reasoningEffort: "low", top_k: 5 } };
  await provider("openai-compatible").generate(requestFor("openai-compatible", more));
  expect(lastBody()).toMatchObject({ reasoning_effort: "low", top_k: 5 });
});

test("OpenAI stores no responses unless a step requests it", async () => {
  await provider("openai").generate(requestFor("openai"));
  expect(lastBody()).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
  await provider("openai").generate(requestFor("openai", { parameters: { store: true } }));
  expect(lastBody()).toMatchObject({ store: true });
});

test("OpenAI enforces a schema strictly only where it can", async () => {
  await provider("openai").generate(requestFor("openai", { outputSchema: tool.parameters }));
  expect(lastBody()).toMatchObject({ text: { format: { type: "json_schema", strict: true } } });
  const outputSchema = { type: "object", properties: { a: { type: "string" } } };
  await provider("openai").generate(requestFor("openai", { outputSchema }));
  expect(lastBody()).toMatchObject({ text: { format: { type: "json_schema", strict: false } } });
});

test("a model without structured output responds by a tool in its place", async () => {
  server.script({ toolCalls: [{ name: "json", arguments: { city: "Kyiv" } }] });
  const parts: string[] = [];
  const { message, finishReason } = await provider("anthropic").generate(
    requestFor("anthropic", {
      model: "claude-3-haiku-20240307",
      outputSchema: tool.parameters,
      onDelta: (text) => parts.push(text),
    }),
  );
  expect(JSON.parse(message.text)).toEqual({ city: "Kyiv" });
  expect(parts.join("")).toBe(message.text);
  expect({ finishReason, calls: message.toolCalls }).toEqual({ finishReason: "stop", calls: [] });
});

test.each<[ProviderType, boolean, number]>([
  ["anthropic", false, 15],
  ["anthropic", true, 15],
  ["bedrock", false, 0],
  ["bedrock", true, 0],
])(
  "tokens written to a cache are input of %s, and counted separately, streamed: %s",
  async (type, streamed, hour) => {
    server.script({
      text: "x",
      usage: {
        inputTokens: 3,
        cacheWriteTokens: 40,
        cacheWriteHourTokens: hour,
        cachedTokens: 500,
        outputTokens: 1,
      },
    });
    const onDelta = () => undefined;
    const request = requestFor(type, streamed ? { onDelta } : {});
    const { usage } = await provider(type).generate(request);
    expect(usage).toEqual({
      inputTokens: 43,
      outputTokens: 1,
      cachedTokens: 500,
      thinkingTokens: 0,
      cacheWriteTokens: 40,
      ...(hour > 0 && { cacheWriteHourTokens: hour }),
    });
  },
);

test("arguments that are not JSON are returned as text, and omitted from the next request", async () => {
  server.script({ toolCalls: [{ name: "weather", arguments: '{"city": "Ky' }] }, { text: "ok" });
  const { message } = await provider("openai-compatible").generate(
    requestFor("openai-compatible", { tools: [tool] }),
  );
  expect(message.toolCalls).toMatchObject([{ name: "weather", arguments: '{"city": "Ky' }]);
  await provider("openai-compatible").generate(
    requestFor("openai-compatible", {
      tools: [tool],
      messages: [
        { role: "user", text: "Hi" },
        message,
        {
          role: "tool",
          results: [{ id: "call_1", name: "weather", output: "bad", isError: true }],
        },
      ],
    }),
  );
  expect(JSON.stringify(lastBody())).not.toContain("Ky");
});

test("a response of one provider is sent to another with its text and without its reasoning", async () => {
  server.script({
    text: "Hm",
    reasoning: "private",
    toolCalls: [{ name: "weather", arguments: {} }],
  });
  const { message } = await provider("anthropic").generate(
    requestFor("anthropic", { tools: [tool] }),
  );
  const messages = [{ role: "user" as const, text: "Hi" }, message];
  await provider("openai-compatible").generate(requestFor("openai-compatible", { messages }));
  const sent = JSON.stringify(lastBody());
  expect(sent).toContain("Hm");
  expect(sent).not.toContain("private");
});

test("Bedrock signs with the credentials of the environment when there is no key", async () => {
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]) {
    vi.stubEnv(name, `test-${name}`);
  }
  try {
    const signed = createRemoteProvider(
      {
        id: "b",
        type: "bedrock",
        baseUrl: server.url,
        region: "eu-west-1",
        defaultModel: null,
        apiKey: null,
      },
      { allowPrivateAddresses: true },
    );
    await signed.generate(requestFor("bedrock"));
  } finally {
    vi.unstubAllEnvs();
  }
  const headers = server.requests[0]?.headers ?? {};
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=test-AWS_ACCESS_KEY_ID\/\d+\/eu-west-1\/bedrock\/aws4_request/,
  );
  expect(headers["x-amz-security-token"]).toBe("test-AWS_SESSION_TOKEN");
});

describe("a service that is busy", () => {
  const busy = (status: number, retryAfter?: string): Scripted => ({
    status,
    ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }),
  });
  const ask = async (waits: number[] = []) => {
    const sleep = async (ms: number) => {
      waits.push(ms);
    };
    return provider("openai", { sleep }).generate(requestFor("openai"));
  };

  test("is retried after its delay, twice at most", async () => {
    const waits: number[] = [];
    const date = new Date(now + 5_000).toUTCString();
    server.script(busy(429, "3"), busy(503, date), { text: "at last" });
    expect((await ask(waits)).message.text).toBe("at last");
    expect(waits).toEqual([3_000, 5_000]);
    server.script(busy(429, "1"), busy(429, "1"), busy(429, "1"));
    expect(await failure(ask(waits))).toMatchObject({ upstream: "mine", upstreamStatus: 429 });
    expect(waits).toEqual([3_000, 5_000, 1_000, 1_000]);
  });

  test.each([
    ["asks for more than 20 s", 429, "21"],
    ["does not say for how long", 429, undefined],
    ["says nonsense", 503, "soon"],
    ["is not busy but broken", 500, "1"],
  ] as const)("is not waited for when it %s", async (_, status, retryAfter) => {
    const waits: number[] = [];
    server.script(busy(status, retryAfter));
    expect(await failure(ask(waits))).toMatchObject({ upstreamStatus: status });
    expect(waits).toEqual([]);
  });

  test("is no longer waited for once the signal is aborted", async () => {
    const aborter = new AbortController();
    const reason = new Error("enough");
    server.script(busy(429, "20"));
    const asked = failure(
      provider("openai").generate(requestFor("openai", { signal: aborter.signal })),
    );
    await expect.poll(() => server.requests.length).toBe(1);
    aborter.abort(reason);
    expect(await asked).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});

test.each([
  [401, "apiKey"],
  [403, "apiKey"],
  [404, "name"],
  [400, "parameters"],
  [302, "redirect"],
])("status %d is reported with advice", async (status, word) => {
  server.script({ status, headers: { location: `${server.url}/elsewhere` } });
  const error = await failure(provider("anthropic").generate(requestFor("anthropic")));
  expect(error).toMatchObject({ upstreamStatus: status, upstream: "mine" });
  expect(String(error)).toContain(word);
  expect(server.requests).toHaveLength(1);
});

test("a private address is not called", async () => {
  const error = await failure(
    provider("openai", { allowPrivateAddresses: false }).generate(requestFor("openai")),
  );
  expect(error).toBeInstanceOf(UpstreamError);
  const named = createRemoteProvider(
    {
      id: "n",
      type: "openai",
      baseUrl: "https://models.example/v1",
      region: null,
      defaultModel: null,
      apiKey: "k",
    },
    { lookup: async () => [{ address: "169.254.169.254", family: 4 }] },
  );
  expect(String(await failure(named.generate(requestFor("openai"))))).toContain(
    "no public address",
  );
  expect(server.requests).toHaveLength(0);
});

test("a service that is not there is an UpstreamError", async () => {
  const gone = await startModelServer();
  await gone.close();
  const dead = createRemoteProvider(
    {
      id: "d",
      type: "openai-compatible",
      baseUrl: `${gone.url}/v1`,
      region: null,
      defaultModel: null,
      apiKey: null,
    },
    { allowPrivateAddresses: true },
  );
  const error = await failure(dead.generate(requestFor("openai-compatible")));
  expect(error).toMatchObject({ name: "UpstreamError", upstream: "d" });
  expect(String(error)).toContain("could not be reached, or");
  expect(String(error)).toContain("check its baseUrl");
});

test.each([
  ["openai", null, "sk", "reached at api.openai.com", "that this deployment can reach it"],
  [
    "bedrock",
    "eu-west-1",
    "sk",
    "reached at bedrock-runtime.eu-west-1.amazonaws.com",
    "its region",
  ],
] as const)(
  "without a route to %s names the host, and no setting that does not exist",
  async (type, region, apiKey, where, what) => {
    const settings = { id: "mine", type, baseUrl: null, region, defaultModel: null, apiKey };
    const options = { lookup: () => Promise.reject(new Error("no route")) };
    const error = String(
      await failure(createRemoteProvider(settings, options).generate(requestFor(type))),
    );
    expect(error).toContain(where);
    expect(error).toContain(`check ${what}`);
    expect(error).not.toContain("baseUrl");
  },
);
