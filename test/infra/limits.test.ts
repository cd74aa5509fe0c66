import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { type Product, product } from "../../infra/functions/product.ts";
import {
  type StackTemplate,
  type Synthesized,
  synthesized,
  synthesizedAnew,
} from "./synthesized.ts";

/** A limit of AWS and the highest use of it in the templates. */
type Use = { limit: string; maximum: number; used: number };

/** The share of a limit at which a deployment has no room left to grow. */
const highestShare = 0.8;
/** The page may state a share that is higher than the actual one by this much. */
const tolerance = 0.2;

let uses: Use[];
beforeAll(async () => {
  uses = listUses(await synthesized());
});

const listUses = (stacks: Synthesized): Use[] => {
  const { templates } = stacks;
  const most = (of: (template: StackTemplate) => number) => Math.max(...templates.map(of));
  const roles = stacks.resources("AWS::IAM::Role");
  const managed = stacks.resources("AWS::IAM::ManagedPolicy");
  const environments = stacks
    .resources("AWS::Lambda::Function")
    .map(({ Properties }) => Environment.parse(Properties).Environment.Variables);
  return [
    {
      limit: "Resources of a stack",
      maximum: 500,
      used: most(({ resources }) => resources.length),
    },
    {
      limit: "Bytes of a template",
      maximum: 1_000_000,
      used: most(({ text }) => countBytes(text)),
    },
    { limit: "Outputs of a stack", maximum: 200, used: most(({ outputs }) => outputs.length) },
    {
      limit: "Parameters of a stack",
      maximum: 200,
      used: most((stack) => stack.parameters.length),
    },
    { limit: "Resources of the REST API", maximum: 300, used: gatewayResources(stacks) },
    { limit: "Roles of the account", maximum: 1_000, used: roles.length },
    {
      limit: "Characters of a role's inline policies",
      maximum: 10_240,
      used: Math.max(...roles.map(({ Properties }) => longest(Properties.Policies ?? []))),
    },
    {
      limit: "Characters of a managed policy",
      maximum: 6_144,
      used: Math.max(...managed.map(({ Properties }) => longest(Properties.PolicyDocument))),
    },
    {
      limit: "Managed policies of a role",
      maximum: 10,
      used: Math.max(
        ...roles.map(({ Properties }) => Arns.parse(Properties).ManagedPolicyArns.length),
      ),
    },
    {
      limit: "Bytes of a function's environment",
      maximum: 4_096,
      used: Math.max(...environments.map(longest)),
    },
    {
      limit: "Alarms of the account",
      maximum: 5_000,
      used: stacks.resources("AWS::CloudWatch::Alarm").length,
    },
  ];
};

const Environment = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});
const Arns = z.object({ ManagedPolicyArns: z.array(z.unknown()).default([]) });

const countBytes = (text: string): number => Buffer.byteLength(text);

/** Path nodes of the API, the root included, of which those in between are resources too. */
const gatewayResources = (stacks: Synthesized): number => {
  const nodes = new Set(["/"]);
  for (const path of Object.keys(stacks.api().paths)) {
    const segments = path.split("/").filter((segment) => segment !== "");
    for (const at of segments.keys()) nodes.add(segments.slice(0, at + 1).join("/"));
  }
  return nodes.size;
};

/** The longest values that references can resolve to, in an installation with the longest prefix. */
const longestRegion = "ap-southeast-1";
const longestPrefix = "W".padEnd(16, "h");
const longestName = `${longestPrefix}-Operations-${"x".repeat(40)}`;
const longestArn = `arn:aws-us-gov:dynamodb:${longestRegion}:000000000000:function:${longestName}`;

const pseudo: Record<string, string> = {
  "AWS::Region": longestRegion,
  "AWS::AccountId": "000000000000",
  "AWS::Partition": "aws-us-gov",
  "AWS::URLSuffix": "amazonaws.com",
};

/** Returns the length of a value as JSON with its references resolved to long values. */
const longest = (value: unknown): number =>
  JSON.stringify(resolve(value)).replaceAll("Wharf", longestPrefix).length;

const resolve = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  const [[name, argument] = ["", undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    if (name === "Ref") return pseudo[String(argument)] ?? longestName;
    if (name === "Fn::Join" && Array.isArray(argument)) {
      const [, parts] = argument;
      return Array.isArray(parts) ? parts.map(resolve).join("") : longestArn;
    }
    if (name.startsWith("Fn::")) return longestArn;
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
};

test("no limit of AWS is used by more than four fifths", () => {
  for (const { limit, maximum, used } of uses) {
    expect(used / maximum, `${limit}: ${used} of ${maximum}`).toBeLessThan(highestShare);
  }
});

/** Adds functions that are like the product's, in its areas, with resources of their own in the API. */
const growBy = (count: number): Product => ({
  ...product,
  http: [
    ...product.http,
    ...Array.from({ length: count }, (_, at) => {
      const like = product.http[at % product.http.length] ?? expect.fail("no function");
      const copy = Math.floor(at / product.http.length) + 1;
      const resource = like.resource.replace(/^\/[^/]+/, `$&-${copy}`);
      return { ...like, name: `${like.name}-${copy}`, resource };
    }),
  ],
});

test("a product with 130 endpoints more is deployed within four fifths of every limit", {
  tags: "nightly",
  timeout: 60_000,
}, async () => {
  for (const { limit, maximum, used } of listUses(
    await synthesizedAnew({ product: growBy(130) }),
  )) {
    expect(used / maximum, `${limit}: ${used} of ${maximum}`).toBeLessThanOrEqual(highestShare);
  }
});

test("docs/internals/aws-limits.md lists every limit with its maximum and the share that is used", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../docs/internals/aws-limits.md"),
    "utf8",
  );
  const rows = page.matchAll(/^\| ([^|]+?) +\| +([0-9,]+) +\| +below ([0-9]+) % +\|$/gm);
  const stated = [...rows].map(([, limit, maximum, share]) => ({
    limit,
    maximum: Number(maximum?.replaceAll(",", "")),
    share: Number(share) / 100,
  }));
  expect(stated.map(({ limit, maximum }) => ({ limit, maximum }))).toEqual(
    uses.map(({ limit, maximum }) => ({ limit, maximum })),
  );
  for (const [at, { limit, maximum, used }] of uses.entries()) {
    const share = stated[at]?.share ?? 0;
    expect(used / maximum, `${limit}: ${used}`).toBeLessThan(share);
    expect(share, `${limit}: ${used}`).toBeLessThanOrEqual(highestShare);
    expect(share - used / maximum, `${limit}: ${used}`).toBeLessThan(tolerance);
  }
});
