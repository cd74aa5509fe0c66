import { lookup as lookupName } from "node:dns/promises";
import { isIP } from "node:net";
import { isBlockedAddress, privateAddressHint } from "./blocked-address.ts";
import { OutgoingError } from "./outgoing-error.ts";

/** An address of a host. */
export type HostAddress = { readonly address: string; readonly family: number };

/** Finds all addresses of a host's name. */
export type Lookup = (hostname: string) => Promise<readonly HostAddress[]>;

/** Addresses that may be called. */
export type OutgoingOptions = {
  /** Allows private addresses and http, for local development and tests. */
  readonly allowPrivateAddresses?: boolean;
  readonly lookup?: Lookup;
};

/** Resolves a URL's host. Throws an OutgoingError unless every address is allowed. */
export const resolveHost = async (url: URL, options: OutgoingOptions): Promise<HostAddress[]> => {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(hostname);
  const addresses = family ? [{ address: hostname, family }] : await find(hostname, options.lookup);
  if (options.allowPrivateAddresses !== true) {
    for (const { address } of addresses) {
      if (!isBlockedAddress(address)) continue;
      throw new OutgoingError(
        "blocked-address",
        `"${hostname}" is not a public address, so it is not called. ${privateAddressHint}`,
        url.host,
      );
    }
  }
  return addresses;
};

const find = async (hostname: string, lookup: Lookup = lookupAll): Promise<HostAddress[]> => {
  let found: readonly HostAddress[];
  try {
    found = await lookup(hostname);
  } catch (cause) {
    throw new OutgoingError("connection-failed", `"${hostname}" can't be resolved.`, hostname, {
      cause,
    });
  }
  if (found.length === 0) {
    throw new OutgoingError("connection-failed", `"${hostname}" has no address.`, hostname);
  }
  return [...found];
};

const lookupAll = (hostname: string): Promise<HostAddress[]> => lookupName(hostname, { all: true });
