import { statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import {
  type ConsoleOrigins,
  consoleHeaders,
  contentTypes,
} from "../../console/console-headers.ts";
import type { ConsoleSignIn } from "../../console/console-sign-in.ts";
import type { LocalHandler } from "../gateway/local-handler.ts";
import { escapeHtml, sendPage } from "../page.ts";
import { seedNames } from "../seed.ts";
import { clientIds, consolePath, parseOrigin } from "../sign-in/clients.ts";
import { createStaticFiles, matchesTag, type ReadStaticFile } from "./static-files.ts";

/** The console of a local stack. */
export type LocalConsole = {
  handle: LocalHandler;
  /** Builds the console in the background, unless that was started before. */
  build: () => void;
  close: () => Promise<void>;
};

type ConsoleOptions = {
  /** Builds the console and returns its directory. */
  build: (options: { signal: AbortSignal; isInBackground: boolean }) => Promise<string>;
  /** Issuer and client of an external issuer; by default those of the local one. */
  signIn?: ConsoleSignIn | undefined;
  print: (line: string) => void;
};

type State =
  | { type: "building" }
  | { type: "ready"; directory: string; readStatic: ReadStaticFile }
  | { type: "failed"; reason: string };

/** The local services choose their port at every start. */
const anyLocalPort = "http://127.0.0.1:*";

/** Serves the console at /console/, and a page that reloads itself until it is built. */
export const createConsole = ({ build, signIn, print }: ConsoleOptions): LocalConsole => {
  const origins = { issuer: signIn ? [new URL(signIn.issuer).origin] : [], storage: anyLocalPort };
  const stopping = new AbortController();
  let state: State = { type: "building" };
  let building: Promise<void> | undefined;

  const start = (isInBackground: boolean): void => {
    building ??= build({ signal: stopping.signal, isInBackground }).then(
      (directory) => {
        state = { type: "ready", directory, readStatic: createStaticFiles(directory) };
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        state = { type: "failed", reason };
        if (!stopping.signal.aborted) print(reason);
      },
    );
  };

  return {
    build: () => start(true),
    close: async () => {
      stopping.abort();
      await building;
    },
    handle: (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://local");
      if (pathname === "/" && acceptsPage(request)) return redirect(response, consolePath);
      if (pathname === "/console") return redirect(response, consolePath);
      if (!pathname.startsWith(consolePath)) return false;
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.writeHead(405, { Allow: "GET, HEAD" }).end();
        return true;
      }
      if (pathname === `${consolePath}config.json`) {
        sendConfig(response, signIn ?? ownSignIn(request));
        return true;
      }
      start(false);
      if (state.type === "ready") {
        const { directory, readStatic } = state;
        sendFile({ directory, readStatic, origins }, pathname, request, response);
      } else {
        sendUnready(state, response);
      }
      return true;
    },
  };
};

const acceptsPage = ({ headers, method }: IncomingMessage): boolean =>
  method === "GET" && (headers.accept ?? "").includes("text/html");

const ownSignIn = ({ headers }: IncomingMessage): ConsoleSignIn | undefined => {
  const issuer = parseOrigin(headers.host);
  return issuer === undefined
    ? undefined
    : {
        issuer,
        clientId: clientIds.console,
        cliClientId: clientIds.cli,
        bearer: "access_token",
        roleClaim: "role",
        tenant: seedNames.tenantSlug,
      };
};

const sendConfig = (response: ServerResponse, signIn: ConsoleSignIn | undefined): void => {
  response.writeHead(signIn ? 200 : 400, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(JSON.stringify(signIn ?? { title: "Unknown host name" }));
};

const sendUnready = (state: State, response: ServerResponse): void => {
  if (state.type === "failed") {
    const body = `<pre>${escapeHtml(state.reason)}</pre>`;
    sendPage(response, 500, { title: "The console cannot be built", body });
    return;
  }
  sendPage(response, 200, {
    title: "The console is being built",
    body: "<p>This takes a few seconds after an update. The page reloads automatically.</p>",
    reloadSeconds: 1,
  });
};

/** A built console, and the origins that its pages use. */
type Site = { directory: string; readStatic: ReadStaticFile; origins: ConsoleOrigins };

/** Sends an asset, or the page of the application, which routes all other paths. */
const sendFile = (
  { directory, readStatic, origins }: Site,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const name = pathname.slice(consolePath.length);
  const isAsset = /^(assets\/)?[\w.-]+\.[a-z0-9]+$/.test(name) && !name.includes("..");
  const found = isAsset ? readFileSize(join(directory, name)) : undefined;
  if (isAsset && found === undefined && name.startsWith("assets/")) {
    response.writeHead(404, { "Cache-Control": "no-store" }).end();
    return;
  }
  const file = found === undefined ? "index.html" : name;
  const headers: Record<string, string> = {
    ...consoleHeaders(origins),
    "Content-Type": contentTypes[extname(file)] ?? "application/octet-stream",
    "Cache-Control": file.startsWith("assets/")
      ? "public, max-age=31536000, immutable"
      : "no-store",
  };
  readStatic(file, request.headers["accept-encoding"]).then(
    ({ body, headers: ofFile }) => {
      const all: Record<string, string> = { ...headers, ...ofFile };
      if (matchesTag(request.headers["if-none-match"], ofFile.ETag ?? "")) {
        const { "Content-Length": _, "Content-Encoding": __, ...rest } = all;
        response.writeHead(304, rest).end();
        return;
      }
      response.writeHead(200, all);
      response.end(request.method === "HEAD" ? undefined : body);
    },
    () => response.writeHead(404, { "Cache-Control": "no-store" }).end(),
  );
};

const readFileSize = (path: string): number | undefined => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : undefined;
};

const redirect = (response: ServerResponse, location: string): true => {
  response.writeHead(302, { Location: location, "Cache-Control": "no-store" }).end();
  return true;
};
