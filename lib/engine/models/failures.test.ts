import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depsWithModel, run, textResult } from "../../../test/harness/flow.ts";
import { type Outcome, type Way, ways } from "../../../test/harness/model-failures.ts";
import {
  type ModelServer,
  type Scripted,
  startModelServer,
} from "../../../test/harness/model-server.ts";
import type { FlowEvent } from "../flow/flow-result.ts";
import { createCooldowns } from "./cooldowns.ts";
import { defaultFallbackOn } from "./llm-options.ts";
import { failureReasons, ModelFailure } from "./model-failure.ts";
import { type ProviderType, providerTypes } from "./provider-settings.ts";
import { createRemoteProvider } from "./remote-provider.ts";

const paths: Record<ProviderType, string> = {
  openai: "/v1",
  anthropic: "/v1",
  google: "/v1beta",
  bedrock: "",
  "openai-compatible": "/v1",
};

let server: ModelServer;
let closedUrl: string;
beforeAll(async () => {
  server = await startModelServer({ fallback: { status: 418 } });
  const closed = await startModelServer();
  closedUrl = closed.url;
  await closed.close();
});
afterAll(() => server.close());

const connect = (type: ProviderType, way: Way) =>
  createRemoteProvider(
    {
      id: "main",
      type,
      baseUrl: (way.scripted === "closed port" ? closedUrl : server.url) + paths[type],
      region: type === "bedrock" ? "us-east-1" : null,
      defaultModel: "m",
      apiKey: "k",
    },
    { allowPrivateAddresses: true, cooldowns: createCooldowns() },
  );

const prepare = ({ scripted }: Way) => {
  server.requests.length = 0;
  if (scripted !== "closed port") server.script(scripted);
};

/** Runs a Prompt with a first model that fails in a way; returns the result. */
const runPrompt = async (type: ProviderType, way: Way, fallbackOn: readonly string[]) => {
  prepare(way);
  let now = 1_000;
  const events: FlowEvent[] = [];
  const hasText = () => events.some(({ type: event }) => event === "output.delta");
  const isHeard = () => (way.outcome === "after text" ? hasText() : server.requests.length > 0);
  // Time passes once the service is silent: the call's share of the step's time, or the step's time.
  const awaited = way.outcome !== "after text" && fallbackOn.includes("timeout") ? 30_000 : 60_000;
  const sleep = async (ms: number, signal: AbortSignal) => {
    if (way.isSilent && ms === awaited) {
      await expect.poll(() => isHeard() || signal.aborted, { interval: 2 }).toBe(true);
      await new Promise(setImmediate);
      if (!signal.aborted) now += ms;
      return;
    }
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  };
  const spare = depsWithModel(async () => textResult("from the spare"));
  const main = connect(type, way);
  const models = {
    resolve: async (id: string) => (id === "main" ? main : spare.models.resolve(id)),
  };
  const llm = { providerId: "main", fallbacks: [{ providerId: "test" }], fallbackOn };
  const step = { id: "ask", type: "Prompt", prompt: "Hi", llm };
  const { status, output, error, spans } = await run([step], [], {
    deps: { ...spare, models, clock: () => now, sleep },
    emit: (event) => events.push(event),
  });
  const calls = spans.filter(({ type: span }) => span === "Model");
  return { status, output, error, calls, hasText: hasText(), servedBy: spans[0]?.servedBy };
};

const findOutcome = ({ outcome, except }: Way, type: ProviderType): Outcome =>
  except?.[type] ?? outcome;

const isReason = (outcome: Outcome) => failureReasons.some((reason) => reason === outcome);

