import * as z from "zod";
import { CommandError } from "./command.ts";

const whole = (fallback: number, description: string) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, "a whole number from 1 to 999999999")
    .default(String(fallback))
    .transform(Number)
    .describe(description);

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
const text = (description: string) =>
  z.string().min(1, "not empty").optional().describe(description);
const webAddress = (description: string) =>
  z
    .url({ protocol: /^https?$/, error: "an http or https URL" })
    .optional()
    .describe(description);

const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288,
  3653,
] as const;

const Settings = z.object({
  RATE_LIMIT_REQUESTS: whole(600, "Requests that a key or user may make in one window."),
  RATE_LIMIT_WINDOW_SECONDS: whole(60, "Length of the rate-limit window, in seconds."),
  RATE_LIMIT_INBOUND_REQUESTS: whole(6000, "Inbound deliveries that a key may make in one window."),
  RATE_LIMIT_UNAUTHENTICATED_REQUESTS: whole(
    60,
    "Calls with failing credentials that an address may make in one window.",
  ),
  QUEUE_CONCURRENCY: concurrency(
    2,
    "Functions that work on a queue at a time, at most; by default each queue has its own bound.",
  ),
  TENANT_CONCURRENCY: concurrency(
    1,
    "Those of them that work for one tenant at a time; by default each queue has its own bound.",
  ),
  KEY_PREFIX: z
    .string()
    .regex(prefix, "2 to 16 lower-case letters and digits, a letter first")
    .default("wharf")
    .describe("Prefix of the API keys that are issued."),
  EARLIER_KEY_PREFIXES: z
    .string()
    .default("whf")
    .transform((list) =>
      list
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    )
    .refine(
      (list) => list.every((each) => prefix.test(each)),
      "prefixes of 2 to 16 lower-case letters and digits with commas between, or empty",
    )
    .describe("Earlier prefixes whose keys are still taken, with commas between."),
  OIDC_ISSUER: webAddress(
    "Issuer of user tokens. Without it, the stack makes a Cognito user pool.",
  ),
  OIDC_AUDIENCE: z
    .string()
    .min(1, "not empty")
    .optional()
    .describe("Audience of user tokens; needed with OIDC_ISSUER."),
  OIDC_JWKS_URL: webAddress(
    "The issuer's keys; by default /.well-known/jwks.json below the issuer.",
  ),
  OIDC_ORGANIZATION_CLAIM: name(
    "Claim with the user's organization; by default org_id, custom:org_id with the Cognito user pool.",
  ),
  OIDC_ROLE_CLAIM: name(
    "Claim with the user's role; by default role, custom:role with the Cognito user pool.",
  ),
  ALLOW_PRIVATE_ADDRESSES: z
    .enum(["true", "false"], "true or false")
    .default("false")
    .transform((flag) => flag === "true")
    .describe("Lets flows and sources call private addresses. Local work and tests only."),
  MODEL_PRICES: z
    .string()
    .min(1, "not empty")
    .optional()
    .describe("Path of a JSON file with prices of models, which go before the built-in list."),
  BEDROCK_MODELS: z
    .string()
    .default("*")
    .transform((list) => list.split(",").map((each) => each.trim()))
    .refine(
      (list) => list.every((each) => each === "*" || bedrockModel.test(each)),
      "ids or ARNs of models with commas between; a * at the end of one stands for anything",
    )
    .describe(
      "Models of Bedrock that may be called: ids or ARNs, with commas between; * at the end of one stands for anything.",
    ),
  CHUNK_TOKENS: whole(512, "Tokens of a chunk, by which estimates of assets count."),
  CHUNK_OVERLAP_TOKENS: whole(
    64,
    "Tokens that a chunk shares with the one before; fewer than it has.",
  ),
  GOOGLE_CLIENT_ID: text("OAuth client for which the refresh tokens of Google Drive were made."),
  GOOGLE_CLIENT_SECRET: text("The secret of that OAuth client."),
  SOURCE_URL_GITHUB: webAddress("API of GitHub, in place of its own."),
  SOURCE_URL_NOTION: webAddress("API of Notion, in place of its own."),
  SOURCE_URL_ZENDESK: text(
    "API of Zendesk, in place of its own; {subdomain} stands for a subdomain.",
  ),
  SOURCE_URL_GOOGLE_DRIVE: webAddress("API of Google Drive, in place of its own."),
  SOURCE_URL_GOOGLE_TOKEN: webAddress("Where Google's access tokens are got, in place of its own."),
  BOT_FRAMEWORK_OPENID_URL: webAddress(
    "OpenID metadata of the Bot Framework, whose tokens vouch for messages from Teams; by default Microsoft's.",
  ),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], "debug, info, warn or error")
    .default("info")
    .describe("How much the functions log."),
  LOG_RETENTION_DAYS: z
    .enum(retentionDays.map(String), `one of ${retentionDays.join(", ")}`)
    .default("30")
    .transform(Number)
    .describe("How long logs are kept, in days."),
  STACK_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, "1 to 16 letters and digits, a letter first")
    .default("Wharf")
    .describe("What the names of the stacks, functions and queues begin with."),
  ALARM_EMAIL: z
    .email("an e-mail address")
    .optional()
    .describe("Where alarms are sent; without it the topic has no subscriber yet."),
  ALERT_EMAIL_FROM: z
    .email("an e-mail address")
    .optional()
    .describe("Whom alerts by mail come from, an identity of SES; without it none are sent."),
});

