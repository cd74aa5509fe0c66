import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** A received request; `path` includes the query, undecoded. */
export type ToolRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A response, or `hang` to never respond. */
export type ToolResponse =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | "hang";

/** Starts a fake of an API that tools call, on 127.0.0.1. */
export const startToolApi = async (
  respond: (request: ToolRequest) => ToolResponse = () => ({}),
) => {
  const requests: ToolRequest[] = [];
  const next: ToolResponse[] = [];
  const server = createServer(async (incoming, response) => {
    response.on("error", () => undefined);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const request: ToolRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: Object.fromEntries(headers),
      body: await text(incoming),
    };
    requests.push(request);
    const given = next.shift() ?? respond(request);
    if (given === "hang") return;
    const { status = 200, headers: own, body = '{"ok":true}' } = given;
    response.writeHead(status, { "content-type": "application/json", ...own }).end(body);
  });
  return {
    ...(await listen(server)),
    requests,
    /** Sets the next responses, in order. */
    script: (...responses: readonly ToolResponse[]) => {
      next.push(...responses);
    },
  };
};
