import { resourceVariables } from "../../lib/platform/runtime/resource-variables.ts";
import type { Config } from "../settings/config.ts";
import { metricsNamespace } from "../settings/names.ts";
import { deriveFunctionConsoleUrl, derivePublicUrl } from "../settings/public-url.ts";
import type { TokenIssuer } from "../settings/token-issuer.ts";
import { secretSettings, valueSettings } from "../settings/vendor-secrets.ts";

/** Returns the settings in the environment of every function. */
export const settingsEnvironment = (config: Config): Record<string, string> => ({
  [resourceVariables.metricsNamespace]: metricsNamespace(config.STACK_PREFIX),
  RATE_LIMIT_REQUESTS: String(config.RATE_LIMIT_REQUESTS),
  RATE_LIMIT_WINDOW_SECONDS: String(config.RATE_LIMIT_WINDOW_SECONDS),
  RATE_LIMIT_INBOUND_REQUESTS: String(config.RATE_LIMIT_INBOUND_REQUESTS),
  RATE_LIMIT_UNAUTHENTICATED_REQUESTS: String(config.RATE_LIMIT_UNAUTHENTICATED_REQUESTS),
  MAX_API_KEYS: String(config.MAX_API_KEYS),
  MAX_FILE_GIGABYTES_PER_DAY: String(config.MAX_FILE_GIGABYTES_PER_DAY),
  AWS_CALL_TIMEOUT_MS: String(config.AWS_CALL_TIMEOUT_MS),
  KEY_PREFIX: config.KEY_PREFIX,
  EARLIER_KEY_PREFIXES: config.EARLIER_KEY_PREFIXES.join(","),
  BEDROCK_MODELS: config.BEDROCK_MODELS.join(","),
  ALLOW_PRIVATE_ADDRESSES: String(config.ALLOW_PRIVATE_ADDRESSES),
  ...given(config, ["BOT_FRAMEWORK_OPENID_URL", "MCP_AUDIENCES"]),
  ...given({ PUBLIC_URL: derivePublicUrl(config) }, ["PUBLIC_URL"]),
  ...given({ CONSOLE_URL: deriveFunctionConsoleUrl(config) }, ["CONSOLE_URL"]),
});

/**
 * Returns the settings of functions that read asset sources. CloudFormation replaces the reference to a secret when it
 * deploys, and Lambda encrypts the environment at rest.
 */
export const sourceEnvironment = (config: Config): Record<string, string> => ({
  CHUNK_TOKENS: String(config.CHUNK_TOKENS),
  CHUNK_OVERLAP_TOKENS: String(config.CHUNK_OVERLAP_TOKENS),
  ...Object.fromEntries(
    secretSettings.flatMap(({ name, value }) =>
      config[name] === undefined ? [] : [[value, `{{resolve:secretsmanager:${config[name]}}}`]],
    ),
  ),
  ...given(config, valueSettings),
});

const given = (config: Partial<Config>, names: readonly (keyof Config)[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (config[name] === undefined ? [] : [[name, String(config[name])]])),
  );

/** Returns the settings of functions that verify user tokens. */
export const tokenEnvironment = (tokens: TokenIssuer): Record<string, string> => ({
  OIDC_ISSUER: tokens.issuer,
  OIDC_AUDIENCE: tokens.audience,
  ...(tokens.jwksUrl !== undefined && { OIDC_JWKS_URL: tokens.jwksUrl }),
  OIDC_ORGANIZATION_CLAIM: tokens.organizationClaim,
  OIDC_ROLE_CLAIM: tokens.roleClaim,
});

/** Returns the setting of functions that name the issuer of user tokens. */
export const issuerEnvironment = ({ issuer }: TokenIssuer): Record<string, string> => ({
  AUTHORIZATION_SERVER: issuer,
});
