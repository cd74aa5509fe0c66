import { afterEach } from "vitest";
import { type SourceApi, type SourceServer, startSourceServer } from "./source-server.ts";

/** Serves fakes to the tests of a file; a fake is closed after its test. */
export const servingSources = (): ((api: SourceApi) => Promise<SourceServer>) => {
  const servers: SourceServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  return async (api) => {
    const server = await startSourceServer(api);
    servers.push(server);
    return server;
  };
};
