import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import { ProviderApiError } from "../../../platform/outgoing/provider-api-error.ts";
import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import type { RegistrationTarget } from "../../registrar.ts";

/** Returns the config's base URL without a trailing slash, or `fallback`. */
export const resolveBaseUrl = <Fallback extends string | undefined>(
  { config }: RegistrationTarget,
  fallback: Fallback,
): string | Fallback => {
  const { baseUrl } = config.parameters;
  if (baseUrl === undefined || baseUrl === null || baseUrl === "") return fallback;
  if (typeof baseUrl !== "string" || !parseAddress(baseUrl)) {
    throw new ProviderApiError("The integration config's baseUrl is not a URL.");
  }
  return trimSlashes(baseUrl);
};

/** Returns the first of these credentials that the config has. */
export const findCredential = (
  { config }: RegistrationTarget,
  names: readonly string[],
): { name: string; value: string } | undefined => {
  const name = names.find(
    (candidate) => Object.hasOwn(config.auth, candidate) && config.auth[candidate] !== "",
  );
  return name === undefined ? undefined : { name, value: config.auth[name] ?? "" };
};

/** Returns the first of these credentials; throws when the config has none. */
export const requireCredential = (
  target: RegistrationTarget,
  names: readonly string[],
): { name: string; value: string } => {
  const found = findCredential(target, names);
  if (found) return found;
  throw new ProviderApiError(`The integration config has no ${names.join(" or ")}.`);
};

/** Returns the names in a comma-separated filter; none without a filter or for `*`. */
export const splitFilter = (filter: string | null): string[] => {
  const names = (filter ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => name !== "" && name !== "*");
};

/** Returns the signing secret; throws without one, since no delivery could be verified. */
export const requireSecret = ({ secret }: { secret: string | null }): string => {
  if (secret !== null) return secret;
  throw new ProviderApiError("The webhook has no signing secret.");
};
