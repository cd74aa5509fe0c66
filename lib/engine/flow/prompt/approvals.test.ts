import { describe, expect, test } from "vitest";
import {
  agentsWith,
  ask,
  calls,
  compiled,
  depsWithModel,
  filesWith,
  flowOptions,
  knowledgeWith,
  resultsIn,
  scripted,
  textResult,
  toFlowFile,
  usage,
  weatherAgent,
} from "../../../../test/harness/flow.ts";
import type { Json } from "../../../values/json/json.ts";
import type { GenerateResult } from "../../models/model.ts";
import { textParameter } from "../../tools/system/text-parameter.ts";
import { type Tool, ToolError, type ToolRegistry } from "../../tools/tool.ts";
import { compileFlow } from "../compile-flow.ts";
import type { FlowEvent, FlowOptions, FlowResult, StepOutcome } from "../flow-result.ts";
import { runFlow } from "../run-flow.ts";
import { RunStop } from "../run-stop.ts";
import type { FlowSurroundings } from "../step-type.ts";
import type { ApprovalRequest, OpenWait, WaitEnd } from "../waits.ts";

const pay = { integrationId: "bank", toolId: "pay" };
const look = { integrationId: "bank", toolId: "look" };
const paying = (more: object = {}) => ask({ tools: [{ ...pay, approval: true, ...more }, look] });

/** The integration `bank`: its tools `pay` and `look` record their calls. */
const bank = (more: Partial<Tool> = {}) => {
  const made: unknown[] = [];
  const tool = (id: string, actionType: "ReadOnly" | "ReadWrite"): Tool => ({
    descriptor: {
      id,
      displayName: id,
      description: "",
      actionType,
      resultType: "Json",
      parametersMetadata: [
        {
          ...textParameter("amount", "How much."),
          type: "Integer",
          integerRange: { min: 1, max: 5_000 },
        },
        textParameter("to", "To whom."),
      ],
    },
    run: async (parameters) => {
      made.push([id, parameters]);
      return `${id} ${parameters.amount}`;
    },
    ...(id === "pay" && more),
  });
  const all = new Map([
    ["pay", tool("pay", "ReadWrite")],
    ["look", tool("look", "ReadOnly")],
  ]);
  const tools: ToolRegistry = {
    resolve: (integration, id) => (integration === "bank" ? all.get(id) : undefined),
    list: () => new Map([["bank", [...all.values()]]]),
  };
  return { made, tools, remove: (id: string) => all.delete(id) };
};

/** Runs a flow again and again, with what the runs before have stored. */
const resumable = (
  steps: readonly object[],
  {
    deps,
    subAgents = [],
    assets = [],
    edges = [],
    ...options
  }: Partial<FlowOptions> & { deps: FlowOptions["deps"]; edges?: string[] } & Partial<
      Pick<FlowSurroundings, "subAgents" | "assets">
    >,
) => {
  const flow = compiled(steps, edges, { tools: deps.tools, subAgents, assets });
  const completed = new Map<string, StepOutcome>();
  const opened = new Map<string, OpenWait>();
  const ended = new Map<string, WaitEnd>();
  const events: FlowEvent[] = [];
  const never = () => new Promise<WaitEnd>(() => {});
  const run = async (more: Partial<FlowOptions> = {}): Promise<FlowResult> => {
    const known = [...opened].filter(([path]) => !ended.has(path));
    const result = await runFlow(
      flow,
      flowOptions({
        deps,
        emit: (event) => events.push(event),
        completed: new Map(completed),
        onStepCompleted: async (outcome) => void completed.set(outcome.stepId, outcome),
        waits: {
          ended,
          opened: new Map(known),
          open: (wait) => {
            opened.set(wait.path, wait);
            return never();
          },
          reopen: never,
          findEarly: async () => undefined,
          enter: () => undefined,
          leave: () => {},
        },
        ...options,
        ...more,
      }),
    );
    for (const [id, { suspended }] of completed) if (suspended) completed.delete(id);
    for (const outcome of result.suspended ?? []) {
      completed.set(outcome.stepId, JSON.parse(JSON.stringify(outcome)));
    }
    return result;
  };
  const approvals = () =>
    [...opened.values()].flatMap((wait): ApprovalRequest[] =>
      wait.kind === "Approval" ? [wait.approval] : [],
    );
  const decide = (path: string, answer: Json | undefined = { action: "approve" }) => {
    const wait = opened.get(path);
    if (wait?.kind !== "Approval") throw new Error(`there is no approval ${path}`);
    const hash = wait.approval.argumentsHash;
    const argumentsHash = hash === null ? {} : { argumentsHash: hash };
    ended.set(path, { since: 1, at: 2, ...(answer !== null && { answer }), ...argumentsHash });
  };
  return { run, approvals, decide, completed, opened, ended, events };
};

