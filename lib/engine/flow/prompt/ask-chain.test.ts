import { describe, expect, test } from "vitest";
import {
  calls,
  depsWithModel,
  filesWith,
  flowOptions,
  run,
  textResult,
  toFlowFile,
  usage,
} from "../../../../test/harness/flow.ts";
import type { GenerateRequest, ModelProvider } from "../../models/model.ts";
import { type FailureFacts, ModelFailure } from "../../models/model-failure.ts";
import { StepError } from "../../step-error.ts";
import type { FlowEvent, FlowOptions, StepOutcome } from "../flow-result.ts";
import type { Spending } from "../spend-guard.ts";
import type { Waits } from "../waits.ts";

type Generate = ModelProvider["generate"];

const dayMs = 86_400_000;

const failing =
  (facts: Partial<FailureFacts> = {}, text = ""): Generate =>
  async ({ onDelta }) => {
    if (text !== "") onDelta?.(text);
    throw new ModelFailure("It failed.", { upstream: "main", reason: "overloaded", ...facts });
  };

/** Creates providers by id, with factors of their prices; returns the ids of those that were called and resolved. */
const chain = (
  providers: Readonly<Record<string, Generate | (Partial<ModelProvider> & { generate: Generate })>>,
  factors: Readonly<Record<string, number>> = {},
) => {
  const called: string[] = [];
  const resolved: string[] = [];
  const requests: GenerateRequest[] = [];
  const base = depsWithModel(async () => textResult(""));
  const resolve = async (id: string): Promise<ModelProvider | undefined> => {
    resolved.push(id);
    const known = providers[id];
    const fake = await base.models.resolve("test");
    if (!known || !fake) return undefined;
    const own = typeof known === "function" ? { generate: known } : known;
    const generate: Generate = (request) => {
      called.push(id);
      requests.push(request);
      return own.generate(request);
    };
    const price: ModelProvider["price"] = async (model, tokens) => {
      const { cost, priced } = await fake.price(model, tokens);
      const factor = factors[id] ?? 1;
      const all = Object.entries(cost).map(([name, dollars]) => [name, dollars * factor]);
      return { cost: { ...cost, ...Object.fromEntries(all) }, priced: priced && factor > 0 };
    };
    return { defaultModel: `${id}-1`, ...own, generate, price };
  };
  const [main = "", ...fallbacks] = Object.keys(providers);
  const llm = { providerId: main, fallbacks: fallbacks.map((providerId) => ({ providerId })) };
  return { deps: { ...base, models: { resolve } }, llm, called, resolved, requests };
};

const prompt = (llm: object, more: object = {}) => ({
  id: "ask",
  type: "Prompt",
  prompt: "Hi",
  llm,
  ...more,
});

const sure: Generate = async () => textResult("fine");

const runPrompt = async (
  { deps, llm }: Pick<ReturnType<typeof chain>, "deps" | "llm">,
  options: Partial<FlowOptions> = {},
  step: object = {},
) => {
  const events: FlowEvent[] = [];
  const result = await run([prompt(llm, step)], [], {
    deps: { ...deps, ...options.deps },
    emit: (event) => events.push(event),
    ...options,
  });
  return { ...result, events, models: result.spans.filter(({ type }) => type === "Model") };
};

test("the next model is called when one fails; each call has a span, and the step's names the model that responded", async () => {
  const tried = chain({ a: failing(), b: failing({ reason: "timeout", timedOut: true }), c: sure });
  const { output, spans, models, usage: total } = await runPrompt(tried);
  expect(output).toBe("fine");
  expect(models.map(({ providerId, status }) => `${providerId} ${status}`)).toEqual([
    "a Failed",
    "b Failed",
    "c Succeeded",
  ]);
  expect(spans[0]).toMatchObject({
    providerId: "a",
    servedBy: { providerId: "c", modelId: "c-1" },
  });
  expect(total).toMatchObject([{ providerId: "c", tokens: usage }]);
});

test("without fallbacks nothing is named, and no provider is read twice", async () => {
  const alone = chain({ a: sure });
  const { spans } = await runPrompt(alone);
  expect(spans[0]).not.toHaveProperty("servedBy");
  expect(alone.resolved).toEqual(["a"]);
});

