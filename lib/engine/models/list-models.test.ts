import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../../test/harness/model-server.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { listModels, maxListedModels } from "./list-models.ts";
import type { ProviderSettings, ProviderType } from "./provider-settings.ts";
import type { RemoteOptions } from "./remote-provider.ts";

const secret = "sk-very-secret";
/** The base path of a type, the headers with its key, and a listed model with a known price. */
const services = [
  {
    type: "openai",
    path: "/v1",
    headers: { authorization: `Bearer ${secret}` },
    priced: "gpt-5",
    requests: ["/v1/models"],
  },
  {
    type: "anthropic",
    path: "/v1/",
    headers: { "x-api-key": secret, "anthropic-version": "2023-06-01" },
    priced: "claude-sonnet-4-5",
    requests: [
      "/v1/models?limit=1000",
      "/v1/models?limit=1000&after_id=2",
      "/v1/models?limit=1000&after_id=4",
    ],
  },
  {
    type: "google",
    path: "/v1beta",
    headers: { "x-goog-api-key": secret },
    priced: "gemini-2.5-pro",
    requests: [
      "/v1beta/models?pageSize=1000",
      "/v1beta/models?pageSize=1000&pageToken=2",
      "/v1beta/models?pageSize=1000&pageToken=4",
    ],
  },
  {
    type: "bedrock",
    path: "",
    headers: { authorization: `Bearer ${secret}` },
    priced: "anthropic.claude-sonnet-4-5-20250929-v1:0",
    requests: [
      "/foundation-models",
      "/inference-profiles?maxResults=1000",
      "/inference-profiles?maxResults=1000&nextToken=2",
      "/inference-profiles?maxResults=1000&nextToken=4",
    ],
  },
  {
    type: "openai-compatible",
    path: "/v1",
    headers: { authorization: `Bearer ${secret}` },
    priced: undefined,
    requests: ["/v1/models"],
  },
] as const;

let server: ModelServer;
beforeAll(async () => {
  const priced = services.flatMap((service) => service.priced ?? []);
  server = await startModelServer({
    models: [{ id: "zeta", displayName: "Zeta" }, ...priced.map((id) => ({ id }))],
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const list = (
  type: ProviderType,
  settings: Partial<ProviderSettings> = {},
  {
    signal = new AbortController().signal,
    ...options
  }: RemoteOptions & { signal?: AbortSignal } = {},
) =>
  listModels(
    {
      id: "mine",
      type,
      baseUrl: server.url + services.find((service) => service.type === type)?.path,
      region: null,
      defaultModel: null,
      apiKey: secret,
      ...settings,
    },
    { allowPrivateAddresses: true, ...options },
    signal,
  );

const failure = async (work: Promise<unknown>): Promise<UpstreamError> => {
  const thrown = await work.catch((error: unknown) => error);
  if (!(thrown instanceof UpstreamError)) throw new Error("no failure of the service");
  return thrown;
};

const sent = (...ids: readonly unknown[]) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ data: ids.map((id) => ({ id })) }),
});

describe.each(services)("the list of $type", ({ type, headers, priced, requests }) => {
  test("has the models of all its pages by id, with known names and prices", async () => {
    const models = await list(type);
    const ids = models.map(({ id }) => id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted());
    expect(models.at(-1)).toEqual({ id: "zeta", displayName: "Zeta" });
    expect(models.flatMap(({ id, prices }) => (prices && prices.output > 0 ? [id] : []))).toEqual(
      priced === undefined ? [] : expect.arrayContaining([priced]),
    );
    expect(server.requests.map(({ path }) => path).toSorted()).toEqual(requests.toSorted());
    for (const request of server.requests) expect(request.headers).toMatchObject(headers);
  });

  test.each([401, 404, 500])(
    "that fails with %i says what to do, without the key",
    async (status) => {
      const body = JSON.stringify({ error: { message: `${secret} is wrong` } });
      server.script(...(type === "bedrock" ? [{ status, body }] : []), { status, body });
      const failed = await failure(list(type));
      expect(failed).toMatchObject({ upstream: "mine", upstreamStatus: status });
      expect(failed.message).toMatch(
        { 401: /apiKey/, 404: /no list of models.*baseUrl.*name a model/, 500: /try again later/ }[
          status
        ] ?? /never/,
      );
      expect(JSON.stringify([failed, failed.message, failed.stack])).not.toContain(secret);
      expect(await list(type)).toHaveLength(5);
    },
  );
});

describe("a list of models", () => {
  test("that never comes ends with its time", async () => {
    server.script({ fault: "hang" });
    const signal = AbortSignal.timeout(50);
    await expect(list("openai", {}, { signal })).rejects.toThrow("timeout");
    expect(signal.aborted).toBe(true);
  });

  test("has at most 1000 models, and none with an id that is not a name", async () => {
    const many = Array.from({ length: maxListedModels + 5 }, (_, at) => `m${10_000 + at}`);
    server.script(sent(...many.toReversed(), "m10000", "", "x".repeat(257), "a\nb", 7, null));
    const models = await list("openai-compatible");
    expect(models.map(({ id }) => id)).toEqual(many.slice(0, maxListedModels));
  });

  test("with pages that never end is read in part", async () => {
    const page = (at: number) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data: [{ id: `m${at}` }], has_more: true, last_id: `after-${at}` }),
    });
    server.script(...Array.from({ length: 20 }, (_, at) => page(at)));
    expect(await list("anthropic")).toHaveLength(20);
    expect(server.requests).toHaveLength(20);
  });

  test("that is too large or no list is a failure that says so", async () => {
    server.script({ ...sent(), body: JSON.stringify({ data: ["x".repeat(3_000_000)] }) });
    expect((await failure(list("openai"))).message).toContain("too large to be read");
    server.script({ status: 200, body: "<html>" });
    expect((await failure(list("openai"))).message).toContain("check its type and baseUrl");
  });

  test("is not read from a private address, unless the deployment allows it", async () => {
    const failed = await failure(list("openai", {}, { allowPrivateAddresses: false }));
    expect(failed.message).toContain("no public address");
    expect(server.requests).toEqual([]);
  });

  test("needs no key where the server needs none", async () => {
    await list("openai-compatible", { apiKey: null });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test("of Bedrock without an apiKey has the known models that the deployment allows", async () => {
    const ofRole = { apiKey: null, baseUrl: null, region: "eu-central-1" };
    const ids = async (bedrockModels: readonly string[]) =>
      (await list("bedrock", ofRole, { bedrockModels })).map(({ id }) => id);
    const all = await ids(["*"]);
    expect(all).toContain("eu.anthropic.claude-sonnet-4-5-20250929-v1:0");
    expect(all.filter((id) => id.startsWith("regional."))).toEqual([]);
    expect(await ids(["amazon.nova-lite*", "own.model"])).toEqual([
      "amazon.nova-lite-v1:0",
      "own.model",
    ]);
    expect(server.requests).toEqual([]);
  });

  test("of Bedrock leaves out what the deployment does not allow", async () => {
    const models = await list("bedrock", {}, { bedrockModels: ["anthropic.*"] });
    expect(models.map(({ id }) => id)).toEqual(["anthropic.claude-sonnet-4-5-20250929-v1:0"]);
  });
});
