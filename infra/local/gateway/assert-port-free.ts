import { once } from "node:events";
import { createServer } from "node:net";
import { StopError } from "../stop-error.ts";

/** Throws a StopError when a port cannot be listened on. Call it before any slow step. */
export const assertPortFree = async (host: string, port: number): Promise<void> => {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw listenError(error, host, port);
  }
  server.close();
  await once(server, "close");
};

/** Converts an error of `listen` into a StopError with advice. */
export const listenError = (error: unknown, host: string, port: number): StopError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "EADDRINUSE") {
    return new StopError(
      `Port ${port} on ${host} is in use. Stop the process that uses it, or set PORT to another port.`,
    );
  }
  return new StopError(
    `Cannot listen on ${host}:${port} (${code}). Set HOST and PORT to an address and a port of this machine.`,
  );
};
