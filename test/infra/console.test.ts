import { expect, test } from "vitest";
import { product } from "../../infra/functions/product.ts";
import { routeConsoleRequest } from "../../infra/stacks/console-router.ts";
import { synthesized, synthesizedAnew } from "./synthesized.ts";

const stacks = await synthesized();

const distribution = () => {
  const [only] = stacks.resources("AWS::CloudFront::Distribution");
  return Object(only?.Properties.DistributionConfig);
};

/** Resolves nothing, so that it is compared as a reference. */
const referenceIn = (value: unknown) => JSON.stringify(value);

test("calls carry the viewer's address, and a secret of the distribution that is in no template", () => {
  const [secret] = stacks.resources("AWS::SecretsManager::Secret");
  expect(secret?.Properties.GenerateSecretString).toMatchObject({ PasswordLength: 48 });
  const origins = distribution().Origins.filter((origin: object) => "CustomOriginConfig" in origin);
  expect(origins).toHaveLength(1);
  const headers: { HeaderName: string; HeaderValue: unknown }[] = origins[0].OriginCustomHeaders;
  expect(headers.map(({ HeaderName }) => HeaderName)).toEqual(["x-wharf-origin-secret", "Referer"]);
  for (const { HeaderValue } of headers) {
    expect(referenceIn(HeaderValue)).toContain("{{resolve:secretsmanager:");
  }
  const [policy] = stacks.resources("AWS::CloudFront::CachePolicy");
  expect(policy?.Properties.CachePolicyConfig).toMatchObject({
    DefaultTTL: 0,
    MinTTL: 0,
    MaxTTL: 1,
    ParametersInCacheKeyAndForwardedToOrigin: {
      HeadersConfig: {
        HeaderBehavior: "whitelist",
        Headers: ["cloudfront-viewer-address", "Authorization", "X-API-KEY"],
      },
      QueryStringsConfig: { QueryStringBehavior: "all" },
    },
  });
  const knowing = stacks
    .resources("AWS::Lambda::Function")
    .filter(({ Properties }) => referenceIn(Properties).includes("ORIGIN_SECRET"));
  expect(knowing).toHaveLength(product.http.length);
  for (const { Properties } of knowing) {
    const { ORIGIN_SECRET } = Object(Properties.Environment).Variables;
    expect(referenceIn(ORIGIN_SECRET)).toContain("{{resolve:secretsmanager:");
  }
});

test("the API's paths pass through uncached, over HTTPS alone, with every method", () => {
  const behaviors = distribution().CacheBehaviors;
  expect(behaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
    "/v1/*",
    "/problems/*",
    "/health",
    "/.well-known/oauth-protected-resource/*",
  ]);
  for (const behavior of behaviors) {
    expect(behavior).toMatchObject({
      CachePolicyId: { Ref: stacks.resources("AWS::CloudFront::CachePolicy")[0]?.id },
      ViewerProtocolPolicy: "https-only",
      AllowedMethods: expect.arrayContaining(["DELETE", "PATCH", "POST", "PUT"]),
    });
    expect(behavior.FunctionAssociations).toBeUndefined();
  }
});

test("errors are not replaced by the console's page, and none is kept", () => {
  const kept = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
  expect(distribution().CustomErrorResponses).toEqual(
    kept.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
  );
});

test("every behavior, the API's included, and the redirect at the edge require HTTPS for a year", () => {
  const policies = new Map(
    stacks
      .resources("AWS::CloudFront::ResponseHeadersPolicy")
      .map(({ id, Properties }) => [id, Object(Properties.ResponseHeadersPolicyConfig)]),
  );
  const { DefaultCacheBehavior, CacheBehaviors } = distribution();
  for (const { ResponseHeadersPolicyId } of [DefaultCacheBehavior, ...CacheBehaviors]) {
    const policy = policies.get(Object(ResponseHeadersPolicyId).Ref);
    expect(policy?.SecurityHeadersConfig.StrictTransportSecurity).toEqual({
      AccessControlMaxAgeSec: 31_536_000,
      IncludeSubdomains: false,
      Override: true,
    });
  }
  expect(routeConsoleRequest({ request: { uri: "/" } })).toMatchObject({
    headers: { "strict-transport-security": { value: "max-age=31536000" } },
  });
});

