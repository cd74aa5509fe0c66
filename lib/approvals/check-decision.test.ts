import { describe, expect, test } from "vitest";
import { oneTenantId } from "../../test/harness/processor.ts";
import { mask } from "../platform/http/mask.ts";
import { checkDecision } from "./check-decision.ts";

const item = {
  kind: "Tool" as const,
  actions: [{ id: "approve", label: "Approve" }],
  fields: [],
  arguments: { amount: 7, pin: mask },
  argumentsSchema: {
    type: "object",
    properties: { amount: { type: "integer" }, pin: { type: "integer" } },
    required: ["amount"],
    additionalProperties: false,
  },
};
const check = (given: Record<string, unknown>, more: object = {}) =>
  checkDecision(oneTenantId, { ...item, ...more }, { action: "approve", arguments: given });

describe("arguments that replace those of a tool call", () => {
  test("are accepted when the tool accepts them; masked ones stay as they were shown", async () => {
    const replaced = { amount: 5, pin: mask };
    expect(await check(replaced)).toMatchObject({ arguments: replaced });
  });

  test.each([
    [{ amount: "many" }, "/arguments/amount"],
    [{ amount: 5, pin: "other" }, "/arguments/pin"],
    [{ amount: 5, more: 1 }, "/arguments"],
    [{ pin: mask }, "/arguments"],
  ])("are refused when the tool refuses them: %o", async (given, pointer) => {
    await expect(check(given)).rejects.toMatchObject({
      slug: "validation-failed",
      members: { errors: [{ pointer: expect.stringContaining(pointer) }] },
    });
  });

  test("are accepted when their schema is not known", async () => {
    const anything = { amount: "many" };
    expect(await check(anything, { argumentsSchema: null })).toMatchObject({ arguments: anything });
  });
});
