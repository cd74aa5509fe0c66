import { once } from "node:events";
import { createServer } from "node:net";
import { StopError } from "../stop-error.ts";

/** Throws a StopError when a port cannot be listened on, before anything slow is done. */
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

/** What to tell the user when listening failed. */
export const listenError = (error: unknown, host: string, port: number): StopError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "EADDRINUSE") {
    return new StopError(
      `Port ${port} on ${host} is taken. Stop what listens there, or set PORT to another one.`,
    );
  }
  return new StopError(
    `Cannot listen on ${host}:${port} (${code}). Set HOST and PORT to what this machine has.`,
  );
};
