import { beforeAll, expect, test } from "vitest";
import { type Synthesized, synthesized, synthesizedAnew } from "./synthesized.ts";

let checked: Synthesized[];
beforeAll(async () => {
  checked = [await synthesized(), await synthesized("settings")];
});

test("cdk-nag and CloudFormation's rules find nothing that is not acknowledged", () => {
  for (const { templates } of checked) expect(templates.length).toBeGreaterThan(0);
});

test("a setting that is only for local stacks is refused", async () => {
  const settings = { ALLOW_PRIVATE_ADDRESSES: "true" };
  await expect(synthesizedAnew({ settings })).rejects.toThrow(
    "ALLOW_PRIVATE_ADDRESSES must be false",
  );
});

test("with an issuer of its own, a deployment has no user pool, and functions have the issuer's address", () => {
  const [, withIssuer] = checked;
  expect(withIssuer?.resources("AWS::Cognito::UserPool")).toEqual([]);
  expect(withIssuer?.text).toContain('"OIDC_ISSUER":"https://id.example"');
});
