import { expect, test } from "vitest";
import { routeConsoleRequest } from "../../infra/stacks/console-router.ts";
import { synthesized } from "./synthesized.ts";

const stacks = await synthesized();

const distribution = () => {
  const [only] = stacks.resources("AWS::CloudFront::Distribution");
  return Object(only?.Properties.DistributionConfig);
};

test("the API's paths pass through uncached, over HTTPS alone, with every method", () => {
  const behaviors = distribution().CacheBehaviors;
  expect(behaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
    "/v1/*",
    "/problems/*",
    "/health",
  ]);
  for (const behavior of behaviors) {
    expect(behavior).toMatchObject({
      // The managed policy CachingDisabled.
      CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
      ViewerProtocolPolicy: "https-only",
      AllowedMethods: expect.arrayContaining(["DELETE", "PATCH", "POST", "PUT"]),
    });
    expect(behavior.FunctionAssociations).toBeUndefined();
  }
});

test("errors of the API are not replaced by the console's page", () => {
  expect(distribution().CustomErrorResponses).toBeUndefined();
});

test("the console's files are private, and read by the distribution alone", () => {
  const buckets = stacks.resources("AWS::S3::Bucket").filter(({ id }) => id.startsWith("Site"));
  expect(buckets).toHaveLength(1);
  expect(buckets[0]?.Properties).toMatchObject({
    PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
  });
  expect(stacks.resources("AWS::CloudFront::OriginAccessControl")).toHaveLength(1);
});

test("pages run only the console's own scripts and are framed by nobody", () => {
  const [policy] = stacks.resources("AWS::CloudFront::ResponseHeadersPolicy");
  const text = JSON.stringify(policy?.Properties);
  expect(text).toContain("script-src 'self';");
  expect(text).toContain("frame-ancestors 'none'");
  expect(text).not.toContain("unsafe-eval");
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
