import { expect, test } from "vitest";
import type { Collaborator } from "../../client/openapi.ts";
import { listNextRuns } from "../../console/src/agents/schedules/list-next-runs.ts";
import { listMembers } from "../../console/src/members/list-members.ts";
import { listCrumbs } from "../../console/src/shell/list-crumbs.ts";
import { listGroups, navigationGroups } from "../../console/src/shell/navigation-items.ts";

test("the navigation has the groups of the contract", () => {
  const groups = navigationGroups.map(({ label, items }) => [
    label,
    items.map((item) => item.label),
  ]);
  expect(Object.fromEntries(groups)).toEqual({
    Build: ["Agents", "Skills", "Knowledge", "Integrations", "Models"],
    Run: ["Executions", "Approvals", "Webhooks", "Connectors", "Access requests"],
    Evaluate: ["Datasets", "Experiments"],
    Settings: ["API keys", "Members", "Guardrails", "Usage"],
  });
});

test("users see the groups of which they may open a page, and who may only run agents sees these", () => {
  const labels = (scopes: readonly string[], isUnknown = false) =>
    listGroups((scope) => scopes.includes(scope), isUnknown).map(({ label, items }) => [
      label,
      ...items.map((item) => item.label),
    ]);
  expect(labels(["datasets:read"])).toEqual([
    ["", "Home"],
    ["Evaluate", "Datasets", "Experiments"],
  ]);
  expect(labels(["agents:execute"])).toEqual([["", "Run an agent", "Approvals"]]);
  expect(labels([], true)).toHaveLength(5);
});

test.each([
  ["/t/demo/agents", []],
  ["/t/demo/agents/", []],
  ["/t/demo/", []],
  ["/", []],
  [
    "/t/demo/agents/a%20b/try",
    [["Agents", "/t/demo/agents"], ["a b", "/t/demo/agents/a%20b"], ["Try it"]],
  ],
  [
    "/t/demo/executions/hello/0197f0b2-8c2e-7d5a-9f3b-1a2b3c4d5e6f",
    [["Executions", "/t/demo/executions"], ["hello", "/t/demo/agents/hello"], ["0197f0b2"]],
  ],
  ["/t/demo/integrations/configs/drive", [["Integrations", "/t/demo/integrations"], ["drive"]]],
  [
    "/t/demo/integrations/system/tools",
    [["Integrations", "/t/demo/integrations"], ["system"], ["Tools"]],
  ],
  ["/t/demo/knowledge/assets/assets", [["Knowledge", "/t/demo/knowledge"], ["assets"]]],
  [
    "/t/demo/webhooks/w1/deliveries/d1",
    [["Webhooks", "/t/demo/webhooks"], ["w1", "/t/demo/webhooks/w1"], ["d1"]],
  ],
  ["/t/demo/sessions/hello/ada", [["Sessions"], ["hello", "/t/demo/agents/hello"], ["ada"]]],
])("the way to %s is %j", (path, crumbs) => {
  const shown = listCrumbs(path).map(({ label, address }) =>
    address === undefined ? [label] : [label, address],
  );
  expect(shown).toEqual(crumbs);
});

test("members are the users of all agents, once, with their roles", () => {
  const collaborator = (userId: string, agentId: string, more: Partial<Collaborator> = {}) => ({
    ...{ agentId, userId, role: "Viewer" as const, email: null, firstName: null, lastName: null },
    ...{ createdAt: 1, modifiedAt: 1, status: 0 },
    alertPreferences: {
      ...{ errorAlerts: false, accessRequestAlerts: false },
      ...{ approvalAlerts: false, budgetAlerts: false },
    },
    ...more,
  });
  const members = listMembers([
    collaborator("zoe", "a"),
    collaborator("sub-1", "a", { email: "ada@example.com" }),
    collaborator("sub-1", "b", { role: "Owner", status: 1, firstName: "Ada" }),
  ]);
  expect(members).toEqual([
    {
      userId: "sub-1",
      name: "Ada",
      email: "ada@example.com",
      isActive: true,
      roles: [
        { agentId: "a", role: "Viewer" },
        { agentId: "b", role: "Owner" },
      ],
    },
    {
      userId: "zoe",
      name: "",
      email: null,
      isActive: false,
      roles: [{ agentId: "a", role: "Viewer" }],
    },
  ]);
});

test("the next runs of a schedule follow each other in its time zone, also over a change of the clock", () => {
  const policy = {
    ...{ id: "p", tenantId: null, createdAt: null, modifiedAt: null, agentId: null },
    ...{ agentRevision: null, scheduleFrequency: "daily" as const, scheduleDay: null },
    ...{ scheduleDayOfMonth: null, scheduleHour: "9", scheduleMinute: "5", timeout: null },
    ...{ timezone: "Europe/Berlin", prompt: null, session: null },
  };
  const runs = listNextRuns(policy, Date.UTC(2026, 2, 27, 8, 5));
  expect(runs.map((time) => new Date(time).toISOString())).toEqual([
    "2026-03-28T08:05:00.000Z",
    "2026-03-29T07:05:00.000Z",
    "2026-03-30T07:05:00.000Z",
  ]);
  expect(listNextRuns({ ...policy, timezone: "Mars/Base" }, 0)).toEqual([]);
});
