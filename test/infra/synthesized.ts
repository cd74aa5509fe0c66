import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { Product } from "../../infra/functions/product.ts";
import { sourceHash } from "../../infra/local/prepare/input-hash.ts";
import { findOrMake } from "../../infra/local/prepare/kept-folders.ts";
import { readConfig } from "../../infra/settings/config.ts";
import { synthesize } from "../../infra/stacks/synthesize.ts";

const anything = z.record(z.string(), z.unknown());

const Resource = z.object({
  Type: z.string(),
  Properties: anything.default({}),
  Metadata: anything.default({}),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
});

const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Outputs: anything.default({}),
  Parameters: anything.default({}),
});

/** A resource of a synthesized template. */
export type TemplateResource = z.output<typeof Resource> & { id: string };

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ type: z.string(), dependencies: z.array(z.string()).default([]) }),
  ),
});

/** A stack's template: its text, and the names of its parts. */
export type StackTemplate = {
  name: string;
  text: string;
  resources: readonly TemplateResource[];
  outputs: readonly string[];
  parameters: readonly string[];
};

const ApiBody = z.looseObject({ paths: z.record(z.string(), anything) });

/** The synthesized stacks, and what tests ask of them. */
export type Synthesized = {
  /** Resources of a type over all stacks; of every type without one. */
  resources: (type?: string) => TemplateResource[];
  /** Names of the stacks that are deployed before a stack. */
  dependencies: (stack: string) => readonly string[];
  /** Templates by stack, that of the data stack first. */
  templates: readonly StackTemplate[];
  /** The OpenAPI body of the REST API. */
  api: () => z.output<typeof ApiBody>;
  /** Text of all templates. */
  text: string;
  /** Directory of the templates; deleted if they were synthesized for one test. */
  directory: string;
};

type Options = { settings?: Record<string, string>; product?: Product; deletable?: boolean };

const kept = resolve(import.meta.dirname, "../../dist/local");

/** A setting of each kind that the templates depend on. */
export const everySetting = {
  ALERT_EMAIL_FROM: "alerts@mail.example.com",
  BEDROCK_MODELS: "anthropic.claude-*,eu.amazon.nova-pro-v1:0",
  DOMAIN_CERTIFICATE_ARN: "arn:aws:acm:eu-west-1:123456789012:certificate/0193f0a0-7c4b-7000",
  DOMAIN_HOSTED_ZONE_ID: "Z0123456789ABCDEFGHIJ",
  DOMAIN_NAME: "api.example.com",
  GOOGLE_CLIENT_SECRET_NAME: "wharf/google",
  MAX_ADDRESS_REQUESTS_PER_MINUTE: "1200",
  MAX_REQUESTS_PER_MINUTE: "30000",
  MODEL_PRICES: join(import.meta.dirname, "prices.json"),
  OIDC_AUDIENCE: "wharf",
  OIDC_ISSUER: "https://id.example",
  QUEUE_CONCURRENCY: "4",
  TENANT_CONCURRENCY: "9",
  WEB_ACL: "true",
};

/** Settings with which users sign in to a console, on a domain of the operator's choice. */
export const signInSettings = {
  CONSOLE_URL: "https://d111111abcdef8.cloudfront.net/console/",
  LOGIN_DOMAIN_PREFIX: "acme-agents",
};

const secondPrefix = "Staging";

/**
 * Options that tests synthesize. Every test of the first two fails unless they pass cdk-nag's and
 * CloudFormation's rules.
 */
const variants = {
  defaults: { nag: true },
  settings: { nag: true, settings: everySetting },
  signIn: { settings: signInSettings },
  deletable: { deletable: true },
  secondInstallation: { settings: { STACK_PREFIX: secondPrefix } },
} as const;

/**
 * Returns stacks that are synthesized once for the same sources: `defaults` as they are deployed without a setting,
 * `settings` with `everySetting`. One process synthesizes all, because loading the CDK and compiling the rules takes
 * longer than using them.
 */
export const synthesized = async (
  name: keyof typeof variants = "defaults",
): Promise<Synthesized> => {
  const folder = { root: kept, kind: "templates", hash: sourceHash() };
  const made = await findOrMake(folder, async (directory) => {
    for (const [variant, options] of Object.entries(variants))
      await synthesizeInto(join(directory, variant), options);
  });
  return readTemplates(join(made, name), name === "secondInstallation" ? secondPrefix : undefined);
};