const start = (
  results: readonly GenerateResult[],
  step: object = paying(),
  options: Partial<FlowOptions> = {},
) => {
  const model = scripted(...results);
  const { tools, made, remove } = bank();
  const deps = depsWithModel(model.generate, { tools });
  const flow = resumable([step], { deps, ...options });
  return { ...flow, ...model, made, remove };
};

const twoCalls = calls(["pay", { amount: 7 }], ["look", { amount: 1 }]);

describe("a call that needs an approval", () => {
  test("waits while the others of its turn are made, and is made once with what it showed", async () => {
    const { run, approvals, decide, opened, made, requests, events } = start([
      twoCalls,
      textResult("done"),
    ]);
    expect(await run()).toMatchObject({ status: "Waiting", output: null });
    expect(made).toEqual([["look", { amount: "1" }]]);
    expect([...opened.keys()]).toEqual(["ask#1.1"]);
    expect(approvals()).toMatchObject([
      {
        kind: "Tool",
        title: "Call bank/pay",
        toolId: "bank/pay",
        arguments: { amount: 7 },
        actions: [
          { id: "approve", label: "Approve" },
          { id: "reject", label: "Reject" },
        ],
        approvers: {},
        allowStarter: true,
        argumentsSchema: { type: "object" },
      },
    ]);
    expect(await run()).toMatchObject({ status: "Waiting" });
    decide("ask#1.1");
    const result = await run();
    expect(result).toMatchObject({ status: "Succeeded", output: "done" });
    expect(made).toEqual([
      ["look", { amount: "1" }],
      ["pay", { amount: "7" }],
    ]);
    expect(requests).toHaveLength(2);
    expect(resultsIn(requests[1]).map(({ output }) => output)).toEqual(["pay 7", "look 1"]);
    expect(opened.size).toBe(1);
    expect(events.filter(({ type }) => type === "step.started")).toHaveLength(1);
  });

  test("keeps the files of its Prompt, which are sent again after the wait", async () => {
    const photo = { id: "f1", name: "photo.png", mediaType: "image/png", content: "png" };
    const { generate, requests } = scripted(twoCalls, textResult("done"));
    const { files, read } = filesWith(photo);
    const deps = depsWithModel(generate, { tools: bank().tools, files });
    const step = { ...paying(), files: ["{% input.photo %}"] };
    const flow = resumable([step], { deps, input: { photo: toFlowFile(photo) } });
    expect(await flow.run()).toMatchObject({ status: "Waiting" });
    expect(JSON.stringify([...flow.completed.values()])).toContain('"id":"f1"');
    flow.decide("ask#1.1");
    expect(await flow.run()).toMatchObject({ status: "Succeeded", output: "done" });
    expect(requests.map(({ fileParts }) => [...(fileParts?.keys() ?? [])])).toEqual([
      ["f1"],
      ["f1"],
    ]);
    expect(read).toEqual(["f1", "f1"]);
  });

  test("keeps the spans and the usage of its step, and its own span has the time of the wait", async () => {
    const { run, decide, completed } = start([twoCalls, textResult("done")]);
    const { usage: atFirst } = await run();
    expect(atFirst).toEqual([]);
    const [suspended] = completed.values();
    expect(suspended?.spans.map(({ id }) => id)).toEqual(["ask", "ask/1", "ask/2", "ask/3"]);
    decide("ask#1.1");
    const { spans, usage: total } = await run();
    expect(spans.map(({ id }) => id)).toEqual(["ask", "ask/1", "ask/2", "ask/3", "ask/4"]);
    expect(total[0]?.tokens.inputTokens).toBe(2 * usage.inputTokens);
    const [step, , called] = spans;
    expect(called).toMatchObject({ status: "Succeeded", input: { amount: 7 }, output: "pay 7" });
    expect(called?.startTime).toBe(suspended?.spans[2]?.startTime);
    expect(step).toMatchObject({ startTime: suspended?.spans[0]?.startTime, status: "Succeeded" });
    expect(step?.input).toEqual({ prompt: "go" });
  });

  test.each<[string, object, Json, boolean]>([
    ["is true", { approval: true }, { amount: 1 }, true],
    ["is false", { approval: false }, { amount: 1 }, false],
    [
      "is an expression that holds",
      { approval: "{% arguments.amount > 10 %}" },
      { amount: 11 },
      true,
    ],
    [
      "is an expression that does not",
      { approval: "{% arguments.amount > 10 %}" },
      { amount: 10 },
      false,
    ],
    ["sees the scope", { approval: "{% arguments.amount > input.most %}" }, { amount: 6 }, true],
    ["fails", { approval: "{% arguments.amount > 10 %}" }, { amount: "9" }, true],
    ["selects nothing", { approval: "{% arguments.amount > 10 %}" }, {}, true],
    ["is writes, and the tool writes", { approval: "writes" }, { amount: 1 }, true],
  ])("is one with an approval that %s", async (_name, more, given, asks) => {
    const { run, made } = start([calls(["pay", given])], paying(more), { input: { most: 5 } });
    expect((await run()).status).toBe(asks ? "Waiting" : "Succeeded");
    expect(made).toHaveLength(asks ? 0 : 1);
  });

  test("is none of a tool that only reads, where writes need one", async () => {
    const step = ask({ tools: [{ ...look, approval: "writes" }] });
    const { run } = start([calls(["look", { amount: 1 }])], step);
    expect(await run()).toMatchObject({ status: "Succeeded" });
  });

  test("is still one when the Prompt names the tool again without an approval", async () => {
    const step = ask({ tools: [{ ...pay, approval: true }, pay] });
    const { run } = start([calls(["pay", { amount: 1 }])], step);
    expect(await run()).toMatchObject({ status: "Waiting" });
  });

  test("asks the people that its tool names", async () => {
    const approvers = { users: ["{% input.boss %}"], roles: ["Owner"] };
    const step = paying({ approvers, allowStarter: false });
    const { run, approvals } = start([twoCalls], step, { input: { boss: "eve@example.com" } });
    await run();
    expect(approvals()).toMatchObject([
      { approvers: { users: ["eve@example.com"], roles: ["Owner"] }, allowStarter: false },
    ]);
  });

  test("needs no approval with arguments that the tool refuses, or that are too large to show", async () => {
    const to = "x".repeat(70_000);
    const { run, requests } = start([calls(["pay", { amount: 9_000 }], ["pay", { to }])]);
    expect(await run()).toMatchObject({ status: "Succeeded" });
    expect(resultsIn(requests[1])).toMatchObject([
      { isError: true, output: 'The parameter "amount" of pay must be at most 5000.' },
      { isError: true, output: expect.stringContaining("at most 65536 bytes") },
    ]);
  });

  test("fails where nothing can be waited for", async () => {
    const { run, made } = start([calls(["pay", { amount: 1 }])]);
    const deps = depsWithModel(scripted(calls(["pay", { amount: 1 }])).generate, bank());
    const result = await runFlow(
      compiled([paying()], [], { tools: deps.tools }),
      flowOptions({ deps }),
    );
    expect(result).toMatchObject({ status: "Failed", error: { slug: "execution-failed" } });
    await run();
    expect(made).toEqual([]);
  });
});

