import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { listen } from "../listen.ts";
import type { ApiRequest, ApiResponse } from "../listener-apis/listener-api.ts";
import { chatApis, type Show, type Shown } from "./chat-api.ts";
import { type FileResponse, findFile } from "./chat-files.ts";

/** Replaces the response of a request; `lost` processes it but drops the response. */
export type ChatFault = ApiResponse | "lost";

/** Fakes of the APIs of all chat providers, below their names. */
export type ChatServer = {
  url: string;
  /** Messages shown in the chats. */
  shown: Shown[];
  /** Received requests, with the raw body. */
  requests: (ApiRequest & { raw: string })[];
  /** Calls `callback` when a chat shows the text. */
  waitFor: (text: string, callback: () => void) => void;
  failNext: (...faults: readonly ChatFault[]) => void;
  close: () => Promise<void>;
};

const Body = z.record(z.string(), z.unknown()).catch({});

const parseBody = (raw: string, contentType = ""): Record<string, unknown> => {
  if (raw === "") return {};
  if (contentType.includes("form-urlencoded")) return Object.fromEntries(new URLSearchParams(raw));
  return Body.parse(JSON.parse(raw));
};

/** Starts the fakes on 127.0.0.1. */
export const startChatServer = async (): Promise<ChatServer> => {
  const shown: Shown[] = [];
  const requests: ChatServer["requests"] = [];
  const faults: ChatFault[] = [];
  const waiting = new Map<string, () => void>();
  const nonces = new WeakMap<Shown, string>();
  const show: Show = (message, nonce) => {
    if (nonce !== undefined) {
      if (shown.some((earlier) => nonces.get(earlier) === nonce)) return;
      nonces.set(message, nonce);
    }
    shown.push(message);
    waiting.get(message.text)?.();
    waiting.delete(message.text);
  };
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://any");
    const raw = await text(incoming);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const request = {
      method: incoming.method ?? "",
      path: pathname,
      query: searchParams,
      headers: Object.fromEntries(headers),
      body: parseBody(raw, incoming.headers["content-type"]),
      raw,
    };
    requests.push(request);
    const fault = faults.shift();
    const did: FileResponse = typeof fault === "object" ? fault : findResponse(request, show);
    if (fault === "lost") {
      response.destroy();
      return;
    }
    response.writeHead(did.status, { "content-type": "application/json", ...did.headers });
    if (did.isOpen) response.write(did.content ?? "");
    else
      response.end(did.content ?? (did.body === undefined ? undefined : JSON.stringify(did.body)));
  });
  return {
    ...(await listen(server)),
    shown,
    requests,
    waitFor: (awaited, callback) => {
      waiting.set(awaited, callback);
    },
    failNext: (...some) => {
      faults.push(...some);
    },
  };
};

const findResponse = (request: ApiRequest, show: Show): FileResponse => {
  const file = findFile(request);
  if (file) return file;
  for (const api of chatApis) {
    const reply = api(request, show);
    if (reply) return reply;
  }
  return { status: 404, body: {} };
};