/**
 * Synthesizes the stacks again, unchecked, over a stub of a bundle, so that nothing need be built.
 */
export const synthesizedAnew = async (options: Options): Promise<Synthesized> => {
  const outdir = mkdtempSync(join(tmpdir(), "wharf-assembly-"));
  try {
    await synthesizeInto(outdir, options);
    return readTemplates(outdir);
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

const synthesizeInto = async (
  outdir: string,
  { settings = {}, ...options }: Options & { nag?: boolean },
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "wharf-infra-"));
  try {
    writeFileSync(join(folder, "index.mjs"), "export const handler = async () => {};\n");
    const config = readConfig(settings);
    await synthesize({ outdir, config, codeDirectory: () => folder, ...options });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const readTemplates = (directory: string, prefix = "Wharf"): Synthesized => {
  const manifest = Manifest.parse(
    JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")),
  );
  const names = Object.entries(manifest.artifacts)
    .filter(([, { type }]) => type === "aws:cloudformation:stack")
    .map(([id]) => id.slice(prefix.length + 1))
    .sort((left, right) => Number(right === "Data") - Number(left === "Data"));
  const stacks = names.map((name): StackTemplate => {
    const text = readFileSync(join(directory, `${prefix}-${name}.template.json`), "utf8");
    const { Resources, Outputs, Parameters } = Template.parse(JSON.parse(text));
    return {
      name,
      text,
      resources: Object.entries(Resources).map(([id, resource]) => ({ id, ...resource })),
      outputs: Object.keys(Outputs),
      parameters: Object.keys(Parameters),
    };
  });
  const resources: Synthesized["resources"] = (type) =>
    stacks
      .flatMap((stack) => stack.resources)
      .filter((resource) => type === undefined || resource.Type === type);
  return {
    resources,
    templates: stacks,
    dependencies: (stack) => manifest.artifacts[stack]?.dependencies ?? [],
    api: () => ApiBody.parse(resources("AWS::ApiGateway::RestApi")[0]?.Properties.Body),
    text: stacks.map(({ text }) => text).join("\n"),
    directory,
  };
};

const oneOrMore = z.union([z.unknown().array(), z.unknown().transform((one) => [one])]);

const Statement = z.object({
  Effect: z.string(),
  Action: oneOrMore.transform((actions) => actions.map(String)),
  Resource: oneOrMore.default([]),
  Condition: z.unknown().optional(),
});

/** A statement of a policy. */
export type Statement = z.output<typeof Statement>;

const RolePolicies = z.object({
  Policies: z
    .array(z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) }))
    .default([]),
});

/** The statements of a role. */
export const parseStatements = (role: TemplateResource): Statement[] =>
  RolePolicies.parse(role.Properties).Policies.flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );

const ManagedPolicy = z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) });

/** The statements of a managed policy. */
export const parseManagedStatements = (policy: TemplateResource): Statement[] =>
  ManagedPolicy.parse(policy.Properties).PolicyDocument.Statement;

const FunctionProperties = z.object({
  FunctionName: z.string(),
  Role: z.object({ "Fn::GetAtt": z.tuple([z.string(), z.literal("Arn")]) }),
  Environment: z.object({ Variables: anything }),
  LoggingConfig: z.looseObject({ LogGroup: z.object({ Ref: z.string() }) }),
});

/** A Lambda function: its row's name, environment, log group and what its role may do. */
export const findLambda = (stacks: Synthesized, name: string) => {
  const found = stacks
    .resources("AWS::Lambda::Function")
    .map((resource) => FunctionProperties.parse(resource.Properties))
    .find((properties) => properties.FunctionName === `Wharf-${name}`);
  if (!found) throw new Error(`no function ${name}`);
  const role = stacks
    .resources("AWS::IAM::Role")
    .find(({ id }) => id === found.Role["Fn::GetAtt"][0]);
  if (!role) throw new Error(`no role of ${name}`);
  return {
    environment: found.Environment.Variables,
    logging: found.LoggingConfig,
    statements: parseStatements(role),
  };
};
