import type { Config } from "./config.ts";
import { stageName } from "./names.ts";

/** Returns the declared public base URL of the API; undefined when addresses follow each request. */
export const publicUrlOf = ({
  PUBLIC_URL,
  DOMAIN_NAME,
}: Pick<Config, "PUBLIC_URL" | "DOMAIN_NAME">): string | undefined =>
  PUBLIC_URL ?? (DOMAIN_NAME && `https://${DOMAIN_NAME}`);

/** Returns the console's base URL with a slash at the end; undefined when it is not known before the deployment. */
export const consoleUrlOf = (config: Config): string | undefined => {
  const url = publicUrlOf(config);
  return config.CONSOLE_URL ?? (url && `${url}/console/`);
};

/**
 * Returns the path of the API's public base URL, for responses that the gateway makes without a function: that of the
 * declared URL, or else the stage.
 */
export const publicPathOf = (config: Config): string => {
  const url = publicUrlOf(config);
  return url === undefined ? `/${stageName}` : new URL(url).pathname.replace(/\/$/, "");
};