test("providers of fallbacks are read only when they are needed", async () => {
  const tried = chain({ a: sure, b: sure });
  expect((await runPrompt(tried)).output).toBe("fine");
  expect(tried.resolved).toEqual(["a"]);
});

test("a mistake in the configuration of the first model calls no other", async () => {
  const tried = chain({ a: failing({ reason: undefined, upstreamStatus: 401 }), b: sure });
  const { error } = await runPrompt(tried);
  expect(error).toMatchObject({ slug: "upstream-failed", upstreamStatus: 401 });
  expect(tried.called).toEqual(["a"]);
});

test("when all fail, the error names the models that failed before", async () => {
  const { error } = await runPrompt(chain({ a: failing(), b: failing({ upstream: "b" }) }));
  expect(error).toMatchObject({
    upstream: "b",
    detail: "It failed. Before, these models failed: a/a-1 (overloaded).",
  });
});

test("tokens of a failed call that the service accepted count, with their cost", async () => {
  const accepted = failing({ wasAccepted: true });
  const { models, usage: total } = await runPrompt(chain({ a: accepted, b: sure }));
  expect(models[0]?.usage?.inputTokens).toBeGreaterThan(0);
  expect(total.map(({ providerId }) => providerId)).toEqual(["a", "b"]);
});

test("a filtered response counts as refused, with the tokens that it reports", async () => {
  const filtered: Generate = async () => ({ ...textResult(""), finishReason: "content-filter" });
  const tried = chain({ a: filtered, b: sure });
  const llm = { ...tried.llm, fallbackOn: ["refused"] };
  const { output, models } = await runPrompt({ ...tried, llm });
  expect(output).toBe("fine");
  expect(models[0]).toMatchObject({ status: "Failed", usage, cost: { totalCost: 10 } });
  expect((await runPrompt(tried)).error?.detail).toContain("refused to respond");
});

describe("after the first text", () => {
  test("no other model is called; the retry is announced by a reset", async () => {
    const tried = chain({ a: failing({}, "Once upon"), b: sure });
    let isFirst = true;
    const a: Generate = (request) => {
      const generate = isFirst ? failing({}, "Once upon") : sure;
      isFirst = false;
      return generate(request);
    };
    const again = chain({ a, b: sure });
    const retry = { on: ["upstream-failed"], maxAttempts: 2, backoffSeconds: 0 };
    const failed = await runPrompt(tried);
    expect(failed.status).toBe("Failed");
    expect(tried.called).toEqual(["a"]);
    const { output, events } = await runPrompt(again, {}, { retry });
    expect(output).toBe("fine");
    expect(again.called).toEqual(["a", "a"]);
    expect(events.map(({ type }) => type)).toEqual([
      "step.started",
      "output.delta",
      "step.failed",
      "output.reset",
      "step.started",
      "step.completed",
    ]);
  });

  test("a retry of a step without text resets nothing", async () => {
    const retry = { on: ["upstream-failed"], maxAttempts: 2, backoffSeconds: 0 };
    const { events } = await runPrompt(chain({ a: failing() }), {}, { retry });
    expect(events.map(({ type }) => type)).not.toContain("output.reset");
  });
});

test("later turns use the model that responded, also after a wait", async () => {
  let turns = 0;
  const working: Generate = async () => {
    turns += 1;
    return turns === 1 ? calls(["calculate", { expression: "1+1" }]) : textResult("done");
  };
  const tried = chain({ a: failing(), b: working });
  const tool = { integrationId: "system", toolId: "calculate", approval: true };
  const opened: string[] = [];
  const ended = new Map();
  const waits: Waits = {
    ended,
    opened: new Map(),
    enter: () => undefined,
    leave: () => undefined,
    findEarly: async () => undefined,
    reopen: () => new Promise(() => {}),
    open: async (request, over) => {
      opened.push(request.path);
      await new Promise((_, reject) => over.addEventListener("abort", () => reject(over.reason)));
      throw new Error("it ended");
    },
  };
  const step = { tools: [tool] };
  const first = await runPrompt(tried, { waits }, step);
  expect(first.status).toBe("Waiting");
  const suspended = new Map<string, StepOutcome>(
    JSON.parse(JSON.stringify(first.suspended ?? [])).map((outcome: StepOutcome) => [
      outcome.stepId,
      outcome,
    ]),
  );
  const [path = ""] = opened;
  const answer = { action: "reject", comment: null, arguments: null };
  ended.set(path, { since: 1, at: 2, answer });
  const second = await runPrompt(tried, { waits, completed: suspended }, step);
  expect(second.output).toBe("done");
  expect(tried.called).toEqual(["a", "b", "b"]);
});

