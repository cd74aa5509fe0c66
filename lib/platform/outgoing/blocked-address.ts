import { BlockList, isIP } from "node:net";

const blocked4 = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // a cloud's own services
  ["169.254.0.0", 16], // link-local, instance metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const;

/** Within 2000::/3, the only allowed part of IPv6. */
const blocked6 = [
  ["2001::", 23], // protocol assignments, Teredo
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4
  ["3fff::", 20], // documentation
] as const;

const createLists = () => {
  const ipv4 = new BlockList();
  for (const [network, prefix] of blocked4) ipv4.addSubnet(network, prefix, "ipv4");
  const ipv6 = new BlockList();
  for (const [network, prefix] of blocked6) ipv6.addSubnet(network, prefix, "ipv6");
  const unicast = new BlockList();
  unicast.addSubnet("2000::", 3, "ipv6");
  return { ipv4, ipv6, unicast };
};

let lists: ReturnType<typeof createLists> | undefined;

/** Names the setting that allows addresses of this machine and its network. */
export const privateAddressHint =
  "For local development, ALLOW_PRIVATE_ADDRESSES=true allows http and private addresses.";

/** Returns whether a host is this machine, or a private address or name; names are not resolved. */
export const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isBlockedAddress(host);
  return !host.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host);
};

/** Returns whether an address is not a public IP address. */
export const isBlockedAddress = (address: string): boolean => {
  lists ??= createLists();
  const [plain = ""] = address.split("%");
  switch (isIP(plain)) {
    case 4:
      return lists.ipv4.check(plain, "ipv4");
    case 6:
      return !lists.unicast.check(plain, "ipv6") || lists.ipv6.check(plain, "ipv6");
    default:
      return true;
  }
};
