import { resolve } from "node:path";
import * as z from "zod";
import { resourceVariables } from "./resource-variables.ts";

/** Returns the reader of settings, which are parsed on first use. The only file that reads `process.env`. */
export const readEnvironment = <Schema extends z.ZodType>(
  schema: Schema,
): (() => z.output<Schema>) => {
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

/** Returns the reader of a required variable. */
export const readVariable = (name: string): (() => string) => {
  const get = readEnvironment(z.object({ [name]: z.string().min(1) }));
  return () => get()[name] ?? "";
};

/** Name of the table. */
export const tableName = readVariable(resourceVariables.table);
/** Name of the bucket for large values. */
export const bucketName = readVariable(resourceVariables.bucket);
/** ARN of the vector bucket of knowledge. */
export const vectorBucketArn = readVariable(resourceVariables.vectorBucket);
/** Id of the KMS key that encrypts secrets. */
export const sealKeyId = readVariable(resourceVariables.sealKey);

/** EventBridge Scheduler's group, execution role and target queue. */
export const scheduleSettings = readEnvironment(
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

/** Maximum concurrent calls of a function for one tenant; undefined for the row's own limit. */
export const tenantConcurrency = readEnvironment(
  z
    .object({ TENANT_CONCURRENCY: z.coerce.number().int().min(1).optional() })
    .transform((env) => env.TENANT_CONCURRENCY),
);

/** Namespace of the metrics; a deployment sets its prefix, so that installations of an account have their own. */
export const metricsNamespace = readEnvironment(
  z
    .object({ [resourceVariables.metricsNamespace]: z.string().min(1).default("Wharf") })
    .transform((env) => env[resourceVariables.metricsNamespace] ?? ""),
);

/** Timeout of one attempt at a call to an AWS service, in milliseconds. */
export const callTimeoutMs = readEnvironment(
  z.object({ AWS_CALL_TIMEOUT_MS: count(4_000) }).transform((env) => env.AWS_CALL_TIMEOUT_MS),
);

const MethodsByVerb = z.record(z.string(), z.array(z.string()));

/** Methods by verb at the function's gateway resource, for the `Allow` header. */
export const resourceMethods = readEnvironment(
  z
    .object({ [resourceVariables.resourceMethods]: z.string().default("{}") })
    .transform((env) =>
      MethodsByVerb.parse(JSON.parse(env[resourceVariables.resourceMethods] ?? "{}")),
    ),
);

/** Rate limits: requests per window, and the window's length. */
export const rateLimitSettings = readEnvironment(
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

/** Prefixes of API keys: of new ones, and earlier ones that are still accepted. */
export const keySettings = readEnvironment(
  z
    .object({
      KEY_PREFIX: z.string().min(1).default("wharf"),
      EARLIER_KEY_PREFIXES: list("whf"),
    })
    .transform((env) => ({ prefix: env.KEY_PREFIX, earlierPrefixes: env.EARLIER_KEY_PREFIXES })),
);

/** Active API keys that an organization may have. */
export const maxActiveKeys = readEnvironment(
  z.object({ MAX_API_KEYS: count(1_000) }).transform((env) => env.MAX_API_KEYS),
);

/** GiB of files that a tenant may store on a day. */
export const maxFileGigabytesPerDay = readEnvironment(
  z
    .object({ MAX_FILE_GIGABYTES_PER_DAY: count(100) })
    .transform((env) => env.MAX_FILE_GIGABYTES_PER_DAY),
);

/** Public base URL of the API, which wins over the address of a request; undefined when it is not declared. */
export const publicUrl = readEnvironment(
  z.object({ PUBLIC_URL: z.url().optional() }).transform((env) => env.PUBLIC_URL),
);

/** Base URL of the console, with a slash at the end; null without a console, undefined when it is below that of the request. */
export const consoleUrl = readEnvironment(
  z
    .object({ CONSOLE_URL: z.union([z.literal("none"), z.url()]).optional() })
    .transform(({ CONSOLE_URL: url }) => (url === "none" ? null : url)),
);

/** Secret by which the distribution identifies itself; undefined without a distribution. */
export const originSecret = readEnvironment(
  z
    .object({ [resourceVariables.originSecret]: z.string().min(1).optional() })
    .transform((env) => env[resourceVariables.originSecret]),
);

/** Reads the names of audiences; "none" for none. */
export const readAudiences = (names: string): string[] =>
  names === "none" ? [] : names.split(",").flatMap((name) => name.trim() || []);

/** Authorization server of user tokens; `same-origin` for the one of the local product, next to the API. */
export const authorizationServer = readVariable("AUTHORIZATION_SERVER");

/** OpenID Connect settings: issuer, audience, and the claims for organization and role. */
export const tokenSettings = readEnvironment(
  z
    .object({
      OIDC_ISSUER: z.string().min(1),
      OIDC_AUDIENCE: z.string().min(1),
      OIDC_JWKS_URL: z.url().optional(),
      OIDC_ORGANIZATION_CLAIM: z.string().min(1).default("org_id"),
      OIDC_ROLE_CLAIM: z.string().min(1).default("role"),
      MCP_AUDIENCES: z.string().min(1).optional(),
    })
    .transform((env) => ({
      issuer: env.OIDC_ISSUER,
      audience: env.OIDC_AUDIENCE,
      // Those that an MCP server accepts in addition to its own URL.
      resourceAudiences: readAudiences(env.MCP_AUDIENCES ?? env.OIDC_AUDIENCE),
      jwksUrl: env.OIDC_JWKS_URL ?? `${env.OIDC_ISSUER.replace(/\/$/, "")}/.well-known/jwks.json`,
      organizationClaim: env.OIDC_ORGANIZATION_CLAIM,
      roleClaim: env.OIDC_ROLE_CLAIM,
    })),
);
export type TokenSettings = ReturnType<typeof tokenSettings>;

/** Whether outgoing calls may reach private addresses; for local development and tests only. */
export const outgoingSettings = readEnvironment(
  z
    .object({ ALLOW_PRIVATE_ADDRESSES: z.stringbool().default(false) })
    .transform((env) => ({ allowPrivateAddresses: env.ALLOW_PRIVATE_ADDRESSES })),
);

/** URL of the Bot Framework's OpenID metadata, which verifies messages from Teams. */
export const botFrameworkOpenIdUrl = readEnvironment(
  z
    .object({
      BOT_FRAMEWORK_OPENID_URL: z
        .url()
        .default("https://login.botframework.com/v1/.well-known/openidconfiguration"),
    })
    .transform((env) => env.BOT_FRAMEWORK_OPENID_URL),
);

/** Allowed Bedrock models: ids, or prefixes that end with `*`. */
export const bedrockModels = readEnvironment(
  z.object({ BEDROCK_MODELS: list("*") }).transform((env) => env.BEDROCK_MODELS),
);

/** Region of the function; undefined outside of AWS. */
export const awsRegion = readEnvironment(
  z.object({ AWS_REGION: z.string().optional() }).transform((env) => env.AWS_REGION || undefined),
);

/** Credentials of the function's role; undefined outside of AWS. */
export const awsCredentials = readEnvironment(
  z
    .object({
      AWS_ACCESS_KEY_ID: z.string().optional(),
      AWS_SECRET_ACCESS_KEY: z.string().optional(),
      AWS_SESSION_TOKEN: z.string().optional(),
    })
    .transform(
      ({
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_SESSION_TOKEN: sessionToken,
      }) =>
        accessKeyId && secretAccessKey
          ? { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined }
          : undefined,
    ),
);

/** Sender of alert mails; undefined when mail is disabled. */
export const alertEmailFrom = readEnvironment(
  z
    .object({ ALERT_EMAIL_FROM: z.string().optional() })
    .transform((env) => env.ALERT_EMAIL_FROM || undefined),
);

/** Absolute path of the deployment's price list of models; undefined for none. */
export const modelPricesFile = readEnvironment(
  z
    .object({ MODEL_PRICES: z.string().optional(), LAMBDA_TASK_ROOT: z.string().optional() })
    .transform(({ MODEL_PRICES, LAMBDA_TASK_ROOT }) =>
      MODEL_PRICES ? resolve(LAMBDA_TASK_ROOT ?? "", MODEL_PRICES) : undefined,
    ),
);

/** Size and overlap of an asset's chunks, in tokens. */
export const chunkSettings = readEnvironment(
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