describe("a model that rests", () => {
  const resting = (until: number, generate = sure) => ({ generate, restsUntil: () => until });

  test("is not called while another is left", async () => {
    const tried = chain({ a: resting(10_000), b: sure });
    expect((await runPrompt(tried)).output).toBe("fine");
    expect(tried.called).toEqual(["b"]);
  });

  test("is called when no other is left: the one that rests the shortest time", async () => {
    const tried = chain({ a: resting(20_000), b: resting(10_000) });
    await runPrompt(tried);
    expect(tried.called).toEqual(["b"]);
    const alone = chain({ a: resting(10_000) });
    await runPrompt(alone);
    expect(alone.called).toEqual(["a"]);
  });

  test("is called again after its time", async () => {
    const tried = chain({ a: resting(10_000), b: sure });
    await runPrompt(tried, { deps: { ...tried.deps, clock: () => 10_000 } });
    expect(tried.called).toEqual(["a"]);
  });
});

describe("a retry", () => {
  const retry = { on: ["upstream-failed"], maxAttempts: 3, backoffSeconds: 1 };
  const pauses = async (facts: Partial<FailureFacts>, others: Partial<FailureFacts>[] = []) => {
    const slept: number[] = [];
    const sleep = async (ms: number, signal: AbortSignal) => {
      if (ms < 60_000 || ms === 120_000) return void slept.push(ms);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    };
    const limited = failing({ reason: "rate-limited", ...facts });
    const rest = others.map((other, at) => [`other${at}`, failing(other)] as const);
    const tried = chain({ a: limited, ...Object.fromEntries(rest) });
    const deps = { ...tried.deps, clock: () => 1_000, sleep };
    await runPrompt({ ...tried, llm: { ...tried.llm } }, { deps }, { retry });
    return { slept: slept.filter((ms) => ms !== 30_000), called: tried.called };
  };

  test("waits for the Retry-After", async () => {
    expect(await pauses({ retryAfterMs: 120_000 })).toMatchObject({ slept: [120_000, 120_000] });
    expect(await pauses({})).toMatchObject({ slept: [1_000, 2_000] });
  });

  test("is not made in vain: when the quota is back in a day, or after the execution's end", async () => {
    expect(await pauses({ retryAfterMs: dayMs })).toEqual({ slept: [], called: ["a"] });
    expect(await pauses({ retryAfterMs: 300_001 })).toEqual({ slept: [], called: ["a"] });
  });

  test("is made when another model of the chain can be called before", async () => {
    const { called } = await pauses({ retryAfterMs: dayMs }, [{}]);
    expect(called).toHaveLength(6);
  });
});

