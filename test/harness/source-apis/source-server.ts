import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { listen } from "../listen.ts";

/** A received request. */
export type SourceRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A response: a string is sent as it is, anything else as JSON. */
export type SourceResponse = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** Returns the response of a fake; undefined for 404. */
export type SourceApi = (request: SourceRequest, url: string) => SourceResponse | undefined;

/** A fake of the API of a source. */
export type SourceServer = {
  readonly url: string;
  readonly requests: SourceRequest[];
  readonly close: () => Promise<void>;
};

const faultsPath = "/stand-in/faults";

/** Replaces the next responses of a fake, also in another process. */
export const failNext = async (
  url: string,
  ...replies: readonly SourceResponse[]
): Promise<void> => {
  await fetch(url + faultsPath, { method: "POST", body: JSON.stringify(replies) });
};

/** Returns the number of unused faults. */
export const faultsLeft = async (url: string): Promise<number> =>
  z.int().parse(await (await fetch(url + faultsPath)).json());

const Faults = z.array(
  z.object({
    status: z.int().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  }),
);

/** Starts a fake on 127.0.0.1. */
export const startSourceServer = async (api: SourceApi): Promise<SourceServer> => {
  const requests: SourceRequest[] = [];
  const faults: SourceResponse[] = [];
  let url = "";
  const server = createServer(async (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", url);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const request: SourceRequest = {
      method: incoming.method ?? "",
      path: pathname,
      query: searchParams,
      headers: Object.fromEntries(headers),
      body: await text(incoming),
    };
    if (request.path === faultsPath) {
      if (request.method === "POST") faults.push(...Faults.parse(JSON.parse(request.body)));
      response.end(JSON.stringify(faults.length));
      return;
    }
    requests.push(request);
    const reply = faults.shift() ?? api(request, url);
    const { status = 200, headers: more, body } = reply ?? { status: 404, body: {} };
    const type = typeof body === "string" ? "text/plain" : "application/json";
    response.writeHead(status, { "content-type": type, ...more });
    response.end(typeof body === "string" ? body : JSON.stringify(body ?? {}));
  });
  const served = await listen(server);
  url = served.url;
  return { ...served, requests };
};
