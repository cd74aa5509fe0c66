import { expect, test } from "vitest";
import { buildChecklist } from "../../console/src/start/checklist.ts";
import { sumMonth } from "../../console/src/start/sum-month.ts";
import { buildRevision } from "../../console/src/templates/build-revision.ts";

const listOpen = (...given: Parameters<typeof buildChecklist>) =>
  buildChecklist(...given)
    .filter(({ isDone }) => !isDone)
    .map(({ address }) => address);

test("a new tenant has all first steps before it; each leads to the page that does it", () => {
  const state = { providers: [{ id: "echo" }], agents: [], hasExecutions: false, keys: [] };
  expect(listOpen(state)).toEqual(["models", "templates", "templates", "api-keys", "templates"]);
});

test("steps lead to the agent that they are about, and are done by what the API has", () => {
  const draft = { id: "a b", latestRevision: 1, deployedRevision: null };
  const keys = [{ scopes: ["agents:execute" as const], status: "Revoked" as const }];
  const state = { providers: [{ id: "mine" }], agents: [draft], hasExecutions: false, keys };
  expect(listOpen(state)).toEqual(["agents/a%20b/try", "api-keys", "agents/a%20b/revisions"]);
  const done = {
    ...state,
    agents: [{ ...draft, deployedRevision: 1 }],
    hasExecutions: true,
    keys: [{ scopes: ["agents:execute" as const], status: "Active" as const }],
  };
  expect(listOpen(done)).toEqual([]);
});

test("a list that the user may not read is no step", () => {
  const none = {
    providers: undefined,
    agents: undefined,
    hasExecutions: undefined,
    keys: undefined,
  };
  expect(buildChecklist(none)).toEqual([]);
});

test("the cost of a month is a sum with that of today, and has no price if a part has none", () => {
  const row = { date: "2026-11-01", executionCount: 2, unpricedCount: 0, totalCost: 1 };
  const today = { date: "2026-11-02", executionCount: 1, unpricedCount: 1, totalCost: 0.5 };
  expect(sumMonth([row, today], "2026-11-02")).toEqual({
    cost: 1.5,
    today: 0.5,
    executions: 3,
    priced: false,
  });
});

test("a revision from a template has the chosen model and the ids of integration configs, also inside of loops", () => {
  const step = { type: "Tool", toolId: "get", integrationId: "openapi", configId: "Weather API" };
  const revision = {
    llmConfigs: [{ providerId: "echo", parameters: {} }],
    flow: {
      steps: [{ id: "all", type: "ForEach" as const, items: "{% input.places %}", step }],
      edges: [],
    },
  };
  const built = buildRevision(
    { name: "weather", revision },
    { providerId: "mine", model: "small" },
    new Map([["Weather API", "config-1"]]),
  );
  expect(built).toMatchObject({
    comment: "From the template weather",
    llmConfigs: [{ providerId: "mine", parameters: { model: "small" } }],
    flow: { steps: [{ step: { configId: "config-1" } }] },
  });
});
