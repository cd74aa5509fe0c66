import * as z from "zod";
import { vendorSettings } from "../../lib/vendors/registry/settings.ts";
import { addressSetting, textSetting } from "../../lib/vendors/vendor-settings.ts";

const whole = (fallback: number, description: string) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, "a whole number from 1 to 999999999")
    .default(String(fallback))
    .transform(Number)
    .describe(description);

/** Least `ACCOUNT_CONCURRENCY`: half of it gives each queue the two functions that Lambda requires. */
export const leastAccountConcurrency = 56;
const accountConcurrencyRange = `a whole number from ${leastAccountConcurrency} to 999999`;

const bedrockModel = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,2047}\*?$/;
const concurrency = (least: number, description: string) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, `a whole number from ${least} to 1000`)
    .transform(Number)
    .refine((value) => value >= least && value <= 1_000, `a whole number from ${least} to 1000`)
    .optional()
    .describe(description);

const prefix = /^[a-z][a-z0-9]{1,15}$/;
const name = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_:./-]{1,128}$/, "a claim's name")
    .optional()
    .describe(description);

const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
  3653,
] as const;

/** Settings of a deployment, environment variables: allowed values, default and description. */
export const Settings = z.object({
  RATE_LIMIT_REQUESTS: whole(600, "Requests allowed per key or user and window."),
  RATE_LIMIT_WINDOW_SECONDS: whole(60, "Length of the rate-limit window, in seconds."),
  RATE_LIMIT_INBOUND_REQUESTS: whole(6000, "Inbound deliveries allowed per key and window."),
  RATE_LIMIT_UNAUTHENTICATED_REQUESTS: whole(
    60,
    "Calls with invalid credentials allowed per address and window.",
  ),
  MAX_REQUESTS_PER_MINUTE: z
    .string()
    .regex(/^[1-9][0-9]{1,8}$/, "a whole number from 10 to 999999999")
    .transform(Number)
    .optional()
    .describe(
      "Requests of all callers together and minute above which a web ACL of AWS WAF responds 429; by default there is no such limit.",
    ),
  WEB_ACL: z
    .enum(["true", "false"], "true or false")
    .default("false")
    .transform((value) => value === "true")
    .describe(
      "Whether a web ACL of AWS WAF limits the requests of each address and applies managed rules.",
    ),
  MAX_ADDRESS_REQUESTS_PER_MINUTE: z
    .string()
    .regex(/^[1-9][0-9]{1,7}$/, "a whole number from 10 to 99999999")
    .default("3000")
    .transform(Number)
    .describe(
      "Requests of an address and minute above which the web ACL of WEB_ACL responds 429; ten times as many inbound deliveries.",
    ),
  MAX_API_KEYS: whole(1000, "Active API keys allowed per organization."),
  MAX_FILE_GIGABYTES_PER_DAY: whole(100, "GiB of files that a tenant may store on a day (UTC)."),
  ACCOUNT_CONCURRENCY: z
    .string()
    .regex(/^[1-9][0-9]{0,5}$/, accountConcurrencyRange)
    .default("1000")
    .transform(Number)
    .refine((value) => value >= leastAccountConcurrency, accountConcurrencyRange)
    .describe(
      "Quota of concurrent functions of the account and region: half for the queues, a quarter for calls that run agents, an eighth for calls that wait for other systems.",
    ),
  QUEUE_CONCURRENCY: concurrency(
    2,
    "Maximum concurrent functions per queue; by default each queue has its own.",
  ),
  TENANT_CONCURRENCY: concurrency(
    1,
    "Maximum concurrent functions per tenant: of each queue, and of each operation that makes callers wait; by default each has its own.",
  ),
  AWS_CALL_TIMEOUT_MS: whole(
    4000,
    "Milliseconds without a response after which a call to DynamoDB is repeated; busy services are called again for twice as long.",
  ),
  KEY_PREFIX: z
    .string()
    .regex(prefix, "2 to 16 lower-case letters and digits, a letter first")
    .default("wharf")
    .describe("Prefix of issued API keys."),
  EARLIER_KEY_PREFIXES: z
    .string()
    .default("whf")
    .transform((list) =>
      list
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    )
    .refine(
      (list) => list.every((item) => prefix.test(item)),
      "comma-separated prefixes of 2 to 16 lower-case letters and digits, or empty",
    )
    .describe("Comma-separated earlier prefixes of keys that are still accepted."),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "an http or https URL" })
    .regex(/^[^?#@]*$/, "an http or https URL without user, query and fragment")
    .transform((url) => url.replace(/\/$/, ""))
    .optional()
    .describe("Public base URL of the API in all addresses; by default that of each request."),
  CONSOLE_URL: z
    .url({ protocol: /^https?$/, error: "an http or https URL" })
    .regex(/^[^?#@]*$/, "an http or https URL without user, query and fragment")
    .transform((url) => (url.endsWith("/") ? url : `${url}/`))
    .optional()
    .describe(
      "Base URL of the console, to which users return when they sign in; by default /console/ below PUBLIC_URL, or else at the distribution.",
    ),
  CONSOLE_STACK: z
    .enum(["true", "false"], "true or false")
    .default("true")
    .transform((value) => value === "true")
    .describe("Whether the console and its CloudFront distribution are deployed."),
  DOMAIN_NAME: z
    .hostname("a host name")
    .optional()
    .describe("Custom domain of the API, such as api.example.com; its URL is the public one."),
  DOMAIN_CERTIFICATE_ARN: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9A-Za-z-]+$/,
      "an ACM certificate's ARN",
    )
    .optional()
    .describe("Certificate of DOMAIN_NAME, in the region of the deployment."),
  DOMAIN_HOSTED_ZONE_ID: z
    .string()
    .regex(/^Z[0-9A-Z]{1,31}$/, "a hosted zone's ID")
    .optional()
    .describe("Route 53 zone in which the deployment creates the record of DOMAIN_NAME."),
  LOGIN_DOMAIN_PREFIX: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "1 to 63 lower-case letters, digits or dashes")
    .refine(
      (text) => !/aws|amazon|cognito/.test(text),
      "a text without aws, amazon and cognito, which Cognito refuses",
    )
    .optional()
    .describe(
      "Prefix of the domain of the Cognito sign-in page, unique in its region; by default wharf- and a part of the stack's ID.",
    ),
  RESTORED_TABLES: z
    .string()
    .transform((list) => list.split(",").map((part) => part.trim()))
    .pipe(
      z.array(z.string().regex(/^[A-Za-z0-9_.-]{3,255}$/, "names of tables, separated by commas")),
    )
    .optional()
    .describe(
      "Names of tables that were restored (docs/restore.md) and imported into the data stack, separated by commas, the newest last, which is used.",
    ),
  OIDC_ISSUER: addressSetting(
    "Issuer of user tokens. By default the stack creates a Cognito user pool.",
  ),
  OIDC_AUDIENCE: z
    .string()
    .min(1, "not empty")
    .optional()
    .describe("Audience of user tokens; required with OIDC_ISSUER."),
  OIDC_JWKS_URL: addressSetting(
    "JWKS URL of the issuer; by default /.well-known/jwks.json below the issuer.",
  ),
  OIDC_CLIENT_ID: textSetting(
    "Client ID of the console at OIDC_ISSUER, a public client with PKCE; by default OIDC_AUDIENCE.",
  ),
  OIDC_ORGANIZATION_CLAIM: name(
    "Claim with the user's organization; by default org_id, custom:org_id with the Cognito user pool.",
  ),
  OIDC_ROLE_CLAIM: name(
    "Claim with the user's role; by default role, custom:role with the Cognito user pool.",
  ),
  MCP_AUDIENCES: textSetting(
    "Audiences of user tokens that MCP servers accept in addition to their own URL, separated by commas, or none; by default OIDC_AUDIENCE, or the client of the Cognito user pool.",
  ),
  ALLOW_PRIVATE_ADDRESSES: z
    .enum(["true", "false"], "true or false")
    .default("false")
    .transform((flag) => flag === "true")
    .describe(
      "Allows flows and sources to call private addresses. For local development and tests only.",
    ),
  MODEL_PRICES: z
    .string()
    .min(1, "not empty")
    .optional()
    .describe("Path of a JSON file with model prices that override the built-in list."),
  BEDROCK_MODELS: z
    .string()
    .default("*")
    .transform((list) => list.split(",").map((part) => part.trim()))
    .refine(
      (list) => list.every((item) => item === "*" || bedrockModel.test(item)),
      "comma-separated model IDs or ARNs; a trailing * matches any suffix",
    )
    .describe(
      "Comma-separated IDs or ARNs of allowed Bedrock models; a trailing * matches any suffix.",
    ),
  CHUNK_TOKENS: whole(512, "Tokens per chunk of documents, and in estimates of assets."),
  CHUNK_OVERLAP_TOKENS: whole(64, "Tokens that consecutive chunks share; less than CHUNK_TOKENS."),
  ...vendorSettings,
  BOT_FRAMEWORK_OPENID_URL: addressSetting(
    "OpenID metadata of the Bot Framework, which signs the tokens of messages from Teams; by default Microsoft's.",
  ),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], "debug, info, warn or error")
    .default("info")
    .describe("Log level of the functions."),
  LOG_RETENTION_DAYS: z
    .enum(retentionDays.map(String), `one of ${retentionDays.join(", ")}`)
    .default("30")
    .transform(Number)
    .describe("Retention of logs, in days."),
  STACK_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, "1 to 16 letters and digits, a letter first")
    .default("Wharf")
    .describe("Prefix of the names of stacks, functions and queues."),
  ALARM_EMAIL: z
    .email("an e-mail address")
    .optional()
    .describe("E-mail address that alarms are sent to; by default the topic has no subscriber."),
  ALERT_EMAIL_FROM: z
    .email("an e-mail address")
    .optional()
    .describe("Sender of alert mail, an SES identity; without it no mail is sent."),
});
