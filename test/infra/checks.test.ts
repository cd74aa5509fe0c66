import { expect, test } from "vitest";
import { synthesized, synthesizedAnew, synthesizedWithSettings } from "./synthesized.ts";

test("cdk-nag and CloudFormation's own rules find nothing that is not acknowledged", async () => {
  await expect(synthesized()).resolves.toBeDefined();
  await expect(synthesizedWithSettings()).resolves.toBeDefined();
}, 180_000);

test("a setting that is only for local stacks is refused", async () => {
  const settings = { ALLOW_PRIVATE_ADDRESSES: "true" };
  await expect(synthesizedAnew({ settings })).rejects.toThrow(
    "ALLOW_PRIVATE_ADDRESSES must be false",
  );
}, 60_000);

test("with an issuer of its own, a deployment has no user pool, and functions have the issuer's address", async () => {
  const stacks = await synthesizedWithSettings();
  expect(stacks.resources("AWS::Cognito::UserPool")).toEqual([]);
  expect(stacks.text).toContain('"OIDC_ISSUER":"https://id.example"');
}, 60_000);
