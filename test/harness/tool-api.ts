import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A request as the stand-in got it; the path with its query, as it was sent. */
export type ToolRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What it answers: a status with headers and a body; `hang` never answers. */
export type ToolAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | "hang";

/** A stand-in for any API that tools call, on 127.0.0.1. */
export const startToolApi = async (answer: (request: ToolRequest) => ToolAnswer = () => ({})) => {
  const requests: ToolRequest[] = [];
  const next: ToolAnswer[] = [];
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
    const given = next.shift() ?? answer(request);
    if (given === "hang") return;
    const { status = 200, headers: own, body = '{"ok":true}' } = given;
    response.writeHead(status, { "content-type": "application/json", ...own }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    /** Answers the next requests, in order. */
    script: (...answers: readonly ToolAnswer[]) => {
      next.push(...answers);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
