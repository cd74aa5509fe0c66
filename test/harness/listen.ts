import { once } from "node:events";
import type { Server } from "node:http";

/** Starts a server on 127.0.0.1; returns its URL, and a function that closes it with its connections. */
export const listen = async (
  server: Server,
  port = 0,
): Promise<{ url: string; close: () => Promise<void> }> => {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
