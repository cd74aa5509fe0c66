import type { Config } from "./config.ts";
import { stageName } from "./names.ts";

/** Returns the declared public base URL of the API; undefined when addresses follow each request. */
export const derivePublicUrl = ({
  PUBLIC_URL,
  DOMAIN_NAME,
}: Pick<Config, "PUBLIC_URL" | "DOMAIN_NAME">): string | undefined =>
  PUBLIC_URL ?? (DOMAIN_NAME && `https://${DOMAIN_NAME}`);

/**
 * Returns the console's base URL with a slash at the end; undefined when it is not known before the deployment. A custom
 * domain is that of the API alone.
 */
export const deriveConsoleUrl = ({
  CONSOLE_URL,
  PUBLIC_URL,
}: Pick<Config, "CONSOLE_URL" | "PUBLIC_URL">): string | undefined =>
  CONSOLE_URL ?? (PUBLIC_URL && `${PUBLIC_URL}/console/`);

/**
 * Returns the console's base URL as functions need it: "none" where there is no console, or none that is known, and undefined
 * where it is below the address of each request.
 */
export const deriveFunctionConsoleUrl = (
  config: Pick<Config, "CONSOLE_STACK" | "CONSOLE_URL" | "DOMAIN_NAME" | "PUBLIC_URL">,
): string | undefined => {
  if (config.CONSOLE_URL !== undefined) return config.CONSOLE_URL;
  if (!config.CONSOLE_STACK) return "none";
  return deriveConsoleUrl(config) ?? (derivePublicUrl(config) && "none");
};

/**
 * Returns the origin of the console, which passes calls of the API on, as the public base URL of an API that declares no
 * other; undefined when it is not known.
 */
export const deriveDistributionUrl = (config: Config): string | undefined =>
  config.CONSOLE_URL === undefined || derivePublicUrl(config) !== undefined
    ? undefined
    : new URL(config.CONSOLE_URL).origin;

/**
 * Returns the path of the API's public base URL, for responses that the gateway makes without a function: that of the
 * declared URL, or else the stage.
 */
export const derivePublicPath = (config: Config): string => {
  const url = derivePublicUrl(config) ?? deriveDistributionUrl(config);
  return url === undefined ? `/${stageName}` : new URL(url).pathname.replace(/\/$/, "");
};
