import { beforeAll, expect, test } from "vitest";
import {
  everySetting,
  findLambda,
  type Synthesized,
  synthesizedWithSettings,
} from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesizedWithSettings();
}, 180_000);

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

test("the custom domain is the public URL of every function, and of the gateway's own problems", () => {
  for (const name of ["get-webhook", "register-webhook", "get-openapi"]) {
    expect(findLambda(stacks, name).environment.PUBLIC_URL).toBe("https://api.example.com");
  }
  const text = JSON.stringify(stacks.api());
  expect(text).toContain("/problems/not-found");
  expect(text).not.toContain("/live/problems/");
});