test("the console's files are private, and read by the distribution alone", () => {
  const buckets = stacks.resources("AWS::S3::Bucket").filter(({ id }) => id.startsWith("Site"));
  expect(buckets).toHaveLength(1);
  expect(buckets[0]?.Properties).toMatchObject({
    PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
  });
  expect(stacks.resources("AWS::CloudFront::OriginAccessControl")).toHaveLength(1);
});

test("pages run only the console's own scripts and cannot be framed", () => {
  const { ResponseHeadersPolicyId } = distribution().DefaultCacheBehavior;
  const policy = stacks
    .resources("AWS::CloudFront::ResponseHeadersPolicy")
    .find(({ id }) => id === ResponseHeadersPolicyId.Ref);
  const text = JSON.stringify(policy?.Properties);
  expect(text).toContain("script-src 'self';");
  expect(text).toContain("frame-ancestors 'none'");
  expect(text).not.toContain("unsafe-eval");
  // Files are sent to, and images shown from, the bucket of the data alone.
  const bucket = text.match(/img-src 'self' data: (?<origin>.*?); font-src/)?.groups?.origin ?? "";
  expect(bucket).toMatch(/^https:\/\/.*BucketArn.*\.s3\./i);
  expect(text).toContain(`${bucket}; base-uri 'none'`);
});

test("addresses of pages lead to the index, files to themselves, the root to the console", () => {
  const routed = (uri: string) => routeConsoleRequest({ request: { uri } });
  expect(routed("/console/t/demo/agents/a.b")).toEqual({ uri: "/console/index.html" });
  expect(routed("/console/")).toEqual({ uri: "/console/index.html" });
  for (const uri of ["/console/assets/index-1.js", "/console/config.json"]) {
    expect(routed(uri)).toEqual({ uri });
  }
  for (const uri of ["/", "/console"]) {
    expect(routed(uri)).toMatchObject({
      statusCode: 302,
      headers: { location: { value: "/console/" } },
    });
  }
});

test("the function at the edge is the tested one, without types or names from outside", () => {
  const [edge] = stacks.resources("AWS::CloudFront::Function");
  const code = String(edge?.Properties.FunctionCode);
  const run = new Function(`${code}; return handler({ request: { uri: "/console/x" } });`);
  expect(run()).toEqual({ uri: "/console/index.html" });
});

test("names that are unique in the account contain the region, for installations of one prefix in two regions", () => {
  const names = [
    ["AWS::CloudFront::ResponseHeadersPolicy", "ResponseHeadersPolicyConfig"],
    ["AWS::CloudFront::CachePolicy", "CachePolicyConfig"],
    ["AWS::CloudFront::OriginAccessControl", "OriginAccessControlConfig"],
  ].flatMap(([type, member]) =>
    stacks
      .resources(type)
      .map(({ Properties }) => JSON.stringify(Object(Properties[member ?? ""]).Name)),
  );
  expect(names).toHaveLength(4);
  for (const name of names) expect(name).toContain('{"Ref":"AWS::Region"}');
  for (const { Properties } of stacks.resources("AWS::CloudFront::Function")) {
    expect(JSON.stringify(Properties.Name)).toContain('{"Ref":"AWS::Region"}');
  }
});

test("CONSOLE_STACK=false leaves the distribution out, and the API stays open at its own address", {
  tags: "nightly",
}, async () => {
  const without = await synthesizedAnew({ settings: { CONSOLE_STACK: "false" } });
  expect(without.resources("AWS::CloudFront::Distribution")).toEqual([]);
  expect(without.templates.map(({ name }) => name)).not.toContain("Console");
  expect(without.api()).not.toHaveProperty("x-amazon-apigateway-policy");
  expect(without.resources("AWS::SecretsManager::Secret")).toEqual([]);
});
