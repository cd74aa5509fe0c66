import { beforeAll, expect, test } from "vitest";
import { type Synthesized, synthesized, synthesizedAnew } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
}, 180_000);

test("users sign in on managed login, by authorization code, and return to a command line on loopback", () => {
  const [client] = stacks.resources("AWS::Cognito::UserPoolClient");
  expect(client).toMatchObject({
    DeletionPolicy: "Retain",
    Properties: {
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ["code"],
      AllowedOAuthScopes: ["openid"],
      SupportedIdentityProviders: ["COGNITO"],
      GenerateSecret: false,
      CallbackURLs: [8976, 8977, 8978].map((port) => `http://localhost:${port}/callback`),
    },
  });
  const [domain] = stacks.resources("AWS::Cognito::UserPoolDomain");
  expect(domain?.Properties).toMatchObject({
    ManagedLoginVersion: 2,
    Domain: { "Fn::Join": ["", ["wharf-", expect.anything()]] },
  });
  const [style] = stacks.resources("AWS::Cognito::ManagedLoginBranding");
  expect(style?.Properties).toMatchObject({
    ClientId: { Ref: client?.id },
    UseCognitoProvidedValues: true,
  });
  const [pool] = stacks.resources("AWS::Cognito::UserPool");
  expect(pool?.Properties).toMatchObject({ UserPoolTier: "ESSENTIALS" });
});

test("users return to the console of the public URL", async () => {
  const settings = { PUBLIC_URL: "https://agents.example.com", LOGIN_DOMAIN_PREFIX: "acme-agents" };
  const configured = await synthesizedAnew({ settings });
  const [client] = configured.resources("AWS::Cognito::UserPoolClient");
  expect(client?.Properties).toMatchObject({
    CallbackURLs: expect.arrayContaining(["https://agents.example.com/console/sign-in"]),
    LogoutURLs: ["https://agents.example.com/console/"],
  });
  const [domain] = configured.resources("AWS::Cognito::UserPoolDomain");
  expect(domain?.Properties).toMatchObject({ Domain: "acme-agents" });
}, 60_000);