/** The settings of a deployment, checked; named as in the environment. */
export type Config = z.output<typeof Settings>;

/** One line of the list of settings. `fallback` is undefined where there is no fixed default. */
export type SettingRow = { name: string; fallback: string | undefined; description: string };

/** Every setting with its default and what it does, in the order in which they are explained. */
export const settingRows: readonly SettingRow[] = Object.entries(Settings.shape).map(
  ([name, schema]) => {
    const fallback = schema.parse(undefined);
    return {
      name,
      fallback: fallback === undefined ? undefined : String(fallback),
      description: schema.description ?? "",
    };
  },
);

/** Settings that do not fit: one line for each, naming it and what is allowed. */
export class ConfigError extends CommandError {
  override name = "ConfigError";
}

/** Reads the settings from an environment; an empty variable counts as unset. Throws a ConfigError. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.entries(environment).filter(
    ([name, value]) => name in Settings.shape && (value !== "" || name === "EARLIER_KEY_PREFIXES"),
  );
  const parsed = Settings.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      return `${name} must be ${message}, not ${JSON.stringify(environment[name])}.`;
    });
    throw new ConfigError([...new Set(lines)].join("\n"));
  }
  const config = parsed.data;
  if (config.CHUNK_OVERLAP_TOKENS >= config.CHUNK_TOKENS) {
    throw new ConfigError("CHUNK_OVERLAP_TOKENS must be less than CHUNK_TOKENS.");
  }
  if (config.OIDC_ISSUER !== undefined && config.OIDC_AUDIENCE === undefined) {
    throw new ConfigError("OIDC_AUDIENCE must be set when OIDC_ISSUER is.");
  }
  return config;
};

/** Refuses what is for local work alone; throws a ConfigError. */
export const requireDeployable = (config: Config): void => {
  if (config.ALLOW_PRIVATE_ADDRESSES) {
    throw new ConfigError(
      "ALLOW_PRIVATE_ADDRESSES must be false on AWS: it would open the account's own network to every flow. It is for local work and tests only.",
    );
  }
  for (const name of ["OIDC_ISSUER", "OIDC_JWKS_URL"] as const) {
    if (config[name]?.startsWith("http:")) {
      throw new ConfigError(
        `${name} must be an https URL on AWS, not ${JSON.stringify(config[name])}.`,
      );
    }
  }
};
