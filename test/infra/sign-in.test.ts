import { beforeAll, expect, test } from "vitest";
import { readConfig } from "../../infra/settings/config.ts";
import { deriveConsoleUrl } from "../../infra/settings/public-url.ts";
import { type Synthesized, signInSettings, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

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
      CallbackURLs: [8976, 8977, 8978].map((port) => `http://127.0.0.1:${port}/callback`),
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

test("users return to the console, and its distribution is also the address of the API", async () => {
  const configured = await synthesized("signIn");
  const [client] = configured.resources("AWS::Cognito::UserPoolClient");
  expect(client?.Properties).toMatchObject({
    CallbackURLs: expect.arrayContaining([`${signInSettings.CONSOLE_URL}sign-in`]),
    LogoutURLs: [signInSettings.CONSOLE_URL],
  });
  const [domain] = configured.resources("AWS::Cognito::UserPoolDomain");
  expect(domain?.Properties).toMatchObject({ Domain: "acme-agents" });
  const [stage] = configured.resources("AWS::ApiGateway::Stage");
  expect(stage?.Properties).toMatchObject({
    Variables: { publicUrl: "https://d111111abcdef8.cloudfront.net" },
  });
  expect(JSON.stringify(configured.api())).not.toContain("/live/problems/");
});

test("a session ends at the logout endpoint of managed login, and the console's address is an output", () => {
  const text = stacks.templates.find(({ name }) => name === "Console")?.text ?? "";
  const outputs = JSON.parse(text).Outputs;
  expect(JSON.stringify(outputs.ConsoleConfig)).toMatch(
    /cognitoLogout.*amazoncognito\.com\/logout/,
  );
  expect(JSON.stringify(outputs.ConsoleUrl)).toContain("/console/");
  // Its address is no part of the stacks before it: the second deployment passes it as a setting.
  expect(stacks.dependencies("Wharf-Api")).not.toContain("Wharf-Console");
});

test("the console is below the public URL, and not at a custom domain of the API", () => {
  const certificate = "arn:aws:acm:eu-west-1:123456789012:certificate/1";
  const domain = { DOMAIN_NAME: "api.example.com", DOMAIN_CERTIFICATE_ARN: certificate };
  const address = (settings: Record<string, string>) => deriveConsoleUrl(readConfig(settings));
  expect(address({ PUBLIC_URL: "https://a.example" })).toBe("https://a.example/console/");
  expect(address(domain)).toBeUndefined();
  expect(address({ ...domain, CONSOLE_URL: "https://c.example/" })).toBe("https://c.example/");
});