describe("a budget", () => {
  const recordSpending = async (tried: ReturnType<typeof chain>) => {
    const asked: { spent: number; estimate: number; most: number }[] = [];
    const unpriced: string[] = [];
    const spend = {
      checkUnpriced: (model: string) => void unpriced.push(model),
      reserve: async ({ spent, estimate, most }: Spending) =>
        void asked.push({ spent, estimate, most: most() }),
    };
    await runPrompt(tried, { spend });
    return { asked, unpriced };
  };

  test("reserves the most expensive model of the chain, and of its rest after a failure", async () => {
    const cheap = (await recordSpending(chain({ a: sure }))).asked[0];
    const tried = chain({ a: failing({ wasAccepted: true }), b: sure, c: sure }, { b: 2, c: 5 });
    const { asked } = await recordSpending(tried);
    expect(asked[0]).toMatchObject({ spent: 0, estimate: 5 * (cheap?.estimate ?? 0) });
    expect(asked[0]?.most).toBe(5 * (cheap?.most ?? 0));
    expect(asked[1]?.estimate).toBe(5 * (cheap?.estimate ?? 0));
    expect(asked[1]?.spent).toBeGreaterThan(0);
    const last = chain({ a: failing(), b: sure }, { a: 9, b: 2 });
    const ends = await recordSpending(last);
    expect(ends.asked.map(({ estimate }) => estimate / (cheap?.estimate ?? 1))).toEqual([9, 2]);
  });

  test("checks a fallback without a price before the first call", async () => {
    expect((await recordSpending(chain({ a: sure, b: sure }, { b: 0 }))).unpriced).toEqual([
      "b/b-1",
    ]);
  });

  test("that is spent ends the step; no other model is called", async () => {
    const tried = chain({ a: sure, b: sure });
    const reserve = async () => {
      throw new StepError("budget-exceeded", "Spent.");
    };
    const spend = { checkUnpriced: () => undefined, reserve };
    const { error } = await runPrompt(tried, { spend });
    expect(error?.slug).toBe("budget-exceeded");
    expect(tried.called).toEqual([]);
  });
});

test("expressions name fallbacks too, and those of the revision are the default", async () => {
  const tried = chain({ a: failing(), b: sure });
  const llm = {
    providerId: "a",
    fallbacks: [{ providerId: "{% input.other %}", parameters: { model: "{% input.model %}" } }],
  };
  const options = { input: { other: "b", model: "b-2" } };
  const { spans } = await runPrompt({ ...tried, llm }, options);
  expect(spans[0]?.servedBy).toEqual({ providerId: "b", modelId: "b-2" });
  const defaultLlm = {
    providerId: "a",
    parameters: {},
    fallbacks: [{ providerId: "b", parameters: {} }],
  };
  const own = { id: "ask", type: "Prompt", prompt: "Hi" };
  const result = await run([own], [], { ...flowOptions({ deps: tried.deps }), defaultLlm });
  expect(result.spans[0]?.servedBy).toEqual({ providerId: "b", modelId: "b-1" });
});

describe("files", () => {
  const photo = { id: "f1", name: "photo.png", mediaType: "image/png", content: "png" };
  const { files } = filesWith(photo);
  const blind = { generate: async () => textResult("I see nothing"), takes: () => "no" as const };
  const seeing = { generate: async () => textResult("A cat"), takes: () => "yes" as const };

  const askAbout = async ({ deps, llm }: Pick<ReturnType<typeof chain>, "deps" | "llm">) =>
    run([{ id: "ask", type: "Prompt", prompt: "go", llm, files: ["{% input.photo %}"] }], [], {
      input: { photo: toFlowFile(photo) },
      deps: { ...deps, files },
    });

  test("decide per model: a fallback that does not take them is not called", async () => {
    const models = chain({ main: failing(), blind, seeing });
    const result = await askAbout(models);
    expect(result.output).toBe("A cat");
    expect(models.called).toEqual(["main", "seeing"]);
  });

  test("report the failure of the first model, and why no other one was called", async () => {
    const result = await askAbout(chain({ main: failing(), blind }));
    expect(result.error).toMatchObject({
      slug: "upstream-failed",
      detail:
        'It failed. Other models were not called: The file "photo.png" (image/png) is of a type that the model blind/blind-1 does not take.',
    });
  });

  test("fail the step when the first model does not take them, without a call", async () => {
    const models = chain({ blind, seeing });
    const result = await askAbout(models);
    expect(result.error?.slug).toBe("execution-failed");
    expect(models.called).toEqual([]);
  });

  test("without text are not sent to a fallback that reads only text", async () => {
    const letter = { ...photo, name: "a.pdf", mediaType: "application/pdf" };
    const { deps, llm, called } = chain({ main: { ...seeing, generate: failing() }, blind });
    const result = await run(
      [{ id: "ask", type: "Prompt", prompt: "go", llm, files: ["{% input.photo %}"] }],
      [],
      {
        input: { photo: toFlowFile(letter) },
        deps: { ...deps, files: filesWith(letter).files },
      },
    );
    expect(result.error?.detail).toContain("It failed. Other models were not called: ");
    expect(called).toEqual(["main"]);
  });
});
