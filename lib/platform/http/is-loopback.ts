const ipv4 = /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/**
 * Returns whether a URL's host name is this machine: `localhost`, 127.0.0.0/8 or `[::1]`. Names below `localhost` are
 * not: not every resolver keeps them on this machine.
 */
export const isLoopback = ({ hostname }: Pick<URL, "hostname">): boolean =>
  hostname === "localhost" || hostname === "[::1]" || ipv4.test(hostname);
