import { expect, test } from "vitest";
import { placeStep, withModel } from "../../console/src/agents/flow/place-step.ts";
import { choosePinned, mergeResults } from "../../console/src/agents/flow/run/step-results.ts";
import {
  copyStep,
  duplicateStep,
  parseCopiedStep,
  pasteStep,
} from "../../console/src/flow-graph/copy-steps.ts";
import { toFlowModel } from "../../console/src/flow-graph/flow-model.ts";

const draft = {
  flow: {
    steps: [
      { id: "ask", type: "Prompt", prompt: "Hi" },
      { id: "choose", type: "Condition", cases: [{ when: "true", target: "end" }] },
      { id: "end", type: "Output", value: 1 },
    ],
    edges: [
      { source: "ask", target: "choose" },
      { source: "ask", target: "end", on: "error" },
    ],
  },
};

const connect = (changed: { flow?: unknown }): string[] =>
  toFlowModel(changed.flow).connections.map(
    ({ source, target, handle, isOnError }) =>
      `${source} ${handle ?? (isOnError ? "error" : "edge")} ${target}`,
  );

test("a step is put between two others: into an edge, an edge of failures or a case", () => {
  const into = (connected: { source: string; target: string; handle?: string; on?: string }) =>
    connect(placeStep(draft, "Transform", { type: "between", connected }).draft);
  expect(into({ source: "ask", target: "choose" })).toEqual(
    expect.arrayContaining(["ask edge transform", "transform edge choose"]),
  );
  expect(into({ source: "ask", target: "end", on: "error" })).toEqual(
    expect.arrayContaining(["ask error transform", "transform edge end", "ask edge choose"]),
  );
  const ofCase = into({ source: "choose", target: "end", handle: "cases/0" });
  expect(ofCase).toEqual(
    expect.arrayContaining(["choose cases/0 transform", "transform edge end"]),
  );
  expect(ofCase).not.toContain("choose cases/0 end");
});

test("a step after a Condition is the target of a choice that leads nowhere, else of a new case", () => {
  const first = placeStep(draft, "Output", { type: "after", source: "choose" });
  expect(connect(first.draft)).toContain("choose otherwise output");
  const second = placeStep(first.draft, "Output", { type: "after", source: "choose" });
  expect(connect(second.draft)).toContain("choose cases/1 output2");
});

test("a copy has an id of its own and waits for the same steps; a copied step is pasted into another agent", () => {
  const copied = duplicateStep(draft, "choose");
  expect(copied.id).toBe("choose2");
  expect(connect(copied.draft)).toEqual(
    expect.arrayContaining(["ask edge choose2", "choose2 cases/0 end"]),
  );
  const step = parseCopiedStep(copyStep(draft, "ask") ?? "");
  expect(pasteStep({}, step ?? {}, undefined)).toMatchObject({
    id: "ask",
    draft: { flow: { steps: [{ id: "ask", prompt: "Hi" }] } },
  });
  expect(parseCopiedStep("plain text")).toBeUndefined();
  expect(parseCopiedStep('{"wharf": "step", "step": {}}')).toBeUndefined();
});

test("the first Prompt gets the model of a provider with a default model, and no other step changes it", () => {
  const providers = [
    { id: "echo", type: "echo", defaultModel: null },
    { id: "openai", type: "openai", defaultModel: "gpt" },
  ];
  const llmConfigs = [{ providerId: "openai", parameters: {} }];
  expect(withModel({}, "Prompt", providers)).toEqual({ llmConfigs });
  expect(withModel({}, "Output", providers)).toEqual({});
  expect(withModel({ llmConfigs: [1] }, "Prompt", providers)).toEqual({ llmConfigs: [1] });
});

test("a step runs with the last outputs of the others, or those that are pinned; a whole run with pinned ones alone", () => {
  const results = new Map([
    ["a", { status: "Succeeded" as const, output: 1 }],
    ["b", { status: "Failed" as const }],
    ["gone", { status: "Succeeded" as const, output: 9 }],
  ]);
  const state = { results, pins: new Map<string, unknown>([["b", 2]]) };
  expect(choosePinned("c", ["a", "b", "c"], state)).toEqual({ a: 1, b: 2 });
  expect(choosePinned("b", ["a", "b", "c"], state)).toEqual({ a: 1 });
  expect(choosePinned(undefined, ["a", "b", "c"], state)).toEqual({ b: 2 });
  const ran = new Map([["c", { status: "Succeeded" as const, output: 3 }]]);
  const pinned = new Set<string>();
  expect([...mergeResults(results, ran, { isWhole: false, pinned }).keys()]).toEqual([
    ...["a", "b", "gone", "c"],
  ]);
  expect([...mergeResults(results, ran, { isWhole: true, pinned }).keys()]).toEqual(["c"]);
});
