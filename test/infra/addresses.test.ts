import { beforeAll, expect, test } from "vitest";
import { everySetting, findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized("settings");
});

test("the root of the custom domain is the stage, over TLS 1.2, with a record in the hosted zone", () => {
  const [domain] = stacks.resources("AWS::ApiGateway::DomainName");
  expect(domain?.Properties).toMatchObject({
    DomainName: everySetting.DOMAIN_NAME,
    EndpointConfiguration: { Types: ["REGIONAL"] },
    RegionalCertificateArn: everySetting.DOMAIN_CERTIFICATE_ARN,
    SecurityPolicy: "TLS_1_2",
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

test("MAX_REQUESTS_PER_MINUTE limits all requests to the stage together, and nothing else does", async () => {
  const [acl] = stacks.resources("AWS::WAFv2::WebACL");
  expect(acl?.Properties).toMatchObject({
    Scope: "REGIONAL",
    DefaultAction: { Allow: {} },
    Rules: [
      {
        Statement: {
          RateBasedStatement: {
            AggregateKeyType: "CONSTANT",
            EvaluationWindowSec: 60,
            Limit: Number(everySetting.MAX_REQUESTS_PER_MINUTE),
          },
        },
        Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
      },
    ],
  });
  const [association] = stacks.resources("AWS::WAFv2::WebACLAssociation");
  expect(association?.Properties.WebACLArn).toEqual({ "Fn::GetAtt": [acl?.id, "Arn"] });
  expect(JSON.stringify(association?.Properties.ResourceArn)).toContain("/stages/");
  expect((await synthesized()).resources("AWS::WAFv2::WebACL")).toEqual([]);
});
