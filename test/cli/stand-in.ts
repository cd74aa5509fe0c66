import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

/** A request as it arrived. */
export type Arrived = { method: string; url: URL; headers: IncomingHttpHeaders };

/** Answers one request. */
export type Answerer = (arrived: Arrived, response: ServerResponse) => void;

/** A server in place of the API: it answers what a test wants and remembers what it was asked. */
export type StandIn = { url: string; requests: Arrived[]; close: () => Promise<void> };

/** Starts a stand-in on any free port. */
export const startStandIn = async (answer: Answerer): Promise<StandIn> => {
  const requests: Arrived[] = [];
  const server = createServer((request, response) => {
    const arrived = {
      method: request.method ?? "",
      url: new URL(request.url ?? "", "http://stand-in"),
      headers: request.headers,
    };
    requests.push(arrived);
    answer(arrived, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** Answers with JSON. */
export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
};

/** Answers with a problem document, as the contract has it. */
export const problem = (
  response: ServerResponse,
  status: number,
  slug: string,
  members: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): void => {
  const body = {
    type: `/problems/${slug}`,
    title: `The title of ${slug}`,
    status,
    detail: `The detail of ${slug}.`,
    instance: "/v1/tenants/demo",
    requestId: "request-1",
    ...members,
  };
  response
    .writeHead(status, { "Content-Type": "application/problem+json", ...headers })
    .end(JSON.stringify(body));
};

/** Answers with a part of a paged list, as the contract has it. */
export const page = (response: ServerResponse, { url }: Arrived, all: readonly unknown[]): void => {
  const size = Number(url.searchParams.get("PageSize") ?? "50");
  const skip = Number(url.searchParams.get("PageToken.Skip") ?? "0");
  if (size > 200) {
    problem(response, 400, "validation-failed");
    return;
  }
  json(response, {
    items: all.slice(skip, skip + size),
    nextPageToken: skip + size < all.length ? String(skip + size) : null,
  });
};
