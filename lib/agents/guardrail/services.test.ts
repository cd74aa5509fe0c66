import { afterAll, beforeAll, expect, test } from "vitest";
import { moderated, startCheckServer } from "../../../test/harness/check-server.ts";
import { startModelServer } from "../../../test/harness/model-server.ts";
import { testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { createLlmProvider } from "../../tenancy/llm-provider/create-llm-provider.ts";
import { checkGuardrail } from "./check-guardrail.ts";
import { createGuardrail } from "./create-guardrail.ts";
import { CreateGuardrailBody } from "./schemas.ts";

let models: Awaited<ReturnType<typeof startModelServer>>;
let server: Awaited<ReturnType<typeof startCheckServer>>;
beforeAll(async () => {
  models = await startModelServer();
  server = await startCheckServer(() => moderated("violence"));
});
afterAll(() => Promise.all([models.close(), server.close()]));

const setUp = async () => {
  const { ctx, deps } = testTenant(await testDatabase());
  const provide = (id: string, type: "openai" | "openai-compatible" | "anthropic", url: string) =>
    createLlmProvider(deps, {
      ctx,
      body: { id, type, baseUrl: `${url}/v1`, defaultModel: "m", apiKey: "key" },
    });
  await provide("models", "openai-compatible", models.url);
  await provide("moderator", "openai", server.url);
  await provide("claude", "anthropic", models.url);
  const create = (...checks: readonly object[]) => {
    const all = checks.map((check, at) => ({
      id: `c${at}`,
      on: ["output"],
      action: "block",
      ...check,
    }));
    const body = CreateGuardrailBody.parse({ id: "g", displayName: "G", checks: all });
    return createGuardrail(deps, { ctx, body });
  };
  const check = (value: unknown, scopes = ctx.principal.scopes) =>
    checkGuardrail(deps, {
      ctx: {
        ...ctx,
        principal: { ...ctx.principal, scopes },
        respondBy: ctx.clock() + 29_000,
      },
      guardrailId: "g",
      body: { on: "output", value },
    });
  return { create, check };
};
const judge = { type: "Judge", llm: { providerId: "models" }, rubric: "r" };
const bedrock = { type: "Bedrock", guardrailId: "abc", version: "DRAFT" };

test("the providers of checks exist and are of a type that the check can ask; only some checks mask", async () => {
  const { create } = await setUp();
  await expect(
    create(
      { ...judge, llm: { providerId: "none" }, action: "mask" },
      { type: "Moderation", providerId: "claude", action: "mask" },
      { ...bedrock, providerId: "moderator" },
      { ...bedrock, action: "mask" },
    ),
  ).rejects.toMatchObject({
    members: {
      errors: [
        { pointer: "/checks/0/action" },
        { pointer: "/checks/1/action" },
        { pointer: "/checks/0/llm/providerId", detail: 'there is no model provider "none"' },
        { pointer: "/checks/1/providerId" },
        { pointer: "/checks/2/providerId" },
      ],
    },
  });
  await expect(create(...Array.from({ length: 6 }, () => judge))).rejects.toMatchObject({
    members: { errors: [{ pointer: "/checks" }] },
  });
});

test("a call that asks a service, and costs something, needs agents:test", async () => {
  const { create, check } = await setUp();
  const asked = models.requests.length;
  await create({ ...judge, threshold: 0.7 });
  await expect(check("x", ["agents:read"])).rejects.toMatchObject({
    slug: "insufficient-scope",
    members: { requiredScope: "agents:test" },
  });
  expect(models.requests).toHaveLength(asked);
});

test("a call tries all checks, with the cost of judges, and says why one fails", async () => {
  const { create, check } = await setUp();
  models.script({ text: '{"reason": "r", "score": 0.2}' });
  await create(
    { ...judge, threshold: 0.7 },
    { type: "Moderation", providerId: "moderator", action: "flag" },
    { ...bedrock, onError: "allow" },
  );
  expect(await check({ text: "x" })).toMatchObject({
    blocked: false,
    value: { text: "x" },
    verdicts: [
      { outcome: "passed", score: 0.2 },
      { outcome: "flagged", found: ["violence"] },
      { outcome: "failed", error: expect.stringContaining("bedrock") },
    ],
    cost: expect.any(Number),
  });
});
