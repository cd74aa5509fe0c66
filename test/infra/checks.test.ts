import { expect, test } from "vitest";
import { synthesized } from "./synthesized.ts";

test("cdk-nag and CloudFormation's own rules find nothing that is not acknowledged", async () => {
  await expect(synthesized({ nag: true })).resolves.toBeDefined();
}, 180_000);

test("under a setting that AWS must not have, nothing is synthesized", async () => {
  const settings = { ALLOW_PRIVATE_ADDRESSES: "true" };
  await expect(synthesized({ settings })).rejects.toThrow("ALLOW_PRIVATE_ADDRESSES must be false");
  await expect(synthesized({ settings, local: true })).resolves.toBeDefined();
}, 60_000);

test("with an issuer of its own, a deployment has no user pool, and functions hear of the issuer", async () => {
  const stacks = await synthesized({
    settings: { OIDC_ISSUER: "https://id.example", OIDC_AUDIENCE: "wharf" },
  });
  expect(stacks.resources("AWS::Cognito::UserPool")).toEqual([]);
  expect(stacks.text).toContain('"OIDC_ISSUER": "https://id.example"');
}, 60_000);
