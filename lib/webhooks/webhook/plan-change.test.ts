import { describe, expect, test } from "vitest";
import type { WebhookItem } from "./items.ts";
import { planChange } from "./plan-change.ts";

const webhook: WebhookItem = {
  id: "0193f0a0-7c4b-7000-8000-000000000002",
  provider: "github",
  authMode: "HMAC",
  status: "ACTIVE",
  statusReason: null,
  externalContext: "acme/app",
  filter: "push",
  expiresAt: null,
  createdAt: 1,
  modifiedAt: 1,
  baseUrl: "https://api.example.com",
  secret: null,
  isSecretToShow: false,
  isStandIn: false,
  remote: { id: "7", configId: "config" },
};
const failed: WebhookItem = { ...webhook, status: "FAILED", statusReason: "no", remote: null };
const disabled: WebhookItem = { ...webhook, status: "DISABLED" };

describe("a change of a webhook that can be registered", () => {
  test.each([
    ["nothing", webhook, {}],
    ["what it has", webhook, { filter: "push", externalContext: "acme/app" }],
    ["the status that it has", webhook, { status: "ACTIVE" as const }],
    ["its end", webhook, { status: "DISABLED" as const, filter: "x" }],
    ["a filter while it is disabled", disabled, { filter: "x" }],
  ])("to %s leaves its listener as it is", (_, before, body) => {
    const plan = planChange(before, body, true);
    expect(plan).toMatchObject({ registers: false, leavesListener: false });
    expect(plan.change.status).toBe("status" in body ? body.status : undefined);
  });

  test.each([
    ["another filter", webhook, { filter: "issues" }],
    ["no filter", webhook, { filter: null }],
    ["another secret", webhook, { signingSecret: "x" }],
    ["ACTIVE after a failure", failed, { status: "ACTIVE" as const }],
    ["ACTIVE after it was disabled", disabled, { status: "ACTIVE" as const }],
    [
      "ACTIVE while it waits",
      { ...failed, status: "PENDING" as const },
      { status: "ACTIVE" as const },
    ],
  ])("to %s has its listener made or changed", (_, before, body) => {
    expect(planChange(before, body, true)).toMatchObject({
      registers: true,
      leavesListener: false,
      change: { status: "PENDING", statusReason: null },
    });
    expect(planChange(before, body, false)).toMatchObject({ registers: false });
  });

  test("to another place removes its listener and registers another, unless it is disabled", () => {
    const moved = { remote: null, expiresAt: null, externalContext: "acme/other" };
    const body = { externalContext: "acme/other" };
    expect(planChange(webhook, body, true)).toMatchObject({
      registers: true,
      leavesListener: true,
      change: { ...moved, status: "PENDING" },
    });
    expect(planChange(disabled, body, true)).toMatchObject({
      registers: false,
      leavesListener: true,
      change: moved,
    });
    expect(planChange(failed, body, false)).toMatchObject({ leavesListener: false });
  });
});

test("without credentials for its provider a webhook gets its requested state", () => {
  const plan = planChange(failed, { status: "ACTIVE" }, false);
  expect(plan).toMatchObject({
    registers: false,
    change: { status: "ACTIVE", statusReason: null },
  });
});
