import { beforeAll, describe, expect, test } from "vitest";
import { webAclRules } from "../../infra/constructs/web-acl-rules.ts";
import { product } from "../../infra/functions/product.ts";
import { readConfig } from "../../infra/settings/config.ts";
import { webAclFor } from "../../infra/stacks/api.ts";
import { addViewerIp } from "../../infra/stacks/viewer-ip.ts";
import { everySetting, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized("settings");
});

/** The rules for settings, by name; the secret of the distribution is undefined without one. */
const rulesFor = (settings: Record<string, string>, secret?: string) =>
  new Map(
    webAclRules(webAclFor(readConfig(settings), product, secret)).map((rule) => [rule.name, rule]),
  );

const managed = ["AWSManagedRulesCommonRuleSet", "AWSManagedRulesKnownBadInputsRuleSet"];
const protectedBy = (...rules: string[]) => [...rules, ...managed];

test("the web ACL is associated with the stage, allows by default, and shows no samples of requests", () => {
  const [acl, ...others] = stacks.resources("AWS::WAFv2::WebACL");
  expect(others).toEqual([]);
  expect(acl?.Properties).toMatchObject({ Scope: "REGIONAL", DefaultAction: { Allow: {} } });
  expect(JSON.stringify(acl?.Properties)).not.toContain('"SampledRequestsEnabled":true');
  const [association] = stacks.resources("AWS::WAFv2::WebACLAssociation");
  expect(association?.Properties.WebACLArn).toEqual({ "Fn::GetAtt": [acl?.id, "Arn"] });
  expect(JSON.stringify(association?.Properties.ResourceArn)).toContain("/stages/");
});

test("without settings there is no web ACL, and no function at the edge for it", async () => {
  const byDefault = await synthesized();
  expect(byDefault.resources("AWS::WAFv2::WebACL")).toEqual([]);
  expect(byDefault.text).not.toContain("x-wharf-viewer-ip");
});

test("a rule that limits a rate responds 429 with Retry-After and the problem", () => {
  const [acl] = stacks.resources("AWS::WAFv2::WebACL");
  const { Rules, CustomResponseBodies } = Object(acl?.Properties);
  const limits = Rules.filter(({ Action }: { Action?: unknown }) => Action !== undefined);
  expect(limits).toHaveLength(5);
  for (const { Action, Statement } of limits) {
    expect(Statement.RateBasedStatement.EvaluationWindowSec).toBe(60);
    expect(Action.Block.CustomResponse).toEqual({
      ResponseCode: 429,
      ResponseHeaders: [{ Name: "Retry-After", Value: "60" }],
      CustomResponseBodyKey: "too-many-requests",
    });
  }
  expect(JSON.parse(CustomResponseBodies["too-many-requests"].Content)).toMatchObject({
    type: "/problems/rate-limit-exceeded",
    status: 429,
  });
});

describe("MAX_REQUESTS_PER_MINUTE", () => {
  test("is the limit of all callers together, and the only rule without WEB_ACL", () => {
    const rules = rulesFor({ MAX_REQUESTS_PER_MINUTE: "500" });
    expect([...rules.keys()]).toEqual(["requests-of-all-callers"]);
    expect(rules.get("requests-of-all-callers")?.statement).toMatchObject({
      rateBasedStatement: { aggregateKeyType: "CONSTANT", limit: 500 },
    });
  });

  test("counts no calls of the closed address where only the distribution is admitted", () => {
    const counted = (settings: Record<string, string>) =>
      JSON.stringify(rulesFor(settings, "SECRET").get("requests-of-all-callers"));
    expect(counted({ MAX_REQUESTS_PER_MINUTE: "500" })).toContain('"searchString":"SECRET"');
    expect(
      counted({
        MAX_REQUESTS_PER_MINUTE: "500",
        DOMAIN_NAME: "api.example.com",
        DOMAIN_CERTIFICATE_ARN: everySetting.DOMAIN_CERTIFICATE_ARN,
      }),
    ).not.toContain("SECRET");
  });
});

