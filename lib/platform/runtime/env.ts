import { resolve } from "node:path";
import * as z from "zod";
import { resourceVariables } from "./resource-variables.ts";

/**
 * Reads the environment once per function, each part only when it is asked for; the only file that
 * touches `process.env`.
 */
const read = <Schema extends z.ZodType>(schema: Schema): (() => z.output<Schema>) => {
  let parsed: { value: z.output<Schema> } | undefined;
  return () => {
    parsed ??= { value: schema.parse(process.env) };
    return parsed.value;
  };
};

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const list = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    );

/** Returns the reader of a variable that must be set. */
export const readVariable = (name: string): (() => string) => {
  const get = read(z.object({ [name]: z.string().min(1) }));
  return () => get()[name] ?? "";
};

/** Name of the table. */
export const tableName = readVariable(resourceVariables.table);
/** Name of the bucket for large values. */
export const bucketName = readVariable(resourceVariables.bucket);
/** Id of the KMS key under which secrets are sealed. */
export const sealKeyId = readVariable(resourceVariables.sealKey);

/** Where schedules are kept, who fires them, and the queue that a firing goes to. */
export const scheduleSettings = read(
  z
    .object({
      [resourceVariables.scheduleGroup]: z.string().min(1),
      [resourceVariables.scheduleRole]: z.string().min(1),
      [resourceVariables.scheduleQueue]: z.string().min(1),
    })
    .transform((env) => ({
      group: env[resourceVariables.scheduleGroup],
      roleArn: env[resourceVariables.scheduleRole],
      queueArn: env[resourceVariables.scheduleQueue],
    })),
);

/** How many calls of a queue's function may work for one tenant at a time; undefined: as its row says. */
export const tenantConcurrency = read(
  z
    .object({ TENANT_CONCURRENCY: z.coerce.number().int().min(1).optional() })
    .transform((env) => env.TENANT_CONCURRENCY),
);

/** Milliseconds without a response after which a call to an AWS service is repeated. */
export const callTimeoutMs = read(
  z.object({ AWS_CALL_TIMEOUT_MS: count(4_000) }).transform((env) => env.AWS_CALL_TIMEOUT_MS),
);

const MethodsByVerb = z.record(z.string(), z.array(z.string()));

/** The methods by verb at the function's own gateway resource, for `Allow`. */
export const resourceMethods = read(
  z
    .object({ [resourceVariables.resourceMethods]: z.string().default("{}") })
    .transform((env) =>
      MethodsByVerb.parse(JSON.parse(env[resourceVariables.resourceMethods] ?? "{}")),
    ),
);

/** Rate limits: requests per window, and the window's length. */
export const rateLimitSettings = read(
  z
    .object({
      RATE_LIMIT_REQUESTS: count(600),
      RATE_LIMIT_WINDOW_SECONDS: count(60),
      RATE_LIMIT_INBOUND_REQUESTS: count(6_000),
      RATE_LIMIT_UNAUTHENTICATED_REQUESTS: count(60),
    })
    .transform((env) => ({
      requests: env.RATE_LIMIT_REQUESTS,
      inboundRequests: env.RATE_LIMIT_INBOUND_REQUESTS,
      windowSeconds: env.RATE_LIMIT_WINDOW_SECONDS,
      unauthenticatedRequests: env.RATE_LIMIT_UNAUTHENTICATED_REQUESTS,
    })),
);

/** Prefixes of API keys: the one that is issued, and those that are still taken. */
export const keySettings = read(
  z
    .object({
      KEY_PREFIX: z.string().min(1).default("wharf"),
      EARLIER_KEY_PREFIXES: list("whf"),
    })
    .transform((env) => ({ prefix: env.KEY_PREFIX, earlierPrefixes: env.EARLIER_KEY_PREFIXES })),
);

