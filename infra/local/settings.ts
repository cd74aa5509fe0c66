import { isIP } from "node:net";
import * as z from "zod";
import { readModelPrices } from "../functions/model-prices.ts";
import { type Config, ConfigError, readConfig } from "../settings/config.ts";
import { localAudience, localIssuer } from "./issuer.ts";
import { StopError } from "./stop-error.ts";

const Local = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "a port from 0 to 65535; 0 selects a free port")
    .default("8787")
    .transform(Number)
    .refine((port) => port <= 65_535, "a port from 0 to 65535; 0 selects a free port"),
  HOST: z.string().min(1).default("127.0.0.1"),
  WHARF_DATA_DIR: z.string().min(1).default(".wharf"),
  DYNAMODB_ENDPOINT: z.url({ protocol: /^http$/, error: "an http URL" }).optional(),
});

/** Settings of the local stack, including those of every deployment. */
export type LocalSettings = {
  port: number;
  host: string;
  dataDirectory: string;
  /** Endpoint of a running DynamoDB; by default the stack starts its own engine. */
  dynamodbEndpoint: string | undefined;
  /** Whether user tokens come from the local issuer. */
  ownIssuer: boolean;
  config: Config;
};

/**
 * Placeholder in the templates for the URL of the local keys, because their port is chosen at
 * start.
 */
const placeholderJwksUrl = "http://127.0.0.1/.well-known/jwks.json";

/** Reads the settings. Throws a StopError that names each invalid one and its allowed values. */
export const readLocalSettings = (
  environment: Readonly<Record<string, string | undefined>>,
): LocalSettings => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const local = Local.safeParse(given);
  if (!local.success) {
    throw new StopError(
      local.error.issues
        .map(
          ({ path: [name = ""], message }) =>
            `${String(name)} must be ${message}, not ${JSON.stringify(given[String(name)])}.`,
        )
        .join(" "),
    );
  }
  const { PORT, HOST, WHARF_DATA_DIR, DYNAMODB_ENDPOINT } = local.data;
  const ownIssuer = given.OIDC_ISSUER === undefined;
  const issuer = {
    OIDC_ISSUER: localIssuer,
    OIDC_AUDIENCE: localAudience,
    OIDC_JWKS_URL: placeholderJwksUrl,
  };
  return {
    port: PORT,
    host: HOST,
    dataDirectory: WHARF_DATA_DIR,
    dynamodbEndpoint: DYNAMODB_ENDPOINT,
    ownIssuer,
    config: readConfigHere({
      ...environment,
      AWS_CALL_TIMEOUT_MS: given.AWS_CALL_TIMEOUT_MS ?? localCallTimeoutMs,
      ALERT_EMAIL_FROM: given.ALERT_EMAIL_FROM ?? localMailFrom,
      ...(ownIssuer && issuer),
    }),
  };
};

/** Functions and storage share one machine, on which a burst of requests waits for the processor, not for a network. */
const localCallTimeoutMs = "20000";
/** Default sender of alert mail, which the local SES writes to files. */
const localMailFrom = "alerts@wharf.localhost";

const readConfigHere = (environment: Readonly<Record<string, string | undefined>>): Config => {
  try {
    const config = readConfig(environment);
    readModelPrices(config);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) throw new StopError(error.message.replaceAll("\n", " "));
    throw error;
  }
};

/** Returns the gateway's base URL for clients on this machine. */
export const buildBaseUrl = (host: string, port: number): string => {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`;
};
