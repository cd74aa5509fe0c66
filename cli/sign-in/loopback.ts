import { createServer, type Server } from "node:http";
import { failed, interrupted } from "../exit.ts";

/** Ports of the redirect address, which issuers compare exactly. */
const ports = [8976, 8977, 8978];

/** A server on this machine to which the browser returns from the sign-in. */
export type Loopback = {
  redirectUri: string;
  /** Waits for the browser; returns the parameters of its request. */
  parameters: Promise<URLSearchParams>;
  close: () => void;
};

/** Starts the server on the first free port. Only a request with the expected `state` counts. */
export const startLoopback = async (state: string, signal: AbortSignal): Promise<Loopback> => {
  const { promise: parameters, resolve, reject } = deferred<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isExpected = pathname === "/callback" && searchParams.get("state") === state;
    response.writeHead(isExpected ? 200 : 404, {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      Connection: "close",
    });
    const isDone = searchParams.has("code");
    const text = isDone ? "You are signed in to Wharf." : "The sign-in was not completed.";
    response.end(isExpected ? page(`${text} You can close this window.`) : page("Not found."));
    if (isExpected) resolve(searchParams);
  });
  signal.addEventListener("abort", () => reject(interrupted()), { once: true });
  parameters.catch(() => undefined);
  const port = await listenOnFirst(server, ports);
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    parameters,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Wharf</title><p>${text}</p></html>`;

const listenOnFirst = async (server: Server, [port, ...others]: number[]): Promise<number> => {
  if (port === undefined) {
    throw failed(`The ports ${ports.join(", ")} are in use. Use --device or --token.`);
  }
  const { promise, resolve } = deferred<boolean>();
  const refuse = (): void => resolve(false);
  server.once("error", refuse);
  server.listen(port, "127.0.0.1", () => resolve(true));
  const isListening = await promise;
  server.off("error", refuse);
  return isListening ? port : listenOnFirst(server, others);
};

const deferred = <Value>() => {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<Value>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  return { promise, resolve, reject };
};