/** Where user tokens come from, and which claims say whose they are. */
export const tokenSettings = read(
  z
    .object({
      OIDC_ISSUER: z.string().min(1),
      OIDC_AUDIENCE: z.string().min(1),
      OIDC_JWKS_URL: z.url().optional(),
      OIDC_ORGANIZATION_CLAIM: z.string().min(1).default("org_id"),
      OIDC_ROLE_CLAIM: z.string().min(1).default("role"),
    })
    .transform((env) => ({
      issuer: env.OIDC_ISSUER,
      audience: env.OIDC_AUDIENCE,
      jwksUrl: env.OIDC_JWKS_URL ?? `${env.OIDC_ISSUER.replace(/\/$/, "")}/.well-known/jwks.json`,
      organizationClaim: env.OIDC_ORGANIZATION_CLAIM,
      roleClaim: env.OIDC_ROLE_CLAIM,
    })),
);
export type TokenSettings = ReturnType<typeof tokenSettings>;

/** Whether tools may call private addresses: local work and tests only. */
export const outgoingSettings = read(
  z
    .object({ ALLOW_PRIVATE_ADDRESSES: z.stringbool().default(false) })
    .transform((env) => ({ allowPrivateAddresses: env.ALLOW_PRIVATE_ADDRESSES })),
);

/** Where the OpenID metadata of the Bot Framework is, whose tokens vouch for messages from Teams. */
export const botFrameworkOpenIdUrl = read(
  z
    .object({
      BOT_FRAMEWORK_OPENID_URL: z
        .url()
        .default("https://login.botframework.com/v1/.well-known/openidconfiguration"),
    })
    .transform((env) => env.BOT_FRAMEWORK_OPENID_URL),
);

/** Models of Bedrock that may be called: ids, or their beginnings with a `*` behind. */
export const bedrockModels = read(
  z.object({ BEDROCK_MODELS: list("*") }).transform((env) => env.BEDROCK_MODELS),
);

/** Whom alerts by mail come from; undefined where none are sent. */
export const alertEmailFrom = read(
  z
    .object({ ALERT_EMAIL_FROM: z.string().optional() })
    .transform((env) => env.ALERT_EMAIL_FROM || undefined),
);

/** File with the deployment's own prices of models, absolute; undefined for none. */
export const modelPricesFile = read(
  z
    .object({ MODEL_PRICES: z.string().optional(), LAMBDA_TASK_ROOT: z.string().optional() })
    .transform(({ MODEL_PRICES, LAMBDA_TASK_ROOT }) =>
      MODEL_PRICES ? resolve(LAMBDA_TASK_ROOT ?? "", MODEL_PRICES) : undefined,
    ),
);

/** How assets are cut into chunks, in tokens. */
export const chunkSettings = read(
  z
    .object({
      CHUNK_TOKENS: count(512),
      CHUNK_OVERLAP_TOKENS: z.coerce.number().int().min(0).default(64),
    })
    .refine((env) => env.CHUNK_OVERLAP_TOKENS < env.CHUNK_TOKENS, {
      error: "CHUNK_OVERLAP_TOKENS must be less than CHUNK_TOKENS",
    })
    .transform((env) => ({ size: env.CHUNK_TOKENS, overlap: env.CHUNK_OVERLAP_TOKENS })),
);

/**
 * Where the APIs of asset sources are that have one address for everybody, undefined for their own, and the
 * OAuth client that the refresh tokens for Google Drive were made for.
 */
export const sourceSettings = read(
  z
    .object({
      SOURCE_URL_GITHUB: z.url().optional(),
      SOURCE_URL_NOTION: z.url().optional(),
      SOURCE_URL_ZENDESK: z.string().min(1).optional(),
      SOURCE_URL_GOOGLE_DRIVE: z.url().optional(),
      SOURCE_URL_GOOGLE_TOKEN: z.url().optional(),
      GOOGLE_CLIENT_ID: z.string().optional(),
      GOOGLE_CLIENT_SECRET: z.string().optional(),
    })
    .transform((env) => ({
      githubUrl: env.SOURCE_URL_GITHUB,
      notionUrl: env.SOURCE_URL_NOTION,
      zendeskUrl: env.SOURCE_URL_ZENDESK,
      googleDriveUrl: env.SOURCE_URL_GOOGLE_DRIVE,
      googleTokenUrl: env.SOURCE_URL_GOOGLE_TOKEN,
      googleClientId: env.GOOGLE_CLIENT_ID,
      googleClientSecret: env.GOOGLE_CLIENT_SECRET,
    })),
);
export type SourceSettings = ReturnType<typeof sourceSettings>;
