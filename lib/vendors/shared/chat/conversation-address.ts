import { ProviderApiError } from "../../../platform/outgoing/provider-api-error.ts";

/** Returns where to post. Throws for an id that is not of a conversation of the provider. */
export const requireAddress = <Address>(
  provider: string,
  address: Address | undefined,
): Address => {
  if (address !== undefined) return address;
  throw new ProviderApiError(`${provider} has no conversation with this id.`);
};
