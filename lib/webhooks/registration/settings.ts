import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { RegistrationError } from "../../platform/outgoing/registration-error.ts";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import type { Target } from "./registrar.ts";

/** Where the config says that the API is, without a slash at its end; `fallback` when it does not. */
export const baseUrlOf = <Fallback extends string | undefined>(
  { config }: Target,
  fallback: Fallback,
): string | Fallback => {
  const { baseUrl } = config.parameters;
  if (baseUrl === undefined || baseUrl === null || baseUrl === "") return fallback;
  if (typeof baseUrl !== "string" || !parseAddress(baseUrl)) {
    throw new RegistrationError("The integration config's baseUrl is not a URL.");
  }
  return trimSlashes(baseUrl);
};

/** The first of these credentials that the config has. */
export const findCredential = (
  { config }: Target,
  names: readonly string[],
): { name: string; value: string } | undefined => {
  const name = names.find((each) => Object.hasOwn(config.auth, each) && config.auth[each] !== "");
  return name === undefined ? undefined : { name, value: config.auth[name] ?? "" };
};

/** The same; throws when it has none of them. */
export const credentialOf = (
  target: Target,
  names: readonly string[],
): { name: string; value: string } => {
  const found = findCredential(target, names);
  if (found) return found;
  throw new RegistrationError(`The integration config has no ${names.join(" or ")}.`);
};

/** The names in a comma-separated filter; none when there is no filter, or it is `*`. */
export const namesIn = (filter: string | null): string[] => {
  const names = (filter ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => name !== "" && name !== "*");
};

/** The secret that deliveries are signed with; without one, none of them could be trusted. */
export const secretOf = ({ secret }: { secret: string | null }): string => {
  if (secret !== null) return secret;
  throw new RegistrationError("The webhook has no signing secret.");
};
