import { beforeAll, expect, test } from "vitest";
import { deriveFunctionConsoleUrl } from "../../infra/settings/public-url.ts";
import { everySetting, findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized("settings");
});

/** Not below TLS 1.2, which is the oldest version in its name, and no cipher without forward secrecy. */
const transportPolicy = {
  SecurityPolicy: "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09",
  EndpointAccessMode: "STRICT",
};

test("the root of the custom domain is the stage, over the TLS policy of the API, with a record in the hosted zone", () => {
  const [domain] = stacks.resources("AWS::ApiGateway::DomainName");
  expect(domain?.Properties).toMatchObject({
    DomainName: everySetting.DOMAIN_NAME,
    EndpointConfiguration: { Types: ["REGIONAL"] },
    RegionalCertificateArn: everySetting.DOMAIN_CERTIFICATE_ARN,
    ...transportPolicy,
  });
  const [mapping] = stacks.resources("AWS::ApiGateway::BasePathMapping");
  expect(mapping?.Properties).not.toHaveProperty("BasePath");
  const [record] = stacks.resources("AWS::Route53::RecordSet");
  expect(record?.Properties).toMatchObject({
    HostedZoneId: everySetting.DOMAIN_HOSTED_ZONE_ID,
    Name: everySetting.DOMAIN_NAME,
    AliasTarget: { DNSName: { "Fn::GetAtt": [domain?.id, "RegionalDomainName"] } },
  });
});

test("the API's own address and the way from the distribution to it require TLS 1.2", async () => {
  const byDefault = await synthesized();
  for (const synthesized of [stacks, byDefault]) {
    const [api] = synthesized.resources("AWS::ApiGateway::RestApi");
    expect(api?.Properties).toMatchObject(transportPolicy);
    const [distribution] = synthesized.resources("AWS::CloudFront::Distribution");
    const { Origins } = Object(distribution?.Properties.DistributionConfig);
    const custom = Origins.filter((origin: object) => "CustomOriginConfig" in origin);
    expect(custom).toMatchObject([
      {
        CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
      },
    ]);
  }
});

test("the custom domain is the public URL of every function, and of the gateway's problems", () => {
  for (const name of ["get-webhook", "register-webhook", "get-openapi"]) {
    expect(findLambda(stacks, name).environment.PUBLIC_URL).toBe("https://api.example.com");
  }
  const text = JSON.stringify(stacks.api());
  expect(text).toContain("/problems/not-found");
  expect(text).not.toContain("/live/problems/");
});

test("the API's own address is closed where a domain or the distribution is in front of it", async () => {
  const [closed] = stacks.resources("AWS::ApiGateway::RestApi");
  expect(closed?.Properties.DisableExecuteApiEndpoint).toBe(true);
  const [distribution] = stacks.resources("AWS::CloudFront::Distribution");
  expect(JSON.stringify(distribution?.Properties)).toContain(
    `"DomainName":"${everySetting.DOMAIN_NAME}"`,
  );
  const behind = await synthesized();
  const refusals = (of: Synthesized) =>
    JSON.stringify(of.api()["x-amazon-apigateway-policy"] ?? null);
  expect(refusals(behind)).toMatch(
    /"Effect":"Deny","Condition":\{"StringNotEquals":\{"aws:Referer":\{"Fn::Join":.*resolve:secretsmanager/,
  );
  expect(refusals(stacks)).toBe("null");
});

test("the secret of the OAuth client of Google is a reference that CloudFormation replaces", () => {
  expect(findLambda(stacks, "get-asset").environment).not.toHaveProperty("GOOGLE_CLIENT_SECRET");
  expect(findLambda(stacks, "run-asset-sync").environment.GOOGLE_CLIENT_SECRET).toBe(
    "{{resolve:secretsmanager:wharf/google}}",
  );
});

test.each([
  [{}, undefined],
  [{ CONSOLE_URL: "https://c.example/" }, "https://c.example/"],
  [{ PUBLIC_URL: "https://a.example" }, "https://a.example/console/"],
  [{ DOMAIN_NAME: "api.example.com" }, "none"],
  [{ PUBLIC_URL: "https://a.example", CONSOLE_STACK: false }, "none"],
  [{ CONSOLE_STACK: false }, "none"],
])("functions know the console of %j as %s", (settings, url) => {
  expect(deriveFunctionConsoleUrl({ CONSOLE_STACK: true, ...settings })).toBe(url);
});