describe("WEB_ACL limits addresses", () => {
  test("behind the distribution by the header that it alone sets, and only of requests with its secret", () => {
    const rules = rulesFor({ WEB_ACL: "true" }, "SECRET");
    expect([...rules.keys()]).toEqual(
      protectedBy(
        "requests-of-an-address-by-distribution",
        "deliveries-of-an-address-by-distribution",
      ),
    );
    const rule = rules.get("requests-of-an-address-by-distribution");
    expect(rule?.statement).toMatchObject({
      rateBasedStatement: {
        aggregateKeyType: "FORWARDED_IP",
        forwardedIpConfig: { headerName: "x-wharf-viewer-ip", fallbackBehavior: "NO_MATCH" },
        limit: 3_000,
      },
    });
    expect(JSON.stringify(rule)).toContain(
      '"singleHeader":{"Name":"x-wharf-origin-secret"}},"positionalConstraint":"EXACTLY","searchString":"SECRET"',
    );
  });

  test("by their source where clients call the stage, with the list of addresses that AWS knows as attackers", () => {
    expect([...rulesFor({ WEB_ACL: "true", CONSOLE_STACK: "false" }).keys()]).toEqual([
      ...protectedBy("requests-of-an-address-direct", "deliveries-of-an-address-direct"),
      "AWSManagedRulesAmazonIpReputationList",
    ]);
  });

  test("not behind a proxy of the operator, which all requests come from", () => {
    const settings = { WEB_ACL: "true", PUBLIC_URL: "https://proxy.example.com" };
    expect([...rulesFor(settings).keys()]).toEqual(managed);
  });

  test("of deliveries apart, ten times as high, by the paths of the inbound rows", () => {
    const rules = rulesFor({ WEB_ACL: "true" }, "SECRET");
    const deliveries = rules.get("deliveries-of-an-address-by-distribution");
    expect(deliveries?.statement).toMatchObject({ rateBasedStatement: { limit: 30_000 } });
    const text = JSON.stringify(deliveries);
    const pattern = new RegExp(JSON.parse(/"regexString":("[^"]+")/.exec(text)?.[1] ?? '""'));
    expect(pattern.source.length).toBeLessThan(512);
    const inbound = product.http.filter((endpoint) => endpoint.rows.some((row) => row.inbound));
    expect(inbound.length).toBeGreaterThan(4);
    for (const { resource } of inbound) {
      expect(`/live${resource.replaceAll(/\{[^{}]+\}/g, "a.b-c")}`).toMatch(pattern);
    }
    for (const path of ["/live/v1/tenants/a/agents/b:execute", "/v1/tenants/a/webhooks"]) {
      expect(path).not.toMatch(pattern);
    }
  });
});

test("no managed rule blocks for the content of a body: prompts and deliveries may contain anything", () => {
  const [acl] = stacks.resources("AWS::WAFv2::WebACL");
  const groups = Object(acl?.Properties).Rules.flatMap(
    ({ Statement }: { Statement: { ManagedRuleGroupStatement?: Record<string, unknown> } }) =>
      Statement.ManagedRuleGroupStatement ?? [],
  );
  expect(groups.map(({ Name }: { Name: string }) => Name)).toEqual([
    ...managed,
    "AWSManagedRulesAmazonIpReputationList",
  ]);
  const [common, inputs] = groups.map((group: Record<string, unknown>) =>
    Object(group.RuleActionOverrides ?? []).map(
      ({ Name, ActionToUse }: Record<string, unknown>) => {
        expect(ActionToUse).toEqual({ Count: {} });
        return Name;
      },
    ),
  );
  expect(common).toEqual(
    expect.arrayContaining([
      "SizeRestrictions_BODY",
      "EC2MetaDataSSRF_BODY",
      "GenericLFI_BODY",
      "GenericRFI_BODY",
      "CrossSiteScripting_BODY",
    ]),
  );
  expect(inputs).toEqual(["JavaDeserializationRCE_BODY", "Log4JRCE_BODY", "ReactJSRCE_BODY"]);
});

test("the function at the edge replaces the address that a caller claims with the viewer's", () => {
  const request = {
    headers: { "x-wharf-viewer-ip": { value: "192.0.2.1" }, host: { value: "h" } },
  };
  const event = { viewer: { ip: "203.0.113.9" }, request };
  expect(addViewerIp(structuredClone(event)).headers).toEqual({
    host: { value: "h" },
    "x-wharf-viewer-ip": { value: "203.0.113.9" },
  });
  const code = stacks
    .resources("AWS::CloudFront::Function")
    .map(({ Properties }) => String(Properties.FunctionCode))
    .find((text) => text.includes("viewer.ip"));
  const run = new Function("event", `${code}; return handler(event);`);
  expect(run(structuredClone(event))).toEqual(addViewerIp(structuredClone(event)));
});

test("the header with the viewer's address is part of what the distribution sends to the API", () => {
  const [distribution] = stacks.resources("AWS::CloudFront::Distribution");
  const { CacheBehaviors } = Object(distribution?.Properties.DistributionConfig);
  for (const { FunctionAssociations } of CacheBehaviors) {
    expect(FunctionAssociations).toMatchObject([{ EventType: "viewer-request" }]);
  }
  expect(JSON.stringify(stacks.resources("AWS::CloudFront::CachePolicy"))).toContain(
    '"X-API-KEY","x-wharf-viewer-ip"',
  );
});