describe("the decision about a call", () => {
  const decided = async (answer: Json | undefined, options: Partial<FlowOptions> = {}) => {
    const one = start([calls(["pay", { amount: 7, to: "bob" }])], paying(), options);
    await one.run();
    one.decide("ask#1.1", answer);
    const result = await one.run();
    expect(result.status).toBe("Succeeded");
    return { result, made: one.made, results: resultsIn(one.requests[1]) };
  };

  test("to reject reaches the model with the comment", async () => {
    const { made, results, result } = await decided({ action: "reject", comment: "Too much." });
    expect(made).toEqual([]);
    const output = "A person rejected the call: Too much. Do not call it again.";
    expect(results).toEqual([{ id: "c0", name: "pay", output, isError: true }]);
    expect(result.spans[2]).toMatchObject({ status: "Failed" });
  });

  test("is a rejection when it was not made in time, or is invalid", async () => {
    const late = await decided(null);
    expect(late.results[0]?.output).toBe(
      "The call was not approved in time. Do not call it again.",
    );
    const wrong = await decided({ no: "action" });
    expect([...late.made, ...wrong.made]).toEqual([]);
  });

  test("may replace all arguments, and the model receives that", async () => {
    const { made, results, result } = await decided({
      action: "approve",
      arguments: { amount: 5 },
    });
    expect(made).toEqual([["pay", { amount: "5" }]]);
    expect(results[0]?.output).toMatchObject({ arguments: { amount: 5 }, result: "pay 5" });
    expect(result.spans[2]).toMatchObject({ input: { amount: 5 } });
  });

  test("keeps the value behind a mask that it sends back", async () => {
    const hide = (value: Json): Json => JSON.parse(JSON.stringify(value).replace("bob", "••••"));
    const replaced = { amount: 5, to: "••••" };
    const { made } = await decided({ action: "approve", arguments: replaced }, { hide });
    expect(made).toEqual([["pay", { amount: "5", to: "bob" }]]);
  });

  test("with arguments that the schema of the tool refuses makes no call, and the model receives why", async () => {
    const { made, results } = await decided({ action: "approve", arguments: { amount: "many" } });
    expect(made).toEqual([]);
    expect(results[0]?.output).toContain("/amount");
  });

  test("does not apply to other arguments", async () => {
    const { run, decide, ended, made, requests } = start([calls(["pay", { amount: 7 }])]);
    await run();
    decide("ask#1.1");
    ended.set("ask#1.1", {
      since: 1,
      at: 2,
      answer: { action: "approve" },
      argumentsHash: "other",
    });
    await run();
    expect(made).toEqual([]);
    expect(resultsIn(requests[1])[0]?.output).toContain("not those that were approved");
  });
});

