import type * as z from "zod";
import { CommandError } from "../shell/command.ts";
import { Settings } from "./settings.ts";
import { secretSettings } from "./vendor-secrets.ts";

/** Validated settings of a deployment, by environment variable. */
export type Config = z.output<typeof Settings>;

/** A row of the settings table. `fallback` is undefined without a fixed default. */
export type SettingRow = { name: string; fallback: string | undefined; description: string };

/** All settings with default and description, in the order of docs/settings.md. */
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

/** Invalid settings; the message has one line per setting with its allowed values. */
export class ConfigError extends CommandError {
  override name = "ConfigError";
}

/** Parses settings from environment variables; an empty variable is unset. Throws a ConfigError. */
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
  if (config.DOMAIN_NAME !== undefined && config.DOMAIN_CERTIFICATE_ARN === undefined) {
    throw new ConfigError("DOMAIN_CERTIFICATE_ARN must be set when DOMAIN_NAME is.");
  }
  return config;
};

/** Throws a ConfigError for settings that only local development allows. */
export const requireDeployable = (config: Config): void => {
  if (config.ALLOW_PRIVATE_ADDRESSES) {
    throw new ConfigError(
      "ALLOW_PRIVATE_ADDRESSES must be false on AWS: it would allow every flow to call the account's network. It is for local development and tests only.",
    );
  }
  for (const { name, value } of secretSettings) {
    if (config[value] === undefined) continue;
    throw new ConfigError(
      `${value} is for the local stack: on AWS it would be in the templates. Create a secret in Secrets Manager, and set ${name} to its name.`,
    );
  }
  for (const name of ["OIDC_ISSUER", "OIDC_JWKS_URL", "PUBLIC_URL", "CONSOLE_URL"] as const) {
    if (config[name]?.startsWith("http:")) {
      throw new ConfigError(
        `${name} must be an https URL on AWS, not ${JSON.stringify(config[name])}.`,
      );
    }
  }
};