describe.each(providerTypes)("%s", (type) => {
  test.each(ways)("$name: the next model, or the step's failure", async (way) => {
    const outcome = findOutcome(way, type);
    const others = failureReasons.filter((reason) => reason !== outcome);
    const all = await runPrompt(type, way, isReason(outcome) ? [outcome] : failureReasons);
    expect(await runPrompt(type, way, others)).toMatchObject({ status: "Failed" });
    const byDefault = await runPrompt(type, way, defaultFallbackOn);
    const served = {
      status: "Succeeded",
      output: "from the spare",
      servedBy: { providerId: "test", modelId: "m" },
    };
    const failed = { status: "Failed", calls: { length: 1 }, servedBy: undefined };
    expect(all).toMatchObject(isReason(outcome) ? { ...served, calls: { length: 2 } } : failed);
    const isDefault = defaultFallbackOn.some((reason) => reason === outcome);
    expect(byDefault).toMatchObject(isDefault ? { ...served, calls: { length: 2 } } : failed);
    expect(all.hasText && !isReason(outcome)).toBe(outcome === "after text");
    const isCut = outcome === "after text" && way.isSilent;
    const status = isCut ? "Cancelled" : "Failed";
    expect(all.calls[0]).toMatchObject({ status, providerId: "main" });
  });

  const reported = ways.filter(({ isStreamedOnly }) => !isStreamedOnly);
  test.each(reported)("$name: the same reason without streaming", async (way) => {
    prepare(way);
    const model = connect(type, way);
    const request = {
      model: "m",
      messages: [{ role: "user" as const, text: "Hi" }],
      parameters: {},
      signal: new AbortController().signal,
      isImpatient: true,
    };
    const outcome = way.whole?.[type] ?? findOutcome(way, type);
    const result = await model.generate(request).catch((error: unknown) => error);
    if (result instanceof ModelFailure) {
      expect(result.reason ?? "own mistake").toBe(outcome);
      expect(result.message).not.toMatch(/Welcome|validation error|Unknown parameter|Overloaded/);
      return;
    }
    // The caller decides about a response that was filtered.
    expect({ result, outcome }).toMatchObject({
      result: { finishReason: "content-filter" },
      outcome: "refused",
    });
  });
});

describe("a model with a Retry-After", () => {
  const now = 1_000_000;
  const ask = async (scripted: Scripted, apiKey = "k") => {
    const cooldowns = createCooldowns();
    const settings = {
      id: "main",
      type: "anthropic" as const,
      baseUrl: `${server.url}/v1`,
      region: null,
      defaultModel: "m",
    };
    const options = { allowPrivateAddresses: true, clock: () => now, cooldowns };
    const model = createRemoteProvider({ ...settings, apiKey }, options);
    const other = createRemoteProvider({ ...settings, apiKey: "new" }, options);
    server.requests.length = 0;
    server.script(scripted);
    const request = {
      model: "m",
      messages: [{ role: "user" as const, text: "Hi" }],
      parameters: {},
      signal: new AbortController().signal,
      isImpatient: true,
    };
    await model.generate(request).catch(() => undefined);
    const rests = (of: typeof model, name: string) =>
      Math.max(0, (of.restsUntil?.(name) ?? 0) - now);
    return { rests: rests(model, "m"), others: [rests(model, "n"), rests(other, "m")] };
  };
  const throttled = (seconds: string) =>
    ({ error: "throttled", headers: { "retry-after": seconds } }) as const;

  test("rests for that time, at most 5 minutes; another model, and another key, do not", async () => {
    expect(await ask(throttled("12"))).toEqual({ rests: 12_000, others: [0, 0] });
    expect(await ask(throttled("86400"))).toMatchObject({ rests: 300_000 });
    expect(await ask({ status: 529, headers: { "retry-after": "7" } })).toMatchObject({
      rests: 7_000,
    });
    expect(await ask({ error: "throttled" })).toMatchObject({ rests: 0 });
    expect(await ask({ error: "bad request" })).toMatchObject({ rests: 0 });
  });

  test("is not waited for when another one can be called", async () => {
    await ask(throttled("1"));
    expect(server.requests).toHaveLength(1);
  });
});
