import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testProcessor } from "../../../test/harness/processor.ts";
import { checkFlow, compileFlow } from "./compile-flow.ts";

const findFlowErrors = async (
  flow: unknown,
): Promise<readonly { pointer: string; detail: string }[]> => {
  const result = await checkFlow(flow, {}, testProcessor(60_000));
  return result.ok ? [] : result.errors;
};

const transform = (id: string, value: unknown = 1) => ({ id, type: "Transform", value });
const edge = (source: string, target: string) => ({ source, target });

describe("compileFlow", () => {
  test.each([
    ["no flow", undefined],
    ["null", null],
    ["an empty flow", {}],
    ["a flow without steps", { steps: [], edges: [] }],
  ])("accepts %s", (_name, flow) => {
    expect(compileFlow(flow)).toMatchObject({ ok: true, flow: { steps: [] } });
  });

  test("accepts a flow of every type of step; a stored one may have unknown members", async () => {
    const steps = [
      {
        id: "ask",
        type: "Prompt",
        prompt: "Hi {% input.name %}",
        llm: { providerId: "echo" },
      },
      {
        id: "sum",
        type: "Tool",
        integrationId: "system",
        toolId: "calculate",
        parameters: { expression: "1+1" },
      },
      {
        id: "which",
        type: "Condition",
        cases: [{ when: "{% steps.sum.output > 1 %}", target: "big" }],
        otherwise: "small",
      },
      transform("big", { a: ["{% steps.ask.output %}"] }),
      {
        ...transform("small"),
        retry: { maxAttempts: 5, backoffSeconds: 0 },
        timeoutSeconds: 900,
        name: "Small",
      },
      { id: "agent", type: "SubAgent", agentId: "weather", input: { city: "{% input.city %}" } },
      {
        id: "each",
        type: "ForEach",
        items: "{% input.list %}",
        step: { type: "Prompt", prompt: "{% item %}", tools: ["calculate"], skills: ["math"] },
        concurrency: 10,
        onItemError: "collect",
      },
      { id: "end", type: "Output", value: null },
    ];
    const edges = [
      edge("ask", "big"),
      edge("sum", "which"),
      edge("which", "big"),
      edge("which", "small"),
      edge("big", "end"),
    ];
    expect(await findFlowErrors({ steps, edges })).toEqual([]);
    const stored = [{ ...steps[0], x: 1, prompt: "{{ braces }}" }, ...steps.slice(1)];
    expect(compileFlow({ steps: stored, edges })).toMatchObject({ ok: true });
    expect(await findFlowErrors({ steps: stored, edges })).toMatchObject([
      { pointer: "/steps/0/x" },
      { pointer: "/steps/0/prompt" },
    ]);
  });

  test("reports all errors together, with their pointers", async () => {
    const flow = {
      steps: [
        "no step",
        { id: "a", type: "Nope" },
        { id: "b", type: "SubAgent" },
        { id: "-x", type: "Transform", retry: { maxAttempts: 9, on: ["else"] }, timeoutSeconds: 0 },
        { id: "p", type: "Prompt", tools: [5], outputSchema: [], maxTurns: 51, prompt: 5 },
        transform("c", ["{% 1 + %}"]),
        transform("c", "{% steps.ghost.output %}"),
        {
          id: "d",
          type: "Condition",
          cases: [{ when: "{% true %}", target: "nowhere" }],
          otherwise: "c",
        },
      ],
      edges: [edge("a", "ghost"), edge("c", "c"), edge("a", "b"), edge("a", "b"), { source: 1 }],
    };
    const pointers = (await findFlowErrors(flow)).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(
      [
        "/steps/0",
        "/steps/1/type",
        "/steps/2/agentId",
        "/steps/3/id",
        "/steps/3/retry/maxAttempts",
        "/steps/3/retry/on/0",
        "/steps/3/timeoutSeconds",
        "/steps/3/value",
        "/steps/4/prompt",
        "/steps/4/tools/0",
        "/steps/4/outputSchema",
        "/steps/4/maxTurns",
        "/steps/5/value/0",
        "/steps/6/id",
        "/steps/6/value",
        "/steps/7/cases/0/target",
        "/edges/0/target",
        "/edges/1",
        "/edges/3",
        "/edges/4/source",
        "/edges/4/target",
      ].toSorted(),
    );
  });

  test("reports a misspelled type once, without errors about the edges that its targets imply", async () => {
    const flow = {
      steps: [
        transform("a"),
        {
          id: "b",
          type: "Conditon",
          cases: [{ when: "steps.a.output = 1", target: "c" }],
          otherwise: "d",
        },
        transform("c", "{% steps.a.output & steps.b.output %}"),
        transform("d", "{% steps.a.output %}"),
      ],
      edges: [edge("a", "b")],
    };
    expect(await findFlowErrors(flow)).toEqual([
      { pointer: "/steps/1/type", detail: expect.stringMatching(/; did you mean "Condition"\?$/) },
    ]);
  });

  test.each([
    [
      "an unknown type",
      { steps: [{ id: "a", type: "Nope" }] },
      "must be one of Prompt, Tool, SubAgent, Retrieve, Condition, Transform, ForEach, Approval, Wait, Output",
    ],
    [
      "a tool's configuration",
      {
        steps: [
          { id: "a", type: "Tool", integrationId: "system", toolId: "current_time", configId: "c" },
        ],
      },
      "does not accept a config",
    ],
    [
      "an unknown integration",
      { steps: [{ id: "a", type: "Tool", integrationId: "jira", toolId: "x" }] },
      "Known: system, openapi, mcp, a2a.",
    ],
    [
      "an unknown tool",
      { steps: [{ id: "a", type: "Tool", integrationId: "system", toolId: "x" }] },
      "Known: current_time, calculate",
    ],
    [
      "a missing parameter",
      { steps: [{ id: "a", type: "Tool", integrationId: "system", toolId: "calculate" }] },
      'needs the parameter "expression"',
    ],
    [
      "an unknown parameter",
      {
        steps: [
          {
            id: "a",
            type: "Tool",
            integrationId: "system",
            toolId: "current_time",
            parameters: { zone: "x" },
          },
        ],
      },
      'no parameter "zone"',
    ],
    [
      "a cycle",
      {
        steps: ["a", "b", "c"].map((id) => transform(id)),
        edges: [edge("a", "b"), edge("b", "c"), edge("c", "b")],
      },
      "b → c → b",
    ],
    [
      "a step that is not upstream",
      { steps: [transform("a"), transform("b", "{% steps.a.output %}")] },
      'no edges lead from "a"',
    ],
    [
      "a target that is no step",
      {
        steps: [{ id: "a", type: "Condition", cases: [{ when: "x", target: "b" }] }],
      },
      'no step "b"',
    ],
    [
      "a choice that closes a cycle",
      {
        steps: [
          transform("b"),
          { id: "a", type: "Condition", cases: [{ when: "x", target: "b" }] },
        ],
        edges: [edge("b", "a")],
      },
      "b → a → b",
    ],
    [
      "too many steps",
      { steps: Array.from({ length: 201 }, (_, index) => transform(`s${index}`)) },
      "at most 200",
    ],
    ["steps that are no array", { steps: {} }, "must be an array"],
    ["an array", [], "must be an object"],
  ])("reports %s", async (_name, flow, detail) => {
    expect((await findFlowErrors(flow)).map((error) => error.detail)).toContainEqual(
      expect.stringContaining(detail),
    );
  });

  test("reports a misspelled type once, with a suggestion, and nothing that follows from it", async () => {
    const cases = [{ when: "{% steps.read.output = 1 %}", target: "one" }];
    const flow = (type: string) => ({
      steps: [
        transform("read", 1),
        { id: "choose", type, cases, otherwise: "two" },
        transform("one", "{% steps.read.output %} {% steps.choose.output %}"),
        transform("two"),
      ],
      edges: [edge("read", "choose")],
    });
    expect(await findFlowErrors(flow("Condition"))).toEqual([]);
    expect(await findFlowErrors(flow("Conditon"))).toEqual([
      {
        pointer: "/steps/1/type",
        detail:
          'must be one of Prompt, Tool, SubAgent, Retrieve, Condition, Transform, ForEach, Approval, Wait, Output; did you mean "Condition"?',
      },
    ]);
  });

  test.each([
    [
      "fields/1/name",
      {
        fields: [
          { name: "a", type: "String" },
          { name: "a", type: "Json" },
        ],
      },
    ],
    ["fields/0/secret", { fields: [{ name: "pin", type: "String", secret: true }] }],
    ["actions/1/id", { actions: [{ id: "yes" }, { id: "yes" }] }],
    ["onTimeout", { onTimeout: "refuse" }],
  ])("refuses an Approval for its %s", async (pointer, members) => {
    const step = { id: "ask", type: "Approval", title: "Pay?", ...members };
    const errors = await findFlowErrors({ steps: [step] });
    expect(errors.map((error) => error.pointer)).toEqual([`/steps/0/${pointer}`]);
  });

  test("a step's output may be read where the context is another's", async () => {
    const value =
      "{% input.items.(steps.whatever) %}{% $map([1], function($i) { steps.a.output }) %}";
    expect(
      await findFlowErrors({
        steps: [transform("a"), transform("b", value)],
        edges: [edge("a", "b")],
      }),
    ).toEqual([]);
  });

  test("survives deep nesting, huge strings and ids like __proto__", async () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect((await findFlowErrors({ steps: [transform("a", deep)] }))[0]?.detail).toContain(
      "nested deeper",
    );
    expect(await findFlowErrors({ steps: [transform("a", "x".repeat(5_000_000))] })).toEqual([]);
    expect((await findFlowErrors({ steps: [transform("__proto__")] }))[0]?.pointer).toBe(
      "/steps/0/id",
    );
    expect((await findFlowErrors({ steps: [{ id: "a", type: "constructor" }] }))[0]?.pointer).toBe(
      "/steps/0/type",
    );
    expect(await findFlowErrors(JSON.parse('{"__proto__": {"steps": 1}, "steps": []}'))).toEqual(
      [],
    );
    expect(await findFlowErrors({ steps: Array.from({ length: 200 }, () => ({})) })).toHaveLength(
      50,
    );
  });

  test("accepts exactly the graphs without cycles", { tags: "nightly" }, () => {
    const pairs = fc.uniqueArray(
      fc.tuple(fc.nat(7), fc.nat(7)).filter(([a, b]) => a !== b),
      {
        maxLength: 20,
        selector: String,
      },
    );
    fc.assert(
      fc.property(pairs, (edges) => {
        const steps = Array.from({ length: 8 }, (_, index) => transform(`s${index}`));
        const result = compileFlow({ steps, edges: edges.map(([a, b]) => edge(`s${a}`, `s${b}`)) });
        expect(result.ok).toBe(!isCyclic(edges));
      }),
    );
  });

  test("never throws, whatever the JSON", { tags: "nightly" }, () => {
    const anyStep = fc.record(
      {
        id: fc.oneof(fc.constantFrom("a", "b"), fc.jsonValue()),
        type: fc.oneof(
          fc.constantFrom("Prompt", "Tool", "SubAgent", "Condition", "Transform", "ForEach"),
          fc.jsonValue(),
        ),
        value: fc.jsonValue(),
        cases: fc.jsonValue(),
        parameters: fc.jsonValue(),
        retry: fc.jsonValue(),
        llm: fc.jsonValue(),
        tools: fc.array(fc.jsonValue()),
        outputSchema: fc.jsonValue(),
        agentId: fc.constant("a"),
        items: fc.constant([]),
        step: fc.oneof(
          fc.record({ type: fc.constant("ForEach"), items: fc.jsonValue() }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    const flow = fc.oneof(
      fc.jsonValue(),
      fc.record({
        steps: fc.array(fc.oneof(anyStep, fc.jsonValue())),
        edges: fc.array(fc.jsonValue()),
      }),
    );
    const hostile = { steps: [{ type: [{ toString: null }] }], edges: [] };
    fc.assert(
      fc.property(flow, (json) => void compileFlow(json)),
      { examples: [[hostile]] },
    );
  });
});

/** Whether taking away steps that nothing leads to leaves some over. */
const isCyclic = (edges: readonly (readonly [number, number])[]): boolean => {
  const left = edges.filter(([source]) => edges.some(([, target]) => target === source));
  return left.length === edges.length ? edges.length > 0 : isCyclic(left);
};
