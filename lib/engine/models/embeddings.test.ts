import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../../test/harness/model-server.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { echoModel } from "./echo.ts";
import { wordDimension } from "./embed-words.ts";
import { hasEmbeddings, type ProviderType, providerTypes } from "./provider-settings.ts";
import { createRemoteProvider } from "./remote-provider.ts";

const signal = new AbortController().signal;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const provider = (type: ProviderType, path: string) =>
  createRemoteProvider(
    {
      id: "mine",
      type,
      baseUrl: server.url + path,
      region: type === "bedrock" ? "us-east-1" : null,
      defaultModel: null,
      apiKey: "sk-very-secret",
    },
    { allowPrivateAddresses: true },
  );

const toJsonResponse = (body: unknown) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const data = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ embedding: [index, 1], index }));

describe("a provider's embeddings", () => {
  test.each([
    ["openai", "/v1", "/v1/embeddings", { data: data(2), usage: { prompt_tokens: 5 } }, 5],
    [
      "openai-compatible",
      "/v1",
      "/v1/embeddings",
      { data: data(2), usage: { prompt_tokens: 5 } },
      5,
    ],
    [
      "google",
      "/v1beta",
      "/v1beta/models/a-model:batchEmbedContents",
      { embeddings: [{ values: [0, 1] }, { values: [1, 1] }] },
      0,
    ],
  ] as const)(
    "%s: one call for a batch, in the order of the texts",
    async (type, base, path, body, inputTokens) => {
      server.script(toJsonResponse(body));
      const request = { model: "a-model", texts: ["one", "two"], signal };
      expect(await provider(type, base).embed?.(request)).toEqual({
        vectors: [
          [0, 1],
          [1, 1],
        ],
        inputTokens,
      });
      expect(server.requests.map((request) => request.path)).toEqual([path]);
    },
  );

  test("bedrock: one call per text for a model without batches", async () => {
    const texts = Array.from({ length: 6 }, (_, at) => `text ${at}`);
    for (const _ of texts)
      server.script(toJsonResponse({ embedding: [1, 0], inputTextTokenCount: 2 }));
    const model = "amazon.titan-embed-text-v2:0";
    const result = await provider("bedrock", "").embed?.({ model, texts, signal });
    expect(result).toEqual({ vectors: texts.map(() => [1, 0]), inputTokens: 12 });
    expect(server.requests).toHaveLength(6);
  });

  test("a batch is no larger than 64 texts", async () => {
    server.script(toJsonResponse({ data: data(64) }), toJsonResponse({ data: data(2) }));
    const texts = Array.from({ length: 66 }, (_, at) => `text ${at}`);
    const result = await provider("openai", "/v1").embed?.({ model: "m", texts, signal });
    expect(result?.vectors).toHaveLength(66);
    expect(server.requests.map(({ body }) => [body.input].flat().length)).toEqual([64, 2]);
  });

  test("a failure names the provider and its status, and nothing of its body", async () => {
    server.script({ status: 401, body: "their words" });
    const request = { model: "m", texts: ["one"], signal };
    const failure = await provider("openai", "/v1")
      .embed?.(request)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UpstreamError);
    expect(failure).toMatchObject({ upstream: "mine", upstreamStatus: 401 });
    expect(String(failure)).not.toContain("their words");
  });

  test.each(providerTypes)("%s has embedding models exactly where assets accept it", (type) => {
    expect(provider(type, "/v1").embed !== undefined).toBe(hasEmbeddings(type));
  });
});

describe("echo's embeddings", () => {
  const embed = async (...texts: string[]) =>
    (await echoModel.embed?.({ model: "echo-1", texts, signal }))?.vectors ?? [];
  const similarity = ([one = [], other = []]: readonly (readonly number[])[]) =>
    one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

  test("every text has a vector of length 1, always the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const [one = [], other] = await embed(text, text);
        expect(other).toEqual(one);
        expect(one).toHaveLength(wordDimension);
        expect(Math.hypot(...one)).toBeCloseTo(1, 6);
      }),
    );
  });

  test("texts are the nearer the more words they share, whatever their case and order", async () => {
    const same = similarity(await embed("How to deploy an agent", "DEPLOY: how an agent to"));
    const near = similarity(await embed("How to deploy an agent", "Agents and their deployment"));
    const far = similarity(await embed("How to deploy an agent", "Invoices of last September"));
    expect(same).toBeCloseTo(1, 6);
    expect(near).toBeGreaterThan(far + 0.1);
  });
});