describe("a Prompt that waits for approvals", () => {
  test("of which one is decided first makes that call, and waits for the other without repeating it", async () => {
    const two = calls(["pay", { amount: 1 }], ["pay", { amount: 2 }]);
    const { run, decide, made, requests, completed } = start([two, textResult("both")]);
    await run();
    decide("ask#1.2");
    expect(await run()).toMatchObject({ status: "Waiting" });
    expect(made).toEqual([["pay", { amount: "2" }]]);
    expect([...completed.values()].map(({ suspended }) => suspended?.count)).toEqual([2]);
    decide("ask#1.1");
    expect(await run()).toMatchObject({ status: "Succeeded", output: "both" });
    expect(made).toHaveLength(2);
    expect(requests).toHaveLength(2);
    expect(resultsIn(requests[1]).map(({ output }) => output)).toEqual(["pay 1", "pay 2"]);
  });

  test("asks again for a call of a later turn, and may have as many turns as it has left", async () => {
    const one = calls(["pay", { amount: 1 }]);
    const step = { ...paying(), maxTurns: 2 };
    const { run, decide, opened } = start([one, one], step);
    await run();
    decide("ask#1.1");
    expect(await run()).toMatchObject({
      status: "Failed",
      error: { detail: expect.stringContaining("after 2 turns") },
    });
    const free = start([one, one, textResult("end")]);
    await free.run();
    free.decide("ask#1.1");
    expect(await free.run()).toMatchObject({ status: "Waiting" });
    expect([...free.opened.keys()]).toEqual(["ask#1.1", "ask#2.1"]);
    expect(opened.size).toBe(1);
  });

  test("continues with the texts and the names that its model has seen", async () => {
    const step = { ...paying(), system: "{% 'at ' & $string($millis()) %}" };
    const { run, decide, requests } = start([twoCalls, textResult("done")], step);
    await run();
    decide("ask#1.1");
    await run();
    expect(requests[1]?.system).toBe(requests[0]?.system);
    expect(requests[1]?.tools).toEqual(requests[0]?.tools);
    expect(requests[1]?.messages[0]).toEqual(requests[0]?.messages[0]);
  });

  test("tells the model that the tool of an approved call was deleted, and calls no other one for it", async () => {
    const other = { ...pay, integrationId: "shop" };
    const step = ask({
      tools: [
        { ...pay, approval: true },
        { ...other, approval: true },
      ],
    });
    const made: string[] = [];
    const two = calls(["pay", { amount: 1 }]);
    const model = scripted(two);
    const [first, second] = [bank(), bank({ run: async () => made.push("other") })];
    const tools: ToolRegistry = {
      resolve: (integration, id) =>
        integration === "shop"
          ? second.tools.resolve("bank", id)
          : first.tools.resolve(integration, id),
      list: () => new Map([...first.tools.list(), ["shop", []]]),
    };
    const flow = resumable([step], { deps: depsWithModel(model.generate, { tools }) });
    await flow.run();
    flow.decide("ask#1.1");
    first.remove("pay");
    expect(await flow.run()).toMatchObject({ status: "Succeeded" });
    expect(made).toEqual([]);
    expect(resultsIn(model.requests[1])[0]?.output).toBe(
      'There is no tool "pay". There are: pay_2.',
    );
  });

  test("in items of a ForEach resumes each of them where it was", async () => {
    const forEach = { id: "each", type: "ForEach", items: [1, 2, 3], step: paying() };
    const one = calls(["pay", { amount: 1 }]);
    const { run, decide, opened, made, requests } = start([one, one, one], forEach);
    await run();
    expect([...opened.keys()].toSorted()).toEqual(["each/0#1.1", "each/1#1.1", "each/2#1.1"]);
    decide("each/1#1.1");
    await run();
    expect([made.length, requests.length]).toEqual([1, 4]);
    decide("each/0#1.1");
    decide("each/2#1.1", { action: "reject" });
    const { status, spans } = await run();
    expect([status, made.length, requests.length]).toEqual(["Succeeded", 2, 6]);
    const ids = spans.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(spans.filter(({ type }) => type === "Model")).toHaveLength(6);
  });

  test("does not use its time limit for the wait while another branch runs", async () => {
    const held = Promise.withResolvers<string>();
    const model = scripted(calls(["pay", { amount: 1 }]));
    const own = bank();
    const tools: ToolRegistry = {
      ...own.tools,
      resolve: (integration, id) => {
        const tool = own.tools.resolve(integration, id);
        return tool && id === "look" ? { ...tool, run: () => held.promise } : tool;
      },
    };
    const lifted = Promise.withResolvers<void>();
    const sleep = async (ms: number, signal: AbortSignal) => {
      if (ms !== 7_000) return new Promise<void>(() => {});
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      lifted.resolve();
    };
    const deps = { ...depsWithModel(model.generate, { tools }), sleep };
    const slow = { id: "slow", type: "Tool", ...look, timeoutSeconds: 900 };
    const flow = resumable([{ ...paying(), timeoutSeconds: 7 }, slow], { deps });
    const running = flow.run();
    await lifted.promise;
    held.resolve("x");
    expect(await running).toMatchObject({ status: "Waiting" });
  });

  test("is resumed as the attempt that it was, and a later attempt asks again", async () => {
    const one = calls(["pay", { amount: 1 }]);
    const results = [undefined, one, undefined, one, textResult("third")];
    let asked = 0;
    const generate = async () => {
      const result = results[asked];
      asked += 1;
      if (!result) throw new ToolError("Broken.");
      return result;
    };
    const retry = { maxAttempts: 3, backoffSeconds: 0, on: ["execution-failed"] };
    const { tools, made } = bank();
    const deps = depsWithModel(generate, { tools });
    const flow = resumable([{ ...paying(), retry }], { deps });
    await flow.run();
    expect([...flow.opened.keys()]).toEqual(["ask#2#1.1"]);
    flow.decide("ask#2#1.1");
    await flow.run();
    expect([...flow.opened.keys()]).toEqual(["ask#2#1.1", "ask#3#1.1"]);
    flow.decide("ask#3#1.1");
    const { output, spans } = await flow.run();
    expect(output).toBe("third");
    expect(made).toHaveLength(2);
    expect(
      spans.filter(({ type }) => type === "Prompt").map(({ id, status }) => [id, status]),
    ).toEqual([
      ["ask", "Failed"],
      ["ask#2", "Failed"],
      ["ask#3", "Succeeded"],
    ]);
  });

  test("counts what it has used when another branch fails, in the run that waits or a later one", async () => {
    const fail = { id: "fail", type: "Transform", value: "{% $error('no') %}" };
    const pause = { id: "pause", type: "Tool", ...pay, parameters: { amount: "1" } };
    const model = scripted(calls(["pay", { amount: 1 }]));
    const { tools } = bank();
    const deps = depsWithModel(model.generate, { tools });
    const now = resumable([paying(), pause, fail], { deps, edges: ["pause>fail"] });
    const failed = await now.run();
    expect(failed.status).toBe("Failed");
    expect(failed.usage).toHaveLength(1);
    const later = start([calls(["pay", { amount: 1 }])]);
    await later.run();
    const stop = new AbortController();
    stop.abort();
    const cancelled = await later.run({ signal: stop.signal });
    expect(cancelled).toMatchObject({ status: "Cancelled", usage: [expect.anything()] });
    expect(cancelled.spans.map(({ id }) => id)).toEqual(["ask", "ask/1", "ask/2"]);
  });

  test("keeps what its model has found", async () => {
    const passage = { assetId: "a", documentId: "d", documentName: "D", link: null, score: 1 };
    const search = (query: string) => ["search_knowledge", { query }] as const;
    const model = scripted(calls(search("one"), ["pay", { amount: 1 }]), calls(search("two")));
    const knowledge = knowledgeWith(async ({ query }) => ({
      passages: [{ ...passage, text: query }],
      embeddings: [],
    }));
    const deps = { ...depsWithModel(model.generate, bank()), knowledge };
    const assets = [{ id: "a", displayName: null }];
    const flow = resumable([{ ...paying(), assets: ["a"] }], { deps, assets });
    await flow.run();
    flow.decide("ask#1.2");
    const { spans } = await flow.run();
    expect(spans[0]?.citations?.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("resumes a call of a sub-agent that waits, at the same place", async () => {
    const paths: string[] = [];
    const agents = agentsWith(async ({ path }) => {
      paths.push(path);
      if (paths.length === 1) throw new RunStop("waiting");
      return "sunny";
    });
    const model = scripted(calls(["weather_report", { city: "Faro", days: 2 }]), textResult("ok"));
    const deps = depsWithModel(model.generate, { agents });
    const step = ask({ tools: [{ toolId: "use-weather" }] });
    const flow = resumable([step], { deps, subAgents: [weatherAgent] });
    expect(await flow.run()).toMatchObject({ status: "Waiting" });
    expect(await flow.run()).toMatchObject({ status: "Succeeded", output: "ok" });
    expect(paths).toEqual(["ask/2", "ask/2"]);
    expect(resultsIn(model.requests[1])).toMatchObject([{ output: "sunny" }]);
    expect(model.requests).toHaveLength(2);
  });

  test("asks before a sub-agent is called, and one that waits then is not asked about again", async () => {
    let called = 0;
    const agents = agentsWith(async () => {
      called += 1;
      if (called === 1) throw new RunStop("waiting");
      return "sunny";
    });
    const model = scripted(calls(["weather_report", { city: "Faro", days: 2 }]), textResult("ok"));
    const deps = depsWithModel(model.generate, { agents });
    const step = ask({ tools: [{ toolId: "use-weather", approval: "writes" }] });
    const flow = resumable([step], { deps, subAgents: [weatherAgent] });
    await flow.run();
    expect([called, flow.approvals()[0]?.toolId]).toEqual([0, "use-weather"]);
    flow.decide("ask#1.1");
    expect(await flow.run()).toMatchObject({ status: "Waiting" });
    expect(await flow.run()).toMatchObject({ status: "Succeeded" });
    expect([called, flow.opened.size]).toEqual([2, 1]);
  });
});

test.each<[string, object, string, string]>([
  ["is no expression", { ...pay, approval: "always" }, "/approval", 'must be true, "writes"'],
  ["is a number", { ...pay, approval: 5 }, "/approval", ""],
  [
    "has wrong approvers",
    { ...pay, approval: true, approvers: { roles: ["Boss"] } },
    "/approvers/roles/0",
    "",
  ],
  [
    "is missing next to approvers",
    { ...pay, approvers: { users: ["a"] } },
    "/approvers",
    "without",
  ],
  [
    "is of a tool that does not exist",
    { toolId: "nope", approval: true },
    "/toolId",
    "no system tool",
  ],
  [
    "is of an id with a config",
    { toolId: "calculate", configId: "x" },
    "/configId",
    "must be absent",
  ],
])("a flow is refused when an approval %s", (_name, tool, pointer, detail) => {
  const { tools } = bank();
  const list = new Map([...tools.list(), ["system", []]]);
  const resolve: ToolRegistry["resolve"] = (integration, id) =>
    id === "calculate" ? tools.resolve("bank", "look") : tools.resolve(integration, id);
  const result = compileFlow(
    { steps: [ask({ tools: [tool] })] },
    { tools: { resolve, list: () => list } },
  );
  expect(result).toMatchObject({
    ok: false,
    errors: [{ pointer: `/steps/0/tools/0${pointer}`, detail: expect.stringContaining(detail) }],
  });
});
