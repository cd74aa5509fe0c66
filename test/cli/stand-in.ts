import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { listen } from "../harness/listen.ts";

/** A request as it arrived. */
export type Arrived = { method: string; url: URL; headers: IncomingHttpHeaders };

/** Responds to one request. */
export type Responder = (arrived: Arrived, response: ServerResponse) => void;

/** A fake of the API, with the requests that it received. */
export type StandIn = { url: string; requests: Arrived[]; close: () => Promise<void> };

/** Starts a fake on a free port. */
export const startStandIn = async (respond: Responder): Promise<StandIn> => {
  const requests: Arrived[] = [];
  const server = createServer((request, response) => {
    const arrived = {
      method: request.method ?? "",
      url: new URL(request.url ?? "", "http://stand-in"),
      headers: request.headers,
    };
    requests.push(arrived);
    respond(arrived, response);
  });
  return { ...(await listen(server)), requests };
};

/** Responds with JSON. */
export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
};

/** Responds with problem details. */
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

/** Responds with a page of a list. */
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
