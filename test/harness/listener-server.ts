import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { listen } from "./listen.ts";
import { githubApi } from "./listener-apis/github-api.ts";
import { gitlabApi } from "./listener-apis/gitlab-api.ts";
import { jiraApi } from "./listener-apis/jira-api.ts";
import { linearApi } from "./listener-apis/linear-api.ts";
import type { ApiRequest, ApiResponse, KeptListener } from "./listener-apis/listener-api.ts";
import { telegramApi } from "./listener-apis/telegram-api.ts";

const apis = {
  github: githubApi,
  gitlab: gitlabApi,
  jira: jiraApi,
  telegram: telegramApi,
  linear: linearApi,
} as const;

/** A provider with a fake. */
export type StandInProvider = keyof typeof apis;

/**
 * Replaces the response of a request: another response; `hang` never responds; `lost` processes the request but drops
 * the response; `during` runs before the request is processed.
 */
export type Fault = ApiResponse | "hang" | "lost" | { during: () => Promise<unknown> };

/** A fake of the API of a provider. */
export type ListenerServer = {
  url: string;
  /** The auth parameters that it accepts. */
  auth: Readonly<Record<string, string>>;
  listeners: KeptListener[];
  requests: ApiRequest[];
  /** Applies faults to the next requests that change something. */
  failChanges: (...faults: readonly Fault[]) => void;
  /** Applies faults to the next requests. */
  failNext: (...faults: readonly Fault[]) => void;
  close: () => Promise<void>;
};

const Body = z.record(z.string(), z.unknown()).catch({});

const changes = ({ method, path, body }: ApiRequest): boolean => {
  if (path.endsWith("/graphql")) return !String(body.query).startsWith("query");
  return method !== "GET" && !path.endsWith("/getWebhookInfo");
};

/** Starts a fake on 127.0.0.1. */
export const startListenerServer = async (provider: StandInProvider): Promise<ListenerServer> => {
  const api = apis[provider];
  const listeners: KeptListener[] = [];
  const requests: ApiRequest[] = [];
  const anyFaults: Fault[] = [];
  const changeFaults: Fault[] = [];
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://any");
    const content = await text(incoming);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const request: ApiRequest = {
      method: incoming.method ?? "",
      path: pathname,
      query: searchParams,
      headers: Object.fromEntries(headers),
      body: content === "" ? {} : Body.parse(JSON.parse(content)),
    };
    requests.push(request);
    const fault = (changes(request) ? changeFaults.shift() : undefined) ?? anyFaults.shift();
    if (fault === "hang") return;
    if (typeof fault === "object" && "during" in fault) await fault.during();
    const isInstead = typeof fault === "object" && "status" in fault;
    const reply: ApiResponse = isInstead ? fault : api.respond(request, listeners);
    if (fault === "lost") {
      response.destroy();
      return;
    }
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  });
  return {
    ...(await listen(server)),
    auth: api.auth,
    listeners,
    requests,
    failChanges: (...faults) => {
      changeFaults.push(...faults);
    },
    failNext: (...faults) => {
      anyFaults.push(...faults);
    },
  };
};
